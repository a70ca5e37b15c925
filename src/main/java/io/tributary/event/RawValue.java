package io.tributary.event;

import java.util.Objects;

/**
 * The original text of a value that its type can't hold; the value itself stands as null in the row.
 *
 * @param column the source column
 * @param path where inside the column, such as {@code [2].x}; empty for the whole value
 * @param text as the source prints it
 */
public record RawValue(String column, String path, String text) {
    public RawValue {
        Objects.requireNonNull(column);
        Objects.requireNonNull(path);
        Objects.requireNonNull(text);
    }
}

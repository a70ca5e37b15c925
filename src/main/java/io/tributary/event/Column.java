package io.tributary.event;

import java.util.Objects;

/**
 * A column of the source.
 *
 * @param name as the source spells it
 * @param type what its values become
 * @param sourceType the declared type for people, such as {@code numeric(10,2)}
 * @param key whether it is part of the key that identifies a row (primary key or replica identity index)
 */
public record Column(String name, ColumnType type, String sourceType, boolean key) {
    public Column {
        Objects.requireNonNull(name);
        Objects.requireNonNull(type);
        Objects.requireNonNull(sourceType);
    }
}

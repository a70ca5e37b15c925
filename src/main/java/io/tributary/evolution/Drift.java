package io.tributary.evolution;

import java.util.Objects;

/**
 * One difference between a table's layout and the schema that the source now sends.
 *
 * @param column the source column
 * @param before its declared type before, empty for an added column
 * @param after its declared type now, empty for a dropped column
 * @param decision what bronze does about it, for people
 */
public record Drift(Kind kind, String column, String before, String after, String decision) {

    /** What happened at the source. */
    public enum Kind {
        COLUMN_ADDED,
        COLUMN_DROPPED,
        COLUMN_RETYPED
    }

    public Drift {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(column);
        Objects.requireNonNull(before);
        Objects.requireNonNull(after);
        Objects.requireNonNull(decision);
    }
}

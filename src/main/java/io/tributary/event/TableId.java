package io.tributary.event;

import java.util.Comparator;
import java.util.Objects;

/** A table of the source by its own names, exactly as the database spells them. */
public record TableId(String schema, String table) implements Comparable<TableId> {
    private static final Comparator<TableId> BY_NAME =
            Comparator.comparing(TableId::schema).thenComparing(TableId::table);

    public TableId {
        Objects.requireNonNull(schema);
        Objects.requireNonNull(table);
    }

    @Override
    public int compareTo(TableId other) {
        return BY_NAME.compare(this, other);
    }

    /** {@code schema.table}, for messages and metrics; not unique when a name holds a dot. */
    @Override
    public String toString() {
        return schema + "." + table;
    }
}

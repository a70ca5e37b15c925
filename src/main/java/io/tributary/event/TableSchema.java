package io.tributary.event;

import java.util.List;
import java.util.Objects;

/** The columns of a source table at one point of its history, in the source's order; equal by content. */
public record TableSchema(TableId table, List<Column> columns) {
    public TableSchema {
        Objects.requireNonNull(table);
        columns = List.copyOf(columns);
    }
}

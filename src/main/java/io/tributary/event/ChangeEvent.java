package io.tributary.event;

import java.util.Objects;
import java.util.Optional;

/** One committed change of one row (or of a whole table, for a truncate). */
public sealed interface ChangeEvent {

    TableSchema schema();

    EventOrigin origin();

    Operation operation();

    default TableId table() {
        return schema().table();
    }

    /** A row that a snapshot read. */
    record Read(TableSchema schema, EventOrigin origin, RowImage row) implements ChangeEvent {
        public Read {
            requireWidth(schema, row);
            Objects.requireNonNull(origin);
        }

        @Override
        public Operation operation() {
            return Operation.READ;
        }
    }

    /** A new row. */
    record Inserted(TableSchema schema, EventOrigin origin, RowImage row) implements ChangeEvent {
        public Inserted {
            requireWidth(schema, row);
            Objects.requireNonNull(origin);
        }

        @Override
        public Operation operation() {
            return Operation.INSERT;
        }
    }

    /** A changed row; {@code before} is there when the source's replica identity sends it whole. */
    record Updated(TableSchema schema, EventOrigin origin, RowImage row, Optional<RowImage> before)
            implements ChangeEvent {
        public Updated {
            requireWidth(schema, row);
            Objects.requireNonNull(origin);
            Objects.requireNonNull(before);
        }

        @Override
        public Operation operation() {
            return Operation.UPDATE;
        }
    }

    /** A removed row; {@code row} is the image before: at least the key. */
    record Deleted(TableSchema schema, EventOrigin origin, RowImage row) implements ChangeEvent {
        public Deleted {
            requireWidth(schema, row);
            Objects.requireNonNull(origin);
        }

        @Override
        public Operation operation() {
            return Operation.DELETE;
        }
    }

    /** All rows removed at once. */
    record Truncated(TableSchema schema, EventOrigin origin) implements ChangeEvent {
        public Truncated {
            Objects.requireNonNull(schema);
            Objects.requireNonNull(origin);
        }

        @Override
        public Operation operation() {
            return Operation.TRUNCATE;
        }
    }

    private static void requireWidth(TableSchema schema, RowImage row) {
        if (row.width() != schema.columns().size()) {
            throw new IllegalArgumentException("a row of " + row.width() + " values for the "
                    + schema.columns().size() + " columns of " + schema.table());
        }
    }
}

package io.tributary.crash;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One change of one row, in a spelling that the server's own decoding and a bronze row share, so that they can be
 * compared as texts.
 *
 * @param operation {@code c u d t} as in {@code _cdc_op}
 * @param values what was sent; NULLs are left out
 */
record SourceChange(String table, String operation, List<Value> values) {
    SourceChange {
        Objects.requireNonNull(table);
        Objects.requireNonNull(operation);
        values = List.copyOf(values);
    }

    /**
     * A value of a column.
     *
     * @param column the source's name of it with a letter for its type, since a column that changes its type is another one
     * @param text empty when the source says that it did not change and sends no value
     */
    record Value(String column, Optional<String> text) {
        Value {
            Objects.requireNonNull(column);
            Objects.requireNonNull(text);
        }

        static Value of(String column, String text) {
            return new Value(column, Optional.of(text));
        }

        static Value unchanged(String name) {
            return new Value(name, Optional.empty());
        }

        @Override
        public String toString() {
            return text.map(sent -> column + "=" + sent).orElse("~" + column);
        }
    }

    /** The canonical form: table, operation, and the values by the name of their column. */
    @Override
    public String toString() {
        return table + ":" + operation
                + values.stream().map(Value::toString).sorted().collect(Collectors.joining("|", "[", "]"));
    }
}

package io.tributary.crash;

import io.tributary.crash.SourceChange.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A row as it stands in a bronze table.
 *
 * @param batch the batch whose commit brought it
 * @param position where the source's log has it; for a snapshot's row where the snapshot was taken
 * @param generation of the snapshot that it belongs to, if it does
 * @param transaction {@code _cdc_tx}, empty for a snapshot's row
 */
record BronzeRow(
        long batch,
        long sequence,
        String position,
        OptionalLong generation,
        Optional<String> transaction,
        SourceChange change) {
    private static final String METADATA = "_cdc_";

    BronzeRow {
        Objects.requireNonNull(position);
        Objects.requireNonNull(generation);
        Objects.requireNonNull(transaction);
        Objects.requireNonNull(change);
    }

    static BronzeRow of(String table, long batch, Map<String, @Nullable Object> row) {
        return new BronzeRow(
                batch,
                (Long) present(row, "_cdc_seq"),
                (String) present(row, "_cdc_position"),
                row.get("_cdc_snapshot") instanceof Long generation
                        ? OptionalLong.of(generation)
                        : OptionalLong.empty(),
                Optional.ofNullable((String) row.get("_cdc_tx")),
                new SourceChange(table, (String) present(row, "_cdc_op"), values(row)));
    }

    boolean ofSnapshot() {
        return generation.isPresent();
    }

    private static Object present(Map<String, @Nullable Object> row, String column) {
        return Objects.requireNonNull(row.get(column), column);
    }

    private static List<Value> values(Map<String, @Nullable Object> row) {
        List<Value> values = new ArrayList<>();
        row.forEach((name, value) -> {
            if (!name.startsWith(METADATA) && value != null) {
                // a column that changed its type goes on under a new name
                String column = ColumnKind.ofBronze(value).column(name.replaceFirst("__v\\d+$", ""));
                values.add(Value.of(column, String.valueOf(value)));
            }
        });
        if (row.get("_cdc_unchanged") instanceof List<?> names) {
            names.forEach(name -> values.add(Value.unchanged(String.valueOf(name))));
        }
        return values;
    }
}

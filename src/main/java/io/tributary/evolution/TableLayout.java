package io.tributary.evolution;

import io.tributary.event.TableId;
import java.util.List;
import java.util.Objects;

/**
 * The data columns of a bronze table, without the metadata columns that every bronze table has. Pinned in the lake: a
 * column, once made, keeps its name and type; layouts only grow.
 *
 * @param version counts the source schemas that this layout has followed, from 1; stands in {@code _cdc_schema_version}
 */
public record TableLayout(TableId table, int version, List<BronzeColumn> columns) {
    public TableLayout {
        Objects.requireNonNull(table);
        columns = List.copyOf(columns);
        if (version < 1) {
            throw new IllegalArgumentException("layout versions count from 1, not " + version);
        }
    }
}

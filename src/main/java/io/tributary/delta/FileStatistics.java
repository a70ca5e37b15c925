package io.tributary.delta;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.event.ColumnType;
import io.tributary.evolution.BronzeColumn;
import io.tributary.evolution.TableLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Delta's statistics of one file, collected while it is written: for the key, the order and the source time always, and
 * for the first other columns whose types can have them.
 */
final class FileStatistics {

    /** As many as Spark indexes by default. */
    private static final int MAX_DATA_COLUMNS = 32;

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    /** By the column's place in the file; null where a column has no statistics. */
    private final List<@Nullable Column> columns = new ArrayList<>();

    private long rows;

    FileStatistics(TableLayout layout) {
        Map<String, ColumnType> tracked = columnsOf(layout);
        layout.columns().forEach(column -> track(column.name(), tracked));
        for (MetadataColumn column : MetadataColumn.values()) {
            track(column.columnName(), tracked);
        }
    }

    private void track(String name, Map<String, ColumnType> tracked) {
        ColumnType type = tracked.get(name);
        columns.add(type == null ? null : new Column(name, ColumnBounds.of(type)));
    }

    /** The columns that have statistics, in the file's order. */
    private static Map<String, ColumnType> columnsOf(TableLayout layout) {
        Map<String, ColumnType> tracked = new LinkedHashMap<>();
        int others = 0;
        for (BronzeColumn column : layout.columns()) {
            if (ColumnBounds.possible(column.type()) && (column.key() || others++ < MAX_DATA_COLUMNS)) {
                tracked.put(column.name(), column.type());
            }
        }
        for (MetadataColumn column : List.of(MetadataColumn.SEQ, MetadataColumn.SOURCE_TIME)) {
            tracked.put(column.columnName(), column.type());
        }
        return tracked;
    }

    /** The same columns as the value of {@code delta.dataSkippingStatsColumns}, so that other writers keep them too. */
    static String columnsProperty(TableLayout layout) {
        return String.join(
                ",",
                columnsOf(layout).keySet().stream()
                        .map(name ->
                                name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name : "`" + name.replace("`", "``") + "`")
                        .toList());
    }

    /** Takes the value of a column, by its place in the file. */
    void add(int index, @Nullable Object value) {
        Column column = columns.get(index);
        if (column != null) {
            column.add(value);
        }
    }

    void endRow() {
        rows++;
    }

    long rows() {
        return rows;
    }

    /** The text of an add action's {@code stats}. */
    String json() {
        ObjectNode statistics = JSON.createObjectNode().put("numRecords", rows);
        ObjectNode min = statistics.putObject("minValues");
        ObjectNode max = statistics.putObject("maxValues");
        ObjectNode nulls = statistics.putObject("nullCount");
        for (Column column : columns) {
            if (column != null) {
                Optional<ColumnBounds.Range> range = column.bounds.range();
                if (range.isPresent()) {
                    min.set(column.name, range.get().min());
                    max.set(column.name, range.get().max());
                }
                nulls.put(column.name, column.nulls);
            }
        }
        try {
            return JSON.writeValueAsString(statistics);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values always has a JSON form", e);
        }
    }

    private static final class Column {
        private final String name;
        private final ColumnBounds bounds;
        private long nulls;

        Column(String name, ColumnBounds bounds) {
            this.name = name;
            this.bounds = bounds;
        }

        void add(@Nullable Object value) {
            if (value == null) {
                nulls++;
            } else {
                bounds.add(value);
            }
        }
    }
}

package io.tributary.crash;

import io.tributary.crash.SourceChange.Value;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a table holds when its changes are folded by key. */
final class TableState {
    private final String key;
    private final Map<String, Map<String, String>> rows = new TreeMap<>();
    /** The row that the newest change deleted: a changed key is a delete and the insert that follows it. */
    private Map<String, String> deleted = Map.of();

    /** @param key the column that tells rows apart, as {@link ColumnKind#column} names it */
    TableState(String key) {
        this.key = key;
    }

    void apply(SourceChange change) {
        switch (change.operation()) {
            case "t" -> rows.clear();
            case "d" -> deleted = orNone(rows.remove(keyOf(change)));
            default -> {
                String id = keyOf(change);
                Map<String, String> before = change.operation().equals("c") ? deleted : orNone(rows.get(id));
                rows.put(id, merged(change, before));
                deleted = Map.of();
            }
        }
    }

    /** The rows by key: column and text, without NULLs. */
    Map<String, Map<String, String>> rows() {
        return rows;
    }

    long sum(String column) {
        return rows.values().stream()
                .flatMap(row -> Stream.ofNullable(row.get(column)))
                .mapToLong(Long::parseLong)
                .sum();
    }

    private static Map<String, String> merged(SourceChange change, Map<String, String> before) {
        Map<String, String> row = new LinkedHashMap<>();
        for (Value value : change.values()) {
            value.text()
                    .ifPresentOrElse(
                            text -> row.put(value.column(), text),
                            () -> before.forEach((column, text) -> {
                                if (column.startsWith(value.column() + ":")) {
                                    row.put(column, text);
                                }
                            }));
        }
        return row;
    }

    private String keyOf(SourceChange change) {
        return change.values().stream()
                .filter(value -> value.column().equals(key))
                .flatMap(value -> value.text().stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + key + " in " + change));
    }

    private static Map<String, String> orNone(@org.jspecify.annotations.Nullable Map<String, String> row) {
        return row == null ? new HashMap<>() : row;
    }
}

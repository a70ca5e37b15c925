package io.tributary.crash;

import io.tributary.testing.Scenario;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a table of the source holds, in the spelling of {@link SourceChange}.
 *
 * @param rows by key, without NULLs
 * @param columns those that the table has now
 */
record SourceState(Map<String, Map<String, String>> rows, Set<String> columns) {
    SourceState {
        rows = Map.copyOf(rows);
        columns = Set.copyOf(columns);
    }

    /** @param key the name of the column that tells rows apart */
    static SourceState read(Scenario scenario, String table, String key) throws SQLException {
        Map<String, Map<String, String>> rows = new HashMap<>();
        Set<String> columns = new HashSet<>();
        try (Connection connection = scenario.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select * from " + table)) {
            ResultSetMetaData metadata = result.getMetaData();
            for (int i = 1; i <= metadata.getColumnCount(); i++) {
                columns.add(column(metadata, i));
            }
            while (result.next()) {
                rows.put(result.getString(key), row(result, metadata));
            }
        }
        return new SourceState(rows, columns);
    }

    private static Map<String, String> row(ResultSet result, ResultSetMetaData metadata) throws SQLException {
        Map<String, String> row = new HashMap<>();
        for (int i = 1; i <= metadata.getColumnCount(); i++) {
            Object value = result.getObject(i);
            if (value != null) {
                row.put(column(metadata, i), String.valueOf(value));
            }
        }
        return row;
    }

    private static String column(ResultSetMetaData metadata, int index) throws SQLException {
        return ColumnKind.ofDriver(metadata.getColumnTypeName(index)).column(metadata.getColumnName(index));
    }
}

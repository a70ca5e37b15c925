package io.tributary.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delta.kernel.Scan;
import io.delta.kernel.Snapshot;
import io.delta.kernel.TableManager;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.exceptions.TableNotFoundException;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.data.ScanStateRow;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.ArrayType;
import io.delta.kernel.types.BinaryType;
import io.delta.kernel.types.BooleanType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DateType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.FloatType;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.ShortType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampNTZType;
import io.delta.kernel.types.TimestampType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Reads Delta tables on the local disk through Kernel's read path and Hadoop's file system, and their logs as plain JSON:
 * nothing of it is the writer's code.
 *
 * <p>Values come as Boolean, Short, Integer, Long, Float, Double, String, byte[], BigDecimal; DATE as Integer days,
 * TIMESTAMP and TIMESTAMP_NTZ as Long microseconds, ARRAY as List, STRUCT as Map.
 */
public final class DeltaReader {

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final Engine ENGINE = DefaultEngine.create(new Configuration());

    private DeltaReader() {}

    /** An add action as the log has it. */
    public record AddedFile(long version, String path, long size, JsonNode statistics) {}

    public static boolean exists(Path table) {
        try {
            return version(table) >= 0;
        } catch (TableNotFoundException e) {
            return false;
        }
    }

    public static long version(Path table) {
        return snapshot(table).getVersion();
    }

    public static StructType schema(Path table) {
        return snapshot(table).getSchema();
    }

    public static Map<String, String> properties(Path table) {
        return snapshot(table).getTableProperties();
    }

    /** All rows of the latest version, file by file in the order of the log. */
    public static List<Map<String, @Nullable Object>> rows(Path table) throws IOException {
        return rows(table, snapshot(table));
    }

    /** All rows of one version, file by file in the order of the log. */
    public static List<Map<String, @Nullable Object>> rows(Path table, long version) throws IOException {
        return rows(
                table,
                TableManager.loadSnapshot(table.toString()).atVersion(version).build(ENGINE));
    }

    /** Hands over the rows of the latest version one at a time, for tables that don't fit into memory as rows. */
    public static void forEachRow(Path table, Consumer<Map<String, @Nullable Object>> rows) throws IOException {
        forEachRow(snapshot(table), file -> true, (file, row) -> rows.accept(row));
    }

    /** The actions of one version, as JSON. */
    public static List<JsonNode> actions(Path table, long version) throws IOException {
        List<JsonNode> actions = new ArrayList<>();
        for (String line : Files.readAllLines(logFile(table, version))) {
            actions.add(JSON.readTree(line));
        }
        return actions;
    }

    /** Every file that the log adds, in its order. */
    public static List<AddedFile> addedFiles(Path table) throws IOException {
        List<AddedFile> files = new ArrayList<>();
        for (long version = 0; Files.exists(logFile(table, version)); version++) {
            files.addAll(addedFiles(table, version));
        }
        return files;
    }

    /** The files that one version adds, in its order. */
    public static List<AddedFile> addedFiles(Path table, long version) throws IOException {
        List<AddedFile> files = new ArrayList<>();
        for (JsonNode action : actions(table, version)) {
            if (action.has("add")) {
                JsonNode add = action.get("add");
                files.add(new AddedFile(
                        version,
                        URI.create(add.get("path").textValue()).getPath(),
                        add.get("size").longValue(),
                        JSON.readTree(add.get("stats").textValue())));
            }
        }
        return files;
    }

    /** The rows of files that stand in the latest version, by the name of the file. */
    public static Map<String, List<Map<String, @Nullable Object>>> rowsOf(Path table, Set<String> files)
            throws IOException {
        return rowsByFile(snapshot(table), files::contains);
    }

    /**
     * Fails unless the versions are contiguous from 0, every file that is added exists with the recorded size and number of
     * rows, no statistics hide a row, and {@code _cdc_seq} rises strictly through the table.
     */
    public static void assertLogIsSound(Path table) throws IOException {
        List<Long> versions;
        try (Stream<Path> log = Files.list(table.resolve("_delta_log"))) {
            versions = log.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d{20}\\.json"))
                    .map(name -> Long.parseLong(name.substring(0, 20)))
                    .sorted()
                    .toList();
        }
        assertThat(versions)
                .as("versions of %s", table)
                .isEqualTo(Stream.iterate(0L, v -> v + 1).limit(versions.size()).toList());

        List<AddedFile> added = addedFiles(table);
        assertThat(added.stream().map(AddedFile::path)).as("files of %s", table).doesNotHaveDuplicates();
        Map<String, List<Map<String, @Nullable Object>>> rows = rowsByFile(snapshot(table), file -> true);
        StructType schema = schema(table);
        long last = Long.MIN_VALUE;
        for (AddedFile file : added) {
            List<Map<String, @Nullable Object>> ofFile = rows.getOrDefault(file.path(), List.of());
            assertFileIsSound(table, schema, file, ofFile);
            for (Map<String, @Nullable Object> row : ofFile) {
                Long sequence = (Long) row.get("_cdc_seq");
                assertThat(sequence)
                        .as("_cdc_seq in %s", file.path())
                        .isNotNull()
                        .isGreaterThan(last);
                last = sequence == null ? last : sequence;
            }
        }
    }

    /** Fails unless a file exists with the recorded size and number of rows and no statistics hide one of them. */
    public static void assertFileIsSound(
            Path table, StructType schema, AddedFile file, List<Map<String, @Nullable Object>> rows) {
        Path path = table.resolve(file.path());
        assertThat(path).exists().hasSize(file.size());
        assertThat(file.statistics().get("numRecords").longValue())
                .as("numRecords of %s", path)
                .isEqualTo(rows.size());
        StatisticsCheck.assertNothingHidden(path, schema, file.statistics(), rows);
    }

    private static Snapshot snapshot(Path table) {
        return TableManager.loadSnapshot(table.toString()).build(ENGINE);
    }

    private static Path logFile(Path table, long version) {
        return table.resolve("_delta_log/%020d.json".formatted(version));
    }

    private static List<Map<String, @Nullable Object>> rows(Path table, Snapshot snapshot) throws IOException {
        Map<String, List<Map<String, @Nullable Object>>> byFile = rowsByFile(snapshot, file -> true);
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (AddedFile file : addedFiles(table)) {
            Optional.ofNullable(byFile.remove(file.path())).ifPresent(rows::addAll);
        }
        byFile.values().forEach(rows::addAll);
        return rows;
    }

    private static Map<String, List<Map<String, @Nullable Object>>> rowsByFile(
            Snapshot snapshot, Predicate<String> wanted) throws IOException {
        Map<String, List<Map<String, @Nullable Object>>> byFile = new TreeMap<>();
        forEachRow(
                snapshot,
                wanted,
                (file, row) ->
                        byFile.computeIfAbsent(file, f -> new ArrayList<>()).add(row));
        return byFile;
    }

    private static void forEachRow(
            Snapshot snapshot, Predicate<String> wanted, BiConsumer<String, Map<String, @Nullable Object>> rows)
            throws IOException {
        Scan scan = snapshot.getScanBuilder().build();
        Row state = scan.getScanState(ENGINE);
        try (CloseableIterator<FilteredColumnarBatch> batches = scan.getScanFiles(ENGINE)) {
            while (batches.hasNext()) {
                try (CloseableIterator<Row> files = batches.next().getRows()) {
                    while (files.hasNext()) {
                        Row file = files.next();
                        FileStatus status = InternalScanFileUtils.getAddFileStatus(file);
                        String name = Path.of(URI.create(status.getPath()).getPath())
                                .getFileName()
                                .toString();
                        if (wanted.test(name)) {
                            forEachRow(state, file, status, row -> rows.accept(name, row));
                        }
                    }
                }
            }
        }
    }

    private static void forEachRow(Row state, Row file, FileStatus status, Consumer<Map<String, @Nullable Object>> rows)
            throws IOException {
        StructType physical = ScanStateRow.getPhysicalDataReadSchema(state);
        try (CloseableIterator<FileReadResult> read = ENGINE.getParquetHandler()
                        .readParquetFiles(Utils.singletonCloseableIterator(status), physical, Optional.empty());
                CloseableIterator<ColumnarBatch> data = read.map(FileReadResult::getData);
                CloseableIterator<FilteredColumnarBatch> logical =
                        Scan.transformPhysicalData(ENGINE, state, file, data)) {
            while (logical.hasNext()) {
                FilteredColumnarBatch batch = logical.next();
                ColumnarBatch columns = batch.getData();
                for (int i = 0; i < columns.getSize(); i++) {
                    Map<String, @Nullable Object> row = new LinkedHashMap<>();
                    List<StructField> fields = columns.getSchema().fields();
                    for (int c = 0; c < fields.size(); c++) {
                        row.put(fields.get(c).getName(), value(columns.getColumnVector(c), i));
                    }
                    rows.accept(row);
                }
            }
        }
    }

    private static @Nullable Object value(ColumnVector vector, int row) {
        if (vector.isNullAt(row)) {
            return null;
        }
        DataType type = vector.getDataType();
        if (type instanceof BooleanType) {
            return vector.getBoolean(row);
        } else if (type instanceof ShortType) {
            return vector.getShort(row);
        } else if (type instanceof IntegerType || type instanceof DateType) {
            return vector.getInt(row);
        } else if (type instanceof LongType || type instanceof TimestampType || type instanceof TimestampNTZType) {
            return vector.getLong(row);
        } else if (type instanceof FloatType) {
            return vector.getFloat(row);
        } else if (type instanceof DoubleType) {
            return vector.getDouble(row);
        } else if (type instanceof StringType) {
            return vector.getString(row);
        } else if (type instanceof BinaryType) {
            return vector.getBinary(row);
        } else if (type instanceof DecimalType) {
            return vector.getDecimal(row);
        } else if (type instanceof ArrayType) {
            ColumnVector elements = vector.getArray(row).getElements();
            List<@Nullable Object> list = new ArrayList<>();
            for (int i = 0; i < vector.getArray(row).getSize(); i++) {
                list.add(value(elements, i));
            }
            return list;
        } else if (type instanceof StructType struct) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            for (int i = 0; i < struct.length(); i++) {
                fields.put(struct.at(i).getName(), value(vector.getChild(i), row));
            }
            return fields;
        }
        throw new IllegalArgumentException("no test has a column of " + type);
    }
}

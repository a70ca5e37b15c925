package io.tributary.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.BooleanType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.DataFileStatus;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.apache.hadoop.conf.Configuration;

/**
 * Another engine at work on a bronze table whose key is the BIGINT column {@code id}: it reads and rewrites the files and
 * makes the log entries that Spark's OPTIMIZE, DELETE, VACUUM and ALTER TABLE make. As there, a commit goes after others
 * that merely append, and is given up when it loses its race against any other.
 */
public final class OtherWriter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path table;
    private final Engine engine = DefaultEngine.create(new Configuration());
    private final Set<Path> unreferenced = new HashSet<>();

    public OtherWriter(Path table) {
        this.table = table;
    }

    /** Makes one file of all; false if the race was lost. */
    public boolean optimize() throws IOException {
        Snapshot latest = latest();
        return rewrite("OPTIMIZE", latest, files(latest), false, id -> true);
    }

    /**
     * Takes out rows by their id.
     *
     * @return the ids of those that are gone; empty if the race was lost
     */
    public Set<Object> deleteWhere(LongPredicate doomed) throws IOException {
        Snapshot latest = latest();
        Set<Object> gone = new HashSet<>();
        List<FileStatus> concerned = new ArrayList<>();
        for (FileStatus file : files(latest)) {
            Set<Object> ofFile = new HashSet<>();
            try (CloseableIterator<FilteredColumnarBatch> batches = read(latest, file, id -> {
                if (doomed.test(id)) {
                    ofFile.add(id);
                }
                return true;
            })) {
                while (batches.hasNext()) {
                    batches.next();
                }
            }
            if (!ofFile.isEmpty()) {
                concerned.add(file);
                gone.addAll(ofFile);
            }
        }
        boolean done = !concerned.isEmpty() && rewrite("DELETE", latest, concerned, true, id -> !doomed.test(id));
        return done ? gone : Set.of();
    }

    /** Removes the files that this writer's commits have replaced. */
    public int vacuum() throws IOException {
        int removed = 0;
        for (Path file : unreferenced) {
            removed += Files.deleteIfExists(file) ? 1 : 0;
        }
        unreferenced.clear();
        return removed;
    }

    /** A commit without rows, as an appender makes whose batch was empty; false if the race was lost. */
    public boolean append() throws IOException {
        return commit(latest().getVersion(), List.of(commitInfo("STREAMING UPDATE")));
    }

    /** Changes the table's metadata, as ALTER TABLE does, however often that takes. */
    public void alter(Consumer<ObjectNode> change) throws IOException {
        boolean done = false;
        while (!done) {
            long version = latest().getVersion();
            ObjectNode metadata = metadata(version);
            change.accept((ObjectNode) metadata.get("metaData"));
            done = commit(version, List.of(commitInfo("ALTER TABLE"), metadata));
        }
    }

    /** The schema of metadata that is being changed. */
    public static ObjectNode schemaOf(ObjectNode metadata) throws IOException {
        return (ObjectNode) JSON.readTree(metadata.get("schemaString").textValue());
    }

    private ObjectNode metadata(long latest) throws IOException {
        for (long version = latest; version >= 0; version--) {
            for (JsonNode action : DeltaReader.actions(table, version)) {
                if (action.has("metaData")) {
                    return (ObjectNode) action;
                }
            }
        }
        throw new IllegalStateException("no version of " + table + " has metadata");
    }

    private Snapshot latest() {
        return TableManager.loadSnapshot(table.toString()).build(engine);
    }

    private List<FileStatus> files(Snapshot snapshot) throws IOException {
        List<FileStatus> files = new ArrayList<>();
        Scan scan = snapshot.getScanBuilder().build();
        try (CloseableIterator<FilteredColumnarBatch> batches = scan.getScanFiles(engine)) {
            while (batches.hasNext()) {
                try (CloseableIterator<Row> rows = batches.next().getRows()) {
                    while (rows.hasNext()) {
                        files.add(InternalScanFileUtils.getAddFileStatus(rows.next()));
                    }
                }
            }
        }
        return files;
    }

    private boolean rewrite(
            String operation, Snapshot latest, List<FileStatus> files, boolean dataChange, LongPredicate kept)
            throws IOException {
        List<JsonNode> actions = new ArrayList<>();
        actions.add(commitInfo(operation));
        List<Path> replaced = new ArrayList<>();
        for (FileStatus file : files) {
            String name = nameOf(file.getPath());
            replaced.add(table.resolve(name));
            actions.add(removed(name, file.getSize(), dataChange));
        }
        List<Path> written = new ArrayList<>();
        try (CloseableIterator<FilteredColumnarBatch> rows =
                        Utils.toCloseableIterator(files.iterator()).flatMap(file -> read(latest, file, kept));
                CloseableIterator<DataFileStatus> made =
                        engine.getParquetHandler().writeParquetFiles(table.toString(), rows, List.of())) {
            while (made.hasNext()) {
                DataFileStatus file = made.next();
                written.add(table.resolve(nameOf(file.getPath())));
                actions.add(added(file, dataChange));
            }
        }
        boolean won = commit(latest.getVersion(), actions);
        if (won) {
            unreferenced.addAll(replaced);
        } else {
            unreferenced.addAll(written);
        }
        return won;
    }

    private CloseableIterator<FilteredColumnarBatch> read(Snapshot snapshot, FileStatus file, LongPredicate kept) {
        try {
            return engine.getParquetHandler()
                    .readParquetFiles(Utils.singletonCloseableIterator(file), snapshot.getSchema(), Optional.empty())
                    .map(FileReadResult::getData)
                    .map(batch -> new FilteredColumnarBatch(batch, Optional.of(selection(batch, kept))));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static ColumnVector selection(ColumnarBatch batch, LongPredicate kept) {
        ColumnVector ids = batch.getColumnVector(batch.getSchema().indexOf("id"));
        boolean[] selected = new boolean[batch.getSize()];
        for (int row = 0; row < selected.length; row++) {
            selected[row] = kept.test(ids.getLong(row));
        }
        return new Selection(selected);
    }

    private boolean commit(long after, List<JsonNode> actions) throws IOException {
        List<String> lines = actions.stream().map(JsonNode::toString).toList();
        Path log = table.resolve("_delta_log");
        Path temporary = Files.write(log.resolve("." + UUID.randomUUID()), lines);
        try {
            long version = after + 1;
            while (!put(temporary, log.resolve("%020d.json".formatted(version)))) {
                if (!merelyAppends(version)) {
                    return false;
                }
                version++;
            }
            return true;
        } finally {
            Files.delete(temporary);
        }
    }

    private static boolean put(Path complete, Path version) throws IOException {
        try {
            Files.createLink(version, complete);
            return true;
        } catch (FileAlreadyExistsException lost) {
            return false;
        }
    }

    private boolean merelyAppends(long version) throws IOException {
        return DeltaReader.actions(table, version).stream()
                .noneMatch(action -> action.has("remove") || action.has("metaData") || action.has("protocol"));
    }

    private static JsonNode commitInfo(String operation) {
        ObjectNode action = JSON.createObjectNode();
        action.putObject("commitInfo")
                .put("timestamp", System.currentTimeMillis())
                .put("operation", operation)
                .put("engineInfo", "somebody else");
        return action;
    }

    private static JsonNode removed(String name, long size, boolean dataChange) {
        ObjectNode action = JSON.createObjectNode();
        action.putObject("remove")
                .put("path", name)
                .put("deletionTimestamp", System.currentTimeMillis())
                .put("dataChange", dataChange)
                .put("extendedFileMetadata", true)
                .put("size", size)
                .putObject("partitionValues");
        return action;
    }

    private static JsonNode added(DataFileStatus file, boolean dataChange) {
        long rows = file.getStatistics()
                .orElseThrow(() -> new IllegalStateException("no statistics of " + file.getPath()))
                .getNumRecords();
        ObjectNode action = JSON.createObjectNode();
        action.putObject("add")
                .put("path", nameOf(file.getPath()))
                .put("size", file.getSize())
                .put("modificationTime", file.getModificationTime())
                .put("dataChange", dataChange)
                .put("stats", "{\"numRecords\":" + rows + "}")
                .putObject("partitionValues");
        return action;
    }

    private static String nameOf(String path) {
        return Path.of(URI.create(path).getPath()).getFileName().toString();
    }

    /** Which rows of a batch are kept. */
    private static final class Selection implements ColumnVector {
        private final boolean[] selected;

        Selection(boolean[] selected) {
            this.selected = selected;
        }

        @Override
        public DataType getDataType() {
            return BooleanType.BOOLEAN;
        }

        @Override
        public int getSize() {
            return selected.length;
        }

        @Override
        public void close() {}

        @Override
        public boolean isNullAt(int row) {
            return false;
        }

        @Override
        public boolean getBoolean(int row) {
            return selected[row];
        }
    }
}

package io.tributary.delta;

import io.delta.kernel.Operation;
import io.delta.kernel.Scan;
import io.delta.kernel.Snapshot;
import io.delta.kernel.Transaction;
import io.delta.kernel.commit.CommitFailedException;
import io.delta.kernel.commit.CommitMetadata;
import io.delta.kernel.commit.CommitResponse;
import io.delta.kernel.commit.Committer;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.internal.data.DefaultColumnarBatch;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.SnapshotImpl;
import io.delta.kernel.internal.TableConfig;
import io.delta.kernel.internal.TransactionImpl;
import io.delta.kernel.internal.actions.AddFile;
import io.delta.kernel.internal.actions.CommitInfo;
import io.delta.kernel.internal.actions.Metadata;
import io.delta.kernel.internal.actions.Protocol;
import io.delta.kernel.internal.actions.SetTransaction;
import io.delta.kernel.internal.actions.SingleAction;
import io.delta.kernel.internal.commit.DefaultFileSystemManagedTableOnlyCommitter;
import io.delta.kernel.internal.data.GenericColumnVector;
import io.delta.kernel.internal.data.GenericRow;
import io.delta.kernel.internal.data.ScanStateRow;
import io.delta.kernel.internal.tablefeatures.TableFeatures;
import io.delta.kernel.internal.util.ColumnMapping;
import io.delta.kernel.internal.util.SchemaUtils;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.internal.util.VectorUtils;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import io.tributary.batch.StagedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The only class that reaches into Kernel's internals, as of 4.4.0: Kernel grows a schema with column mapping only, keeps
 * statistics in its own form, and writes no facts of ours into commits. Its test says what has to hold when Kernel moves.
 */
final class KernelInternals {

    static final String ENGINE_INFO = "Tributary";

    /** Keys of the committer properties, by which a transaction hands its facts to {@link FactsCommitter}. */
    static final String USER_METADATA = "userMetadata";

    private KernelInternals() {}

    /** Checks {@code delta.*} properties as a new table would; returns them with Kernel's spelling. */
    static Map<String, String> checkedProperties(Map<String, String> properties) {
        return TableConfig.validateAndNormalizeDeltaProperties(properties);
    }

    static String tableId(Snapshot snapshot) {
        return ((SnapshotImpl) snapshot).getMetadata().getId();
    }

    static OptionalLong lastTransaction(Engine engine, Snapshot snapshot, String appId) {
        return ((SnapshotImpl) snapshot)
                .getLatestTransactionVersion(engine, appId)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** The log file of the snapshot's own version. */
    static FileStatus versionFile(Snapshot snapshot) {
        return ((SnapshotImpl) snapshot).getLogSegment().getDeltaFileAtEndVersion();
    }

    /** Throws Kernel's own exception, which names the feature, if Kernel can't write to the table. */
    static void requireWritable(Snapshot snapshot) {
        SnapshotImpl table = (SnapshotImpl) snapshot;
        TableFeatures.validateKernelCanWriteToTable(table.getProtocol(), table.getMetadata(), table.getPath());
    }

    static <T> CloseableIterator<T> iterator(Iterable<T> elements) {
        return Utils.toCloseableIterator(elements.iterator());
    }

    static boolean mapsColumns(Snapshot snapshot) {
        return ColumnMapping.getColumnMappingMode(snapshot.getTableProperties())
                != ColumnMapping.ColumnMappingMode.NONE;
    }

    /**
     * A transaction that sets schema and properties with whatever it appends. The caller has made sure that the schema only
     * grows by nullable columns; features that new types need are added to the protocol.
     */
    static Transaction evolve(
            Snapshot snapshot,
            StructType schema,
            Map<String, String> properties,
            String appId,
            long batch,
            Committer committer,
            Clock clock) {
        SnapshotImpl table = (SnapshotImpl) snapshot;
        SchemaUtils.validateSchema(schema, false, false, false);
        Metadata metadata = table.getMetadata().withNewSchema(schema).withMergedConfiguration(properties);
        Optional<Protocol> protocol = TableFeatures.autoUpgradeProtocolBasedOnMetadata(
                        metadata, List.of(), table.getProtocol())
                .map(upgrade -> upgrade._1);
        TableFeatures.validateKernelCanWriteToTable(protocol.orElse(table.getProtocol()), metadata, table.getPath());
        return new TransactionImpl(
                false,
                table.getDataPath(),
                Optional.of(table),
                ENGINE_INFO,
                Operation.STREAMING_UPDATE,
                protocol,
                Optional.of(metadata),
                committer,
                Optional.of(new SetTransaction(appId, batch, Optional.of(clock.millis()))),
                Optional.empty(),
                Optional.empty(),
                0,
                clock::millis);
    }

    /** An add action with statistics as they are. */
    static Row addFile(StagedFile file) {
        StructType schema = AddFile.FULL_SCHEMA;
        Map<Integer, Object> values = new HashMap<>();
        values.put(schema.indexOf("path"), file.path());
        values.put(schema.indexOf("partitionValues"), VectorUtils.stringStringMapValue(Map.of()));
        values.put(schema.indexOf("size"), file.sizeBytes());
        values.put(schema.indexOf("modificationTime"), file.modifiedMillis());
        values.put(schema.indexOf("dataChange"), true);
        values.put(schema.indexOf("stats"), file.statistics());
        return SingleAction.createAddFileSingleAction(new GenericRow(schema, values));
    }

    /** Rows as Kernel's Parquet writer takes them; a column without a value is null. */
    static FilteredColumnarBatch batch(StructType schema, List<Map<String, @Nullable Object>> rows) {
        ColumnVector[] columns = new ColumnVector[schema.length()];
        for (int i = 0; i < columns.length; i++) {
            StructField field = schema.at(i);
            List<@Nullable Object> values = new ArrayList<>();
            rows.forEach(row -> values.add(row.get(field.getName())));
            columns[i] = new GenericColumnVector(values, field.getDataType());
        }
        return new FilteredColumnarBatch(new DefaultColumnarBatch(rows.size(), schema, columns), Optional.empty());
    }

    /** All rows of a small table of texts, longs and timestamps, by column. */
    static List<Map<String, @Nullable Object>> rows(Engine engine, Snapshot snapshot) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        Scan scan = snapshot.getScanBuilder().build();
        Row state = scan.getScanState(engine);
        try (CloseableIterator<FilteredColumnarBatch> batches = scan.getScanFiles(engine)) {
            while (batches.hasNext()) {
                try (CloseableIterator<Row> files = batches.next().getRows()) {
                    while (files.hasNext()) {
                        readFile(engine, state, files.next(), rows);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }

    private static void readFile(Engine engine, Row state, Row file, List<Map<String, @Nullable Object>> into)
            throws IOException {
        CloseableIterator<FileStatus> one =
                Utils.singletonCloseableIterator(InternalScanFileUtils.getAddFileStatus(file));
        StructType physical = ScanStateRow.getPhysicalDataReadSchema(state);
        try (CloseableIterator<FileReadResult> read =
                        engine.getParquetHandler().readParquetFiles(one, physical, Optional.empty());
                CloseableIterator<FilteredColumnarBatch> logical =
                        Scan.transformPhysicalData(engine, state, file, read.map(FileReadResult::getData))) {
            while (logical.hasNext()) {
                try (CloseableIterator<Row> rows = logical.next().getRows()) {
                    rows.forEachRemaining(row -> into.add(valuesOf(row)));
                }
            }
        }
    }

    private static Map<String, @Nullable Object> valuesOf(Row row) {
        Map<String, @Nullable Object> values = new HashMap<>();
        for (int i = 0; i < row.getSchema().length(); i++) {
            StructField field = row.getSchema().at(i);
            if (row.isNullAt(i)) {
                values.put(field.getName(), null);
            } else if (field.getDataType() instanceof StringType) {
                values.put(field.getName(), row.getString(i));
            } else if (field.getDataType() instanceof LongType || field.getDataType() instanceof TimestampType) {
                values.put(field.getName(), row.getLong(i));
            }
        }
        return values;
    }

    /**
     * Writes commits as Kernel does, but for what they say about themselves: a blind append, with metrics, parameters and
     * user metadata. A failing storage is not asked again at once: the pipeline waits before it does.
     */
    static final class FactsCommitter extends DefaultFileSystemManagedTableOnlyCommitter {

        static final FactsCommitter INSTANCE = new FactsCommitter();

        private static final StructType INFO = new StructType(CommitInfo.FULL_SCHEMA.fields())
                .add(new StructField(USER_METADATA, StringType.STRING, true));

        private FactsCommitter() {}

        @Override
        public CommitResponse commit(Engine engine, CloseableIterator<Row> actions, CommitMetadata metadata)
                throws CommitFailedException {
            Map<String, String> facts = metadata.getCommitterProperties().get();
            try {
                return super.commit(engine, facts.isEmpty() ? actions : withFacts(actions, metadata, facts), metadata);
            } catch (CommitFailedException e) {
                throw e.isConflict() ? e : new CommitFailedException(false, false, e.getMessage(), e.getCause());
            }
        }

        private static CloseableIterator<Row> withFacts(
                CloseableIterator<Row> actions, CommitMetadata metadata, Map<String, String> facts) {
            return actions.map(action -> action.isNullAt(SingleAction.COMMIT_INFO_ORDINAL)
                    ? action
                    : commitInfo(metadata.getCommitInfo(), facts));
        }

        private static Row commitInfo(CommitInfo kernels, Map<String, String> facts) {
            Row plain = kernels.toRow();
            Map<Integer, Object> values = new HashMap<>();
            plain.getSchema().fields().forEach(field -> {
                int ordinal = plain.getSchema().indexOf(field.getName());
                if (!plain.isNullAt(ordinal)) {
                    switch (field.getName()) {
                        case "inCommitTimestamp", "timestamp" -> values.put(ordinal, plain.getLong(ordinal));
                        case "engineInfo", "operation", "txnId" -> values.put(ordinal, plain.getString(ordinal));
                        default -> {
                            // replaced below
                        }
                    }
                }
            });
            Map<String, String> parameters = new HashMap<>();
            Map<String, String> metrics = new HashMap<>();
            facts.forEach((key, value) -> {
                if (key.startsWith("num")) {
                    metrics.put(key, value);
                } else if (!key.equals(USER_METADATA)) {
                    parameters.put(key, value);
                }
            });
            values.put(INFO.indexOf("operationParameters"), VectorUtils.stringStringMapValue(parameters));
            values.put(INFO.indexOf("isBlindAppend"), true);
            values.put(INFO.indexOf("operationMetrics"), VectorUtils.stringStringMapValue(metrics));
            values.put(INFO.indexOf(USER_METADATA), facts.get(USER_METADATA));
            StructType action = new StructType(List.of(new StructField("commitInfo", INFO, true)));
            return new GenericRow(action, Map.of(0, new GenericRow(INFO, values)));
        }
    }
}

package io.tributary.delta;

import io.delta.kernel.DataWriteContext;
import io.delta.kernel.Operation;
import io.delta.kernel.Snapshot;
import io.delta.kernel.TableManager;
import io.delta.kernel.Transaction;
import io.delta.kernel.TransactionCommitResult;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.exceptions.KernelException;
import io.delta.kernel.exceptions.TableAlreadyExistsException;
import io.delta.kernel.exceptions.TableNotFoundException;
import io.delta.kernel.transaction.UpdateTableTransactionBuilder;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterable;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.DataFileStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A Delta table that the bridge keeps about itself in {@code _tributary/<source>}: few rows, which people and tools read.
 * Made when its first rows come. Kernel's own Parquet path is good enough here: every column is nullable, and nobody waits
 * for it. Thread-safe.
 */
final class ControlTable {

    private static final Logger LOG = Logger.getLogger(ControlTable.class);
    private static final int MAX_ATTEMPTS = 20;

    private final LakeEngine engine;
    private final LogUpkeep upkeep;
    private final String source;
    private final String name;
    private final String path;
    private final StructType schema;

    ControlTable(
            LakeStorage storage, LakeEngine engine, LogUpkeep upkeep, String source, String name, StructType schema) {
        this.engine = engine;
        this.upkeep = upkeep;
        this.source = source;
        this.name = name;
        this.path = storage.resolve("_tributary/" + source + "/" + name);
        this.schema = schema;
    }

    /**
     * Adds the rows of an event in one commit, once however often this is called and by whom. The event is an application
     * id of its own in Delta's transaction ids: numbers under a shared one would have to rise, and those of a journal that
     * came back from an older copy don't.
     *
     * @param rows values by column, in the forms of {@link io.tributary.event.ColumnType}
     * @return whether this call added them
     */
    boolean append(String event, List<Map<String, @Nullable Object>> rows) throws IOException {
        String appId = "tributary/" + source + "/" + name + "/" + event;
        RuntimeException lostRace = null;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            try {
                Snapshot latest = latest().orElse(null);
                if (latest == null) {
                    make();
                    continue;
                }
                requireOurs(latest);
                OptionalLong last = call(() -> KernelInternals.lastTransaction(engine, latest, appId));
                if (last.isPresent()) {
                    return false;
                }
                settle(call(() -> write(latest, appId, rows)));
                return true;
            } catch (RuntimeException race) {
                if (!KernelCall.isLostRace(race) && !(race instanceof TableAlreadyExistsException)) {
                    throw race;
                }
                LOG.debugf(race, "%s of %s lost a race", event, path);
                lostRace = race;
            }
        }
        throw new IOException(
                event + " can't be written to " + path + ": other writers were faster " + MAX_ATTEMPTS + " times",
                lostRace);
    }

    /** All rows of the latest version; none if the table was never needed. */
    List<Map<String, @Nullable Object>> rows() throws IOException {
        Optional<Snapshot> latest = latest();
        if (latest.isEmpty()) {
            return List.of();
        }
        requireOurs(latest.get());
        return call(() -> KernelInternals.rows(engine, latest.get()));
    }

    private Optional<Snapshot> latest() throws IOException {
        return call(() -> {
            try {
                return Optional.of(TableManager.loadSnapshot(path)
                        .withCommitter(KernelInternals.FactsCommitter.INSTANCE)
                        .build(engine));
            } catch (TableNotFoundException e) {
                return Optional.empty();
            }
        });
    }

    private void make() throws IOException {
        settle(call(() -> TableManager.buildCreateTableTransaction(path, schema, KernelInternals.ENGINE_INFO)
                .withTableProperties(TableProperties.forControl(source))
                .withCommitter(KernelInternals.FactsCommitter.INSTANCE)
                .build(engine)
                .commit(engine, CloseableIterable.emptyIterable())));
    }

    private TransactionCommitResult write(Snapshot latest, String appId, List<Map<String, @Nullable Object>> rows) {
        UpdateTableTransactionBuilder update =
                latest.buildUpdateTableTransaction(KernelInternals.ENGINE_INFO, Operation.WRITE);
        Transaction transaction = update.withTransactionId(appId, 0).build(engine);
        Row state = transaction.getTransactionState(engine);
        DataWriteContext context = Transaction.getWriteContext(engine, state, Map.of());
        // by the table's own columns: somebody may have added one
        FilteredColumnarBatch batch = KernelInternals.batch(latest.getSchema(), rows);
        try (CloseableIterator<FilteredColumnarBatch> data = Transaction.transformLogicalData(
                        engine, state, KernelInternals.iterator(List.of(batch)), Map.of());
                CloseableIterator<DataFileStatus> files = engine.getParquetHandler()
                        .writeParquetFiles(context.getTargetDirectory(), data, context.getStatisticsColumns())) {
            CloseableIterator<Row> adds = Transaction.generateAppendActions(engine, state, files, context);
            return transaction.commit(engine, CloseableIterable.inMemoryIterable(adds));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void settle(TransactionCommitResult result) {
        upkeep.after(path, result.getVersion(), result.getPostCommitHooks(), LogUpkeep.Progress.UNHEARD);
    }

    private void requireOurs(Snapshot latest) throws IOException {
        FormatVersion.requireKnown("control table " + path, latest.getTableProperties());
        Optional<String> foreign = TableProperties.foreignControl(latest.getTableProperties(), source);
        if (foreign.isPresent()) {
            throw unusable(foreign.get(), null);
        }
        call(() -> {
            KernelInternals.requireWritable(latest);
            return true;
        });
    }

    private <T> T call(Supplier<T> kernel) throws IOException {
        return KernelCall.run(path, kernel, (KernelException e) -> unusable(String.valueOf(e.getMessage()), e));
    }

    private LakeConfigurationException unusable(String why, @Nullable KernelException cause) {
        String message = "control table " + path + " can't be used: " + why;
        return cause == null ? new LakeConfigurationException(message) : new LakeConfigurationException(message, cause);
    }
}

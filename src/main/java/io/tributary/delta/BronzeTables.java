package io.tributary.delta;

import io.delta.kernel.Snapshot;
import io.delta.kernel.TableManager;
import io.delta.kernel.Transaction;
import io.delta.kernel.TransactionCommitResult;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.exceptions.ConcurrentWriteException;
import io.delta.kernel.exceptions.TableAlreadyExistsException;
import io.delta.kernel.exceptions.TableNotFoundException;
import io.delta.kernel.utils.CloseableIterable;
import io.delta.kernel.utils.FileStatus;
import io.tributary.event.TableId;
import io.tributary.evolution.TableLayout;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one source in Delta's words: their latest snapshots, kept from commit to commit as long as nobody else
 * writes, and what Kernel's failures mean. Thread-safe.
 */
final class BronzeTables {

    private static final Logger LOG = Logger.getLogger(BronzeTables.class);

    private final LakeStorage storage;
    private final Engine engine;
    private final TablePaths paths;
    private final TableProperties properties;
    private final String source;
    private final LogUpkeep upkeep;
    private final Map<TableId, Snapshot> known = new ConcurrentHashMap<>();
    private final Map<TableId, LastBatch> lastBatches = new ConcurrentHashMap<>();

    /** The newest batch that a snapshot has: read once, since Kernel goes through the log for it each time. */
    private record LastBatch(Snapshot of, OptionalLong batch) {}

    BronzeTables(
            LakeStorage storage,
            Engine engine,
            TablePaths paths,
            TableProperties properties,
            String source,
            LogUpkeep upkeep) {
        this.storage = storage;
        this.engine = engine;
        this.paths = paths;
        this.properties = properties;
        this.source = source;
        this.upkeep = upkeep;
    }

    /** The application id of this source in Delta's transaction ids. */
    String appId() {
        return "tributary/" + source;
    }

    Engine engine() {
        return engine;
    }

    Optional<BronzeTable> load(TableId table) throws IOException, TableBlockedException {
        Optional<Snapshot> latest = find(table);
        return latest.isEmpty() ? Optional.empty() : Optional.of(describe(table, latest.get()));
    }

    BronzeTable create(TableLayout layout, TableOwner owner) throws IOException, TableBlockedException {
        TableId table = layout.table();
        Optional<BronzeTable> existing = load(table);
        if (existing.isPresent()) {
            return adopted(existing.get(), owner);
        }
        try {
            TransactionCommitResult result = call(table, -1, () -> {
                Transaction creation = TableManager.buildCreateTableTransaction(
                                fullPath(table), BronzeSchema.of(layout), KernelInternals.ENGINE_INFO)
                        .withTableProperties(properties.forNew(layout, owner))
                        .withCommitter(KernelInternals.FactsCommitter.INSTANCE)
                        .build(engine);
                return creation.commit(engine, CloseableIterable.emptyIterable());
            });
            committed(table, result, OptionalLong.empty());
        } catch (TableAlreadyExistsException | ConcurrentWriteException e) {
            LOG.debugf(e, "%s was made by someone else meanwhile", table);
            forget(table);
        }
        BronzeTable made =
                load(table).orElseThrow(() -> blocked(table, -1, "it vanished right after it was made", null));
        return adopted(made, owner);
    }

    private BronzeTable adopted(BronzeTable existing, TableOwner owner) throws TableBlockedException {
        if (!existing.owner().equals(owner)) {
            throw blocked(
                    existing.table(),
                    existing.version(),
                    "it belongs to " + existing.owner() + " and this is " + owner
                            + ". If the database was moved on purpose, take it under another tributary.source.name",
                    null);
        }
        return existing;
    }

    /** The latest version of a table that exists and is ours. */
    Snapshot require(TableId table) throws IOException, TableBlockedException {
        Snapshot latest = find(table).orElseThrow(() -> blocked(table, -1, "it is gone", null));
        requireBronze(table, latest);
        return latest;
    }

    /** The newest batch of this source that a version has. */
    OptionalLong lastBatch(TableId table, Snapshot snapshot) throws IOException, TableBlockedException {
        LastBatch read = lastBatches.get(table);
        if (read != null && read.of().equals(snapshot)) {
            return read.batch();
        }
        OptionalLong batch =
                read(table, snapshot.getVersion(), () -> KernelInternals.lastTransaction(engine, snapshot, appId()));
        lastBatches.put(table, new LastBatch(snapshot, batch));
        return batch;
    }

    /** Keeps the snapshot after a commit, or forgets the one before, and has the log looked after. */
    void committed(TableId table, TransactionCommitResult result, OptionalLong lastBatch) {
        Optional<Snapshot> next = result.getPostCommitSnapshot();
        if (next.isPresent()) {
            lastBatches.put(table, new LastBatch(next.get(), lastBatch));
            known.put(table, next.get());
        } else {
            known.remove(table);
        }
        upkeep.after(fullPath(table), result.getVersion(), result.getPostCommitHooks(), new LogUpkeep.Progress() {
            @Override
            public void checkpointed() {
                // the kept snapshot would drag along every version since it was loaded
                forget(table);
            }

            @Override
            public void counted(long version) {
                // of no use to a later one
                known.computeIfPresent(table, (t, kept) -> kept.getVersion() == version ? null : kept);
            }
        });
    }

    void forget(TableId table) {
        known.remove(table);
    }

    private BronzeTable describe(TableId table, Snapshot snapshot) throws IOException, TableBlockedException {
        requireBronze(table, snapshot);
        Map<String, String> facts = snapshot.getTableProperties();
        return new BronzeTable(
                table,
                paths.of(table),
                KernelInternals.tableId(snapshot),
                snapshot.getVersion(),
                BronzeSchema.layout(table, TableProperties.layoutVersion(facts), snapshot.getSchema()),
                lastBatch(table, snapshot),
                TableProperties.owner(facts));
    }

    private void requireBronze(TableId table, Snapshot snapshot) throws IOException, TableBlockedException {
        long version = snapshot.getVersion();
        FormatVersion.requireKnown(
                "bronze table " + table + " (" + fullPath(table) + ")", snapshot.getTableProperties());
        Optional<String> foreign = TableProperties.foreign(snapshot.getTableProperties(), table, source);
        if (foreign.isPresent()) {
            throw blocked(table, version, foreign.get(), null);
        }
        call(table, version, () -> {
            KernelInternals.requireWritable(snapshot);
            return true;
        });
        if (KernelInternals.mapsColumns(snapshot)) {
            throw blocked(table, version, "its feature columnMapping is in use, which Tributary doesn't write", null);
        }
        Optional<String> lost =
                BronzeSchema.lost(snapshot.getSchema(), TableProperties.layoutColumns(snapshot.getTableProperties()));
        if (lost.isPresent()) {
            throw blocked(table, version, lost.get(), null);
        }
        if (!snapshot.getPartitionColumnNames().isEmpty()) {
            throw blocked(
                    table,
                    version,
                    "it is partitioned by " + snapshot.getPartitionColumnNames() + ", which Tributary doesn't write",
                    null);
        }
    }

    /** The latest version of what stands at the table's place, whatever it is. */
    Optional<Snapshot> find(TableId table) throws IOException, TableBlockedException {
        Snapshot kept = known.get(table);
        if (kept != null && isLatest(table, kept)) {
            return Optional.of(kept);
        }
        known.remove(table);
        Optional<Snapshot> loaded = read(table, -1, () -> {
            try {
                return Optional.of(TableManager.loadSnapshot(fullPath(table))
                        .withCommitter(KernelInternals.FactsCommitter.INSTANCE)
                        .build(engine));
            } catch (TableNotFoundException e) {
                return Optional.empty();
            }
        });
        loaded.ifPresent(snapshot -> known.put(table, snapshot));
        return loaded;
    }

    /** No version after it, and its own log file untouched: the table was neither written nor replaced meanwhile. */
    private boolean isLatest(TableId table, Snapshot kept) throws IOException {
        FileStatus then = KernelInternals.versionFile(kept);
        Optional<FileStatus> now = storage.status(logFile(table, kept.getVersion()));
        return now.isPresent()
                && now.get().getSize() == then.getSize()
                && now.get().getModificationTime() == then.getModificationTime()
                && storage.status(logFile(table, kept.getVersion() + 1)).isEmpty();
    }

    String fullPath(TableId table) {
        return storage.resolve(paths.of(table));
    }

    String logFile(TableId table, long version) {
        return "%s/_delta_log/%020d.json".formatted(fullPath(table), version);
    }

    TableBlockedException blocked(TableId table, long version, String why, @Nullable Throwable cause) {
        return new TableBlockedException(table, fullPath(table), version, why, cause);
    }

    /** Reads a log with Kernel, which has no exception of its own for one whose files don't fit together. */
    private <T> T read(TableId table, long version, Supplier<T> kernel) throws IOException, TableBlockedException {
        try {
            return call(table, version, kernel);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw blocked(table, version, "its log is damaged: " + e.getMessage() + ". Restore its folder whole", e);
        }
    }

    /** Runs what Kernel does; a table that it can't use is blocked. Lost races come as Kernel says them. */
    <T> T call(TableId table, long version, Supplier<T> kernel) throws IOException, TableBlockedException {
        return KernelCall.run(fullPath(table), kernel, e -> blocked(table, version, String.valueOf(e.getMessage()), e));
    }
}

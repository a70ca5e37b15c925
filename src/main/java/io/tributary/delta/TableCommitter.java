package io.tributary.delta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.delta.kernel.Operation;
import io.delta.kernel.Snapshot;
import io.delta.kernel.Transaction;
import io.delta.kernel.TransactionCommitResult;
import io.delta.kernel.data.Row;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterable;
import io.delta.kernel.utils.FileStatus;
import io.tributary.batch.StagedFile;
import io.tributary.event.TableId;
import io.tributary.evolution.TableLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logging.Logger;

/** Puts a batch's part into its table exactly once (protocol 4), whoever else writes to the table. Thread-safe. */
final class TableCommitter {

    private static final Logger LOG = Logger.getLogger(TableCommitter.class);

    /** Races lost to others that change the table itself; Kernel settles those with plain appends alone. */
    private static final int MAX_ATTEMPTS = 20;

    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 500;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final BronzeTables tables;
    private final TableAudit audit;
    private final LakeStorage storage;
    private final String source;
    private final Clock clock;

    TableCommitter(BronzeTables tables, TableAudit audit, LakeStorage storage, String source, Clock clock) {
        this.tables = tables;
        this.audit = audit;
        this.storage = storage;
        this.source = source;
        this.clock = clock;
    }

    /**
     * Throws if the table isn't as the journal left it: what brings it back may take the staged files away. One that is
     * itself and takes nothing isn't looked at.
     */
    void requireAsLeft(TableCommit commit) throws IOException, TableBlockedException {
        TableId table = commit.table();
        Snapshot latest = tables.find(table).orElseThrow(() -> tables.blocked(table, -1, "it is gone", null));
        if (KernelInternals.tableId(latest).equals(commit.deltaId()) && !isUsable(table)) {
            return;
        }
        audit.requireNewNumbers(table, latest);
        audit.requireAsLeft(table, latest);
        requireSameTable(commit, latest);
    }

    private boolean isUsable(TableId table) throws IOException {
        try {
            tables.require(table);
            return true;
        } catch (TableBlockedException e) {
            LOG.debugf(e, "%s takes nothing; the other tables of the batch get theirs", table);
            return false;
        }
    }

    /** Whether the table's latest version can take the commit; throws if it can't. */
    void verify(TableCommit commit) throws IOException, TableBlockedException {
        audit.requireAsLeft(commit.table(), verified(commit));
    }

    /** The same for rows that stand for what the table misses. */
    void verifyAgain(TableCommit commit) throws IOException, TableBlockedException {
        verified(commit);
    }

    private Snapshot verified(TableCommit commit) throws IOException, TableBlockedException {
        Snapshot latest = tables.require(commit.table());
        requireFit(commit, latest);
        audit.requireNewNumbers(commit.table(), latest);
        return latest;
    }

    CommitOutcome commit(long batch, TableCommit commit, CommitFacts facts) throws IOException, TableBlockedException {
        TableId table = commit.table();
        RuntimeException lostRace = null;
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            if (attempt > 0) {
                pauseAfter(attempt);
            }
            Snapshot latest = tables.require(table);
            OptionalLong last = tables.lastBatch(table, latest);
            if (last.isPresent() && last.getAsLong() >= batch) {
                requireSameTable(commit, latest);
                return new CommitOutcome.AlreadyCommitted(versionOf(batch, table, latest));
            }
            requireFit(commit, latest);
            audit.requireFollows(batch, commit, latest.getVersion(), last);
            requireFiles(commit, latest);
            try {
                return write(batch, commit, facts, latest);
            } catch (RuntimeException race) {
                if (!KernelCall.isLostRace(race)) {
                    throw race;
                }
                LOG.debugf(
                        race, "Batch %s of %s lost a race at version %s", (Object) batch, table, latest.getVersion());
                tables.forget(table);
                lostRace = race;
            } catch (IOException e) {
                // it may be there nevertheless: the next call finds out
                tables.forget(table);
                throw e;
            }
        }
        throw new IOException(
                "batch " + batch + " of " + table + " lost " + MAX_ATTEMPTS
                        + " races against other writers of the table; it is tried again",
                lostRace);
    }

    /** Longer each time, and never twice the same: others lose races against us, too. */
    private static void pauseAfter(int attempt) throws InterruptedIOException {
        long longest = Math.min(FIRST_PAUSE_MILLIS << attempt, LONGEST_PAUSE_MILLIS);
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(longest / 2, longest));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted between two tries of a commit");
        }
    }

    private CommitOutcome write(long batch, TableCommit commit, CommitFacts facts, Snapshot latest)
            throws IOException, TableBlockedException {
        TableId table = commit.table();
        TransactionCommitResult result = tables.call(table, latest.getVersion(), () -> {
            Transaction transaction = transaction(batch, commit.layout(), latest);
            transaction.withCommitterProperties(() -> describe(batch, commit, facts));
            List<Row> adds =
                    commit.files().stream().map(KernelInternals::addFile).toList();
            return transaction.commit(
                    tables.engine(), CloseableIterable.inMemoryIterable(KernelInternals.iterator(adds)));
        });
        tables.committed(table, result, OptionalLong.of(batch));
        LOG.infof(
                "Committed batch %d to %s: version %d, %d rows, up to %s",
                batch, table, result.getVersion(), commit.rows(), facts.position());
        return new CommitOutcome.Committed(result.getVersion());
    }

    private Transaction transaction(long batch, TableLayout layout, Snapshot latest) {
        StructType grown = BronzeSchema.grown(latest.getSchema(), layout);
        boolean newer = layout.version() > TableProperties.layoutVersion(latest.getTableProperties());
        if (newer || !grown.equals(latest.getSchema())) {
            return KernelInternals.evolve(
                    latest,
                    grown,
                    TableProperties.forGrown(layout),
                    tables.appId(),
                    batch,
                    KernelInternals.FactsCommitter.INSTANCE,
                    clock);
        }
        return latest.buildUpdateTableTransaction(KernelInternals.ENGINE_INFO, Operation.STREAMING_UPDATE)
                .withTransactionId(tables.appId(), batch)
                .build(tables.engine());
    }

    private Map<String, String> describe(long batch, TableCommit commit, CommitFacts facts) {
        String metadata = JSON.createObjectNode()
                .put("source", source)
                .put("batch", batch)
                .put("position", facts.position())
                .put("lastSequence", facts.lastSequence())
                .toString();
        long bytes = commit.files().stream().mapToLong(StagedFile::sizeBytes).sum();
        return Map.of(
                "outputMode",
                "Append",
                "queryId",
                tables.appId(),
                "epochId",
                Long.toString(batch),
                "numAddedFiles",
                Integer.toString(commit.files().size()),
                "numRemovedFiles",
                "0",
                "numOutputRows",
                Long.toString(commit.rows()),
                "numOutputBytes",
                Long.toString(bytes),
                KernelInternals.USER_METADATA,
                metadata);
    }

    private void requireSameTable(TableCommit commit, Snapshot latest) throws TableBlockedException {
        String id = KernelInternals.tableId(latest);
        if (!id.equals(commit.deltaId())) {
            throw tables.blocked(
                    commit.table(),
                    latest.getVersion(),
                    "it was replaced: its Delta id is " + id + " and the batch was meant for " + commit.deltaId(),
                    null);
        }
    }

    private void requireFit(TableCommit commit, Snapshot latest) throws TableBlockedException {
        requireSameTable(commit, latest);
        Optional<String> conflict = BronzeSchema.conflict(
                latest.getSchema(), commit.layout(), TableProperties.layoutColumns(latest.getTableProperties()));
        if (conflict.isPresent()) {
            throw tables.blocked(commit.table(), latest.getVersion(), conflict.get(), null);
        }
    }

    private void requireFiles(TableCommit commit, Snapshot latest) throws IOException, TableBlockedException {
        for (StagedFile file : commit.files()) {
            Optional<FileStatus> status = storage.status(tables.fullPath(commit.table()) + "/" + file.path());
            if (status.isEmpty() || status.get().getSize() != file.sizeBytes()) {
                throw tables.blocked(
                        commit.table(),
                        latest.getVersion(),
                        "the staged file " + file.path() + " of " + file.sizeBytes() + " bytes is "
                                + (status.isEmpty() ? "gone" : "changed"),
                        null);
            }
        }
    }

    /** The first version that has the batch or a later one, as far back as the log goes. */
    private long versionOf(long batch, TableId table, Snapshot latest) throws IOException {
        long found = latest.getVersion();
        for (long version = latest.getVersion(); version >= 0; version--) {
            Optional<String> log = storage.read(tables.logFile(table, version));
            if (log.isEmpty()) {
                return found;
            }
            OptionalLong transaction = transactionOf(log.get());
            if (transaction.isPresent()) {
                if (transaction.getAsLong() < batch) {
                    return found;
                }
                found = version;
            }
        }
        return found;
    }

    private OptionalLong transactionOf(String log) throws JsonProcessingException {
        for (String action : log.lines().toList()) {
            if (action.startsWith("{\"txn\"")) {
                JsonNode transaction = JSON.readTree(action).get("txn");
                if (tables.appId().equals(transaction.path("appId").textValue())) {
                    return OptionalLong.of(transaction.path("version").longValue());
                }
            }
        }
        return OptionalLong.empty();
    }
}

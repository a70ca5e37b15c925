package io.tributary.pipeline;

import io.tributary.batch.FilledBatch;
import io.tributary.batch.FilledTable;
import io.tributary.batch.RowWriter;
import io.tributary.batch.StagedFile;
import io.tributary.delta.CommitOutcome;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableBlockedException;
import io.tributary.delta.TableCommit;
import io.tributary.delta.TableProgress;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.lag.LagTracker;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Commits one batch after the other while the next one fills: finish the files, intent, every table, done mark. Also
 * gives the sign of life. One thread; after the first failure it takes nothing more, and recovery decides.
 */
final class BatchCommitter implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(BatchCommitter.class);

    private static final long RETAINED_OBJECTS = 1000;

    private final DeltaLake lake;
    private final JournalHead head;
    private final TableCommits tableCommits;
    private final LagTracker lag;
    private final Clock clock;
    private final Runnable working;
    private final ScheduledExecutorService thread;
    private final Semaphore free = new Semaphore(1);
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private volatile @Nullable SourcePosition durable;
    private volatile @Nullable SourcePosition idleAt;

    BatchCommitter(
            DeltaLake lake,
            JournalHead head,
            TableCommits tableCommits,
            LagTracker lag,
            Clock clock,
            Duration signOfLife,
            Runnable working) {
        this.lake = Objects.requireNonNull(lake);
        this.head = Objects.requireNonNull(head);
        this.tableCommits = Objects.requireNonNull(tableCommits);
        this.lag = Objects.requireNonNull(lag);
        this.clock = Objects.requireNonNull(clock);
        this.working = Objects.requireNonNull(working);
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, "tributary-committer");
            created.setDaemon(true);
            return created;
        });
        this.durable = head.position().orElse(null);
        long period = signOfLife.toMillis();
        Future<?> unused = thread.scheduleWithFixedDelay(this::signOfLife, period, period, TimeUnit.MILLISECONDS);
    }

    /** Completes, always exceptionally, when a commit failed. */
    CompletableFuture<Void> failure() {
        return failure;
    }

    /** Whether a batch would be taken without waiting. */
    boolean idle() {
        return free.availablePermits() > 0;
    }

    /** The newest position that is durable: safe to acknowledge. */
    Optional<SourcePosition> durable() {
        return Optional.ofNullable(durable);
    }

    /** Everything up to this position holds nothing that is captured; the next sign of life stores it. */
    void nothingPendingUpTo(SourcePosition position) {
        idleAt = position;
    }

    /**
     * Hands a batch over, after waiting for the one before.
     *
     * @param marks progress that becomes true with this batch
     * @return completes with the journal number
     */
    CompletableFuture<Long> submit(FilledBatch batch, Map<TableId, TableProgress> marks) throws InterruptedException {
        while (!free.tryAcquire(100, TimeUnit.MILLISECONDS)) {
            failIfBroken(batch);
        }
        failIfBroken(batch);
        CompletableFuture<Long> done = new CompletableFuture<>();
        thread.execute(() -> {
            try (batch) {
                done.complete(commit(batch, marks));
            } catch (Throwable e) {
                fail(e);
                done.completeExceptionally(e);
            } finally {
                free.release();
            }
        });
        return done;
    }

    /** Ends the thread; a commit under way may go on until it notices. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("The committer is still busy with the storage after 10 s; its journal object decides");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long commit(FilledBatch batch, Map<TableId, TableProgress> marks)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        long started = clock.millis();
        List<TableCommit> commits = stage(batch, marks);
        for (TableCommit commit : commits) {
            lake.requireAsLeft(commit);
        }
        JournalEntry intent = head.intent(batch.position(), batch.lastSequence(), commits, marks);
        Map<TableId, CommitOutcome> outcomes = tableCommits.commitAll(intent, commits);
        head.done(intent);
        durable = batch.position();
        working.run();
        report(batch, intent, outcomes, Duration.ofMillis(clock.millis() - started));
        lag.snapshotsDone(marks.keySet());
        return intent.number();
    }

    private List<TableCommit> stage(FilledBatch batch, Map<TableId, TableProgress> marks) throws IOException {
        List<TableCommit> commits = new ArrayList<>();
        for (FilledTable table : batch.tables()) {
            List<StagedFile> files = new ArrayList<>();
            for (RowWriter writer : table.writers()) {
                files.addAll(writer.finish());
            }
            TableId id = table.layout().table();
            TableProgress progress = marks.getOrDefault(id, head.tables().get(id));
            if (progress == null) {
                throw new IllegalStateException("rows of " + id + ", which the journal doesn't know");
            }
            commits.add(new TableCommit(id, progress.path(), progress.deltaId(), table.layout(), table.rows(), files));
        }
        return commits;
    }

    private void report(FilledBatch batch, JournalEntry intent, Map<TableId, CommitOutcome> outcomes, Duration took) {
        Map<TableId, io.tributary.lag.TableCommit> committed = new LinkedHashMap<>();
        for (FilledTable table : batch.tables()) {
            TableId id = table.layout().table();
            CommitOutcome outcome = Objects.requireNonNull(outcomes.get(id));
            table.drift()
                    .forEach(drift -> LOG.warnf(
                            "Schema of %s changed: %s %s: %s -> %s: %s",
                            id, drift.kind(), drift.column(), drift.before(), drift.after(), drift.decision()));
            committed.put(
                    id,
                    new io.tributary.lag.TableCommit(
                            table.rows(),
                            bytes(intent, id),
                            outcome.version(),
                            Math.max(0, table.newestSourceTimeMicros())));
        }
        lag.committed(intent.number(), batch.position(), committed, took);
    }

    private static long bytes(JournalEntry intent, TableId table) {
        return intent.commits().stream()
                .filter(commit -> commit.table().equals(table))
                .flatMap(commit -> commit.files().stream())
                .mapToLong(StagedFile::sizeBytes)
                .sum();
    }

    private void signOfLife() {
        if (failure.isDone()) {
            return;
        }
        try {
            SourcePosition stored = head.position().orElse(null);
            SourcePosition idle = idleAt;
            SourcePosition next = idle != null && (stored == null || idle.isAfter(stored)) ? idle : stored;
            if (next == null) {
                return;
            }
            JournalEntry entry = head.alive(next);
            durable = next;
            if (next.equals(stored)) {
                lag.lakeSeen();
            } else {
                working.run();
                lag.committed(entry.number(), next, Map.of(), Duration.ZERO);
            }
            lake.journal().prune(entry.number() - RETAINED_OBJECTS);
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void fail(Throwable cause) {
        failure.completeExceptionally(cause);
    }

    private void failIfBroken(FilledBatch batch) {
        if (failure.isDone() || thread.isShutdown()) {
            batch.close();
            throw new IllegalStateException("the committer has failed and takes no more batches");
        }
    }
}

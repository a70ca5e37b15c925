package io.tributary.pipeline;

import io.tributary.batch.BatchAccumulator;
import io.tributary.batch.BatchBounds;
import io.tributary.batch.FilledBatch;
import io.tributary.batch.RowWriters;
import io.tributary.delta.TableProgress;
import io.tributary.event.ChangeEvent;
import io.tributary.event.EventOrigin;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import io.tributary.evolution.TableLayout;
import io.tributary.lag.LagTracker;
import io.tributary.source.CaptureListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot run feeds: each table becomes visible whole, in one commit, when its last row was read. A table that
 * has rows of an earlier generation begins with a truncate row, so that folding always equals the source. Called on the
 * engine's thread only, except for {@link #end()}.
 */
final class SnapshotListener implements CaptureListener {

    /** What is read: the table as it stands in the catalog, in the lake, and in the journal. */
    record Target(TableSchema schema, TableLayout layout, TableProgress progress, boolean hasRows) {}

    private final Map<TableId, Target> targets;
    private final BatchBounds bounds;
    private final RowWriters writers;
    private final Clock clock;
    private final JournalHead head;
    private final BatchCommitter committer;
    private final LagTracker lag;
    private final Supplier<SnapshotPoint> snapshotPoint;
    private final SnapshotProgress progress;
    private volatile CompletableFuture<Long> lastCommit = CompletableFuture.completedFuture(0L);
    private volatile boolean ended;
    private @Nullable TableId current;
    private @Nullable BatchAccumulator accumulator;
    private long lastSequence;

    SnapshotListener(
            Map<TableId, Target> targets,
            BatchBounds bounds,
            RowWriters writers,
            Clock clock,
            JournalHead head,
            BatchCommitter committer,
            LagTracker lag,
            Supplier<SnapshotPoint> snapshotPoint,
            SnapshotProgress progress) {
        this.targets = new HashMap<>(targets);
        this.bounds = Objects.requireNonNull(bounds);
        this.writers = Objects.requireNonNull(writers);
        this.clock = Objects.requireNonNull(clock);
        this.head = Objects.requireNonNull(head);
        this.committer = Objects.requireNonNull(committer);
        this.lag = Objects.requireNonNull(lag);
        this.snapshotPoint = Objects.requireNonNull(snapshotPoint);
        this.progress = Objects.requireNonNull(progress);
        this.lastSequence = head.newest().lastSequence();
    }

    @Override
    public void event(ChangeEvent event) {
        requireOpen();
        try {
            accumulatorOf(event.table(), event.origin().position()).add(event);
        } catch (IOException e) {
            throw new UncheckedIOException("staging rows of " + event.table() + " failed: " + e.getMessage(), e);
        }
        lag.counter(event.table()).decoded(event.origin().sourceTimeMicros(), 1);
        progress.row();
    }

    @Override
    public void transactionEnd(SourcePosition safe) {
        requireOpen();
    }

    @Override
    public void tableRead(TableId table) throws InterruptedException {
        requireOpen();
        Target target = targetOf(table);
        SnapshotPoint point = snapshotPoint.get();
        SourcePosition resume = head.position().orElseThrow();
        try {
            BatchAccumulator whole = accumulatorOf(table, point.position().text());
            whole.transactionEnded(resume);
            FilledBatch batch = whole.take(head.newest().number() + 1);
            lastSequence = batch.lastSequence();
            TableProgress mark =
                    target.progress().withSnapshot(target.progress().generation() + 1, point);
            lastCommit = committer.submit(batch, Map.of(table, mark));
        } catch (IOException e) {
            throw new UncheckedIOException("staging rows of " + table + " failed: " + e.getMessage(), e);
        }
        targets.remove(table);
        current = null;
        accumulator = null;
        progress.tableDone(table);
    }

    @Override
    public Optional<SourcePosition> durable() {
        requireOpen();
        return Optional.empty();
    }

    /** Nothing that comes later counts. */
    void end() {
        ended = true;
    }

    /** Discards a table that is half read; only after the run has stopped. */
    void discard() {
        if (accumulator != null) {
            accumulator.close();
        }
    }

    /** Completes when the commit of the newest table that was read is durable. */
    CompletableFuture<Long> lastCommit() {
        return lastCommit;
    }

    /** Whether every table that was asked for was read to its end. */
    boolean complete() {
        return targets.isEmpty();
    }

    private BatchAccumulator accumulatorOf(TableId table, String position) throws IOException {
        if (accumulator != null && table.equals(current)) {
            return accumulator;
        }
        if (accumulator != null) {
            throw new IllegalStateException("rows of " + table + " before " + current + " was read to its end");
        }
        Target target = targetOf(table);
        BatchAccumulator begun = new BatchAccumulator(
                bounds,
                writers,
                clock,
                Map.of(table, target.layout()),
                OptionalLong.of(target.progress().generation() + 1),
                head.newest().number() + 1,
                lastSequence);
        if (target.hasRows()) {
            long now = Math.multiplyExact(clock.millis(), 1000L);
            begun.add(
                    new ChangeEvent.Truncated(target.schema(), new EventOrigin(Optional.empty(), position, now, now)));
        }
        current = table;
        accumulator = begun;
        return begun;
    }

    private Target targetOf(TableId table) {
        Target target = targets.get(table);
        if (target == null) {
            throw new IllegalStateException("the snapshot delivers " + table + ", which was not asked for");
        }
        return target;
    }

    private void requireOpen() {
        if (ended) {
            throw new IllegalStateException("this snapshot run belongs to an epoch that has ended");
        }
    }
}

package io.tributary.pipeline;

import io.tributary.batch.BatchAccumulator;
import io.tributary.event.ChangeEvent;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.lag.LagTracker;
import io.tributary.lag.TableCounter;
import io.tributary.source.CaptureListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * What one engine run in the stream feeds: fills the batch, hands it over where a transaction ends, and tells the engine
 * what it may acknowledge. Called on the engine's thread only, except for {@link #end()} and {@link #drain()}; after
 * the end of its epoch it refuses everything, so that a run that is slow to stop can't reach a newer epoch.
 */
final class StreamListener implements CaptureListener {
    private final BatchAccumulator accumulator;
    private final BatchCommitter committer;
    private final JournalHead head;
    private final LagTracker lag;
    private final Activity activity;
    private final Set<TableId> leftOut;
    private final Map<TableId, TableCounter> counters = new HashMap<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile @Nullable SourcePosition decoded;
    private volatile boolean ended;
    private volatile boolean draining;
    private boolean heardRows;
    private boolean finished;
    private @Nullable SourcePosition acknowledged;

    StreamListener(
            BatchAccumulator accumulator,
            BatchCommitter committer,
            JournalHead head,
            LagTracker lag,
            Activity activity,
            Set<TableId> leftOut) {
        this.accumulator = Objects.requireNonNull(accumulator);
        this.committer = Objects.requireNonNull(committer);
        this.head = Objects.requireNonNull(head);
        this.lag = Objects.requireNonNull(lag);
        this.activity = Objects.requireNonNull(activity);
        this.leftOut = Set.copyOf(leftOut);
    }

    @Override
    public void event(ChangeEvent event) {
        if (finished || leftOut.contains(event.table())) {
            return;
        }
        requireOpen();
        try {
            accumulator.add(event);
        } catch (IOException e) {
            throw new UncheckedIOException("staging rows of " + event.table() + " failed: " + e.getMessage(), e);
        }
        heardRows = true;
        counterOf(event.table()).decoded(event.origin().sourceTimeMicros(), 1);
    }

    @Override
    public void transactionEnd(SourcePosition safe) throws InterruptedException {
        if (finished) {
            return;
        }
        requireOpen();
        accumulator.transactionEnded(safe);
        decoded = safe;
        activity.heard();
        lag.decodedUpTo(safe);
        if (draining) {
            finish();
        } else if (accumulator.full() || (accumulator.aged() && committer.idle())) {
            handOver();
        }
    }

    @Override
    public Optional<SourcePosition> durable() throws InterruptedException {
        if (finished && ended) {
            return Optional.empty();
        }
        requireOpen();
        if (heardRows) {
            heardRows = false;
            activity.heard();
        }
        if (draining && !finished && accumulator.atBoundary()) {
            finish();
        } else if (accumulator.atBoundary()) {
            endBatchIfDue();
        }
        SourcePosition durable = committer.durable().orElse(null);
        if (durable == null || durable.equals(acknowledged)) {
            // only now, so that what the last batch made durable was acknowledged before
            if (finished && committer.idle()) {
                drained.complete(null);
            }
            return Optional.empty();
        }
        acknowledged = durable;
        return Optional.of(durable);
    }

    /** The newest transaction end that was delivered; for any thread. */
    Optional<SourcePosition> decoded() {
        return Optional.ofNullable(decoded);
    }

    /** Nothing that comes later counts. */
    void end() {
        ended = true;
    }

    /** Asks for the pending rows to be committed at the next transaction end; completes when they are. */
    CompletableFuture<Void> drain() {
        draining = true;
        return drained;
    }

    /** Hands over what is pending; what comes after this transaction end is decoded again at the next start. */
    private void finish() throws InterruptedException {
        finished = true;
        if (accumulator.hasRows()) {
            handOver();
        }
    }

    private void endBatchIfDue() throws InterruptedException {
        if (accumulator.hasRows()) {
            if (accumulator.aged() && committer.idle()) {
                handOver();
            }
        } else {
            accumulator.boundary().ifPresent(committer::nothingPendingUpTo);
        }
    }

    private void handOver() throws InterruptedException {
        Future<?> unused = committer.submit(accumulator.take(head.newest().number() + 2), Map.of());
    }

    private TableCounter counterOf(TableId table) {
        return counters.computeIfAbsent(table, lag::counter);
    }

    private void requireOpen() {
        if (ended) {
            throw new IllegalStateException("this engine run belongs to an epoch that has ended");
        }
    }
}

package io.tributary.pipeline;

import io.tributary.batch.BatchAccumulator;
import io.tributary.batch.BatchBounds;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableBlockedException;
import io.tributary.delta.TableProgress;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.evolution.TableLayout;
import io.tributary.lag.LagTracker;
import io.tributary.source.CaptureRun;
import io.tributary.source.Source;
import io.tributary.source.SourceGapException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;

/**
 * One attempt to do the work, from the claim to the first failure: recover, read what must be read, follow the stream.
 * Nothing of an epoch survives it but what the journal and the tables hold; the next one starts a new engine from there.
 */
final class Epoch {
    private static final Logger LOG = Logger.getLogger(Epoch.class);
    private static final Duration LONGEST_PATIENCE = Duration.ofHours(1);
    private static final Duration ENGINE_STOP = Duration.ofSeconds(15);

    private final Source source;
    private final DeltaLake lake;
    private final BatchBounds bounds;
    private final BridgeOptions options;
    private final LagTracker lag;
    private final Clock clock;
    private final StateHolder state;
    private final StopSignal stop;
    private volatile Duration patience;
    private boolean owned;

    /**
     * What an epoch leaves to the next one.
     *
     * @param fenced whether it lost a claim, so that another writer is certainly there
     * @param gap what its engine met and the next claim may close
     */
    record Lesson(boolean fenced, Optional<SourceGapException> gap) {
        static final Lesson NONE = new Lesson(false, Optional.empty());
    }

    Epoch(
            Source source,
            DeltaLake lake,
            BatchBounds bounds,
            BridgeOptions options,
            LagTracker lag,
            Clock clock,
            StateHolder state,
            StopSignal stop) {
        this.source = Objects.requireNonNull(source);
        this.lake = Objects.requireNonNull(lake);
        this.bounds = Objects.requireNonNull(bounds);
        this.options = Objects.requireNonNull(options);
        this.lag = Objects.requireNonNull(lag);
        this.clock = Objects.requireNonNull(clock);
        this.state = Objects.requireNonNull(state);
        this.stop = Objects.requireNonNull(stop);
        this.patience = options.stuck();
    }

    /**
     * Works until it is asked to stop (then it returns) or until something fails.
     *
     * @param lesson what the epoch before ended with
     * @param working run when a batch has reached the lake: what was wrong before is over
     */
    void run(Lesson lesson, Runnable working)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        try (TableCommits tableCommits = new TableCommits(lake)) {
            Claim claim = new Claim(source, lake, tableCommits, options, clock, state, stop);
            Claim.Granted granted = claim.await(lesson).orElse(null);
            if (granted == null) {
                return;
            }
            owned = true;
            granted.report().warnings().forEach(warning -> LOG.warn(warning.toString()));
            JournalHead head = granted.head();
            try (BatchCommitter committer =
                    new BatchCommitter(lake, head, tableCommits, lag, clock, options.signOfLife(), () -> {
                        patience = options.stuck();
                        working.run();
                    })) {
                TablePreparation tables = new TablePreparation(source, lake, head, options.snapshot());
                tables.prepare(granted.report());
                lag.tables(tables.captured());
                lag.found(tables.versions());
                lag.awaitingSnapshot(tables.toRead().keySet());
                removeAbandoned(tables.captured(), granted.head().newest().number());
                snapshot(tables, head, committer);
                if (!stop.requested()) {
                    stream(tables, head, committer);
                }
            }
            head.release();
        }
    }

    /** Whether an epoch of this process has ever owned the source: then its settings were right. */
    boolean hasOwned() {
        return owned;
    }

    /** They only take room, so a storage that fails here is none of the start's concern. */
    private void removeAbandoned(Set<TableId> of, long claim) {
        try {
            lake.removeAbandoned(of, claim);
        } catch (IOException e) {
            LOG.warnf("Files that an earlier writer left behind stay until the next start: %s", Failures.message(e));
        }
    }

    private void snapshot(TablePreparation tables, JournalHead head, BatchCommitter committer)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        Map<TableId, SnapshotListener.Target> targets = tables.toRead();
        if (targets.isEmpty()) {
            return;
        }
        LOG.infof("Reading the existing rows of %d tables: %s", targets.size(), targets.keySet());
        SnapshotProgress progress = new SnapshotProgress(state, targets.size());
        progress.publish();
        AtomicReference<CaptureRun> running = new AtomicReference<>();
        SnapshotListener listener = new SnapshotListener(
                targets,
                bounds,
                lake.writers(),
                clock,
                head,
                committer,
                lag,
                () -> Objects.requireNonNull(running.get()).snapshotPoint().orElseThrow(),
                progress);
        CaptureRun run = source.snapshot(targets.keySet(), options.temporarySlot(), listener);
        running.set(run);
        try (SourceMonitor monitor = new SourceMonitor(source, lag, options, tables.relations(), Optional.empty())) {
            run.start();
            monitor.start();
            await(run.ended(), committer.failure(), monitor.failure(), stop.future());
            if (!stop.requested()) {
                await(listener.lastCommit(), committer.failure());
                if (!listener.complete()) {
                    throw new IOException("the snapshot ended before every table was read");
                }
            }
        } finally {
            listener.end();
            run.stop(ENGINE_STOP);
            if (run.ended().isDone()) {
                listener.discard();
            }
        }
    }

    private void stream(TablePreparation tables, JournalHead head, BatchCommitter committer)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        SourcePosition from = head.position().orElseThrow();
        Map<TableId, SnapshotPoint> snapshots = overlapping(head.tables(), from);
        Map<TableId, TableLayout> layouts = tables.layouts();
        Activity activity = new Activity(System::nanoTime);
        BatchAccumulator accumulator = new BatchAccumulator(
                bounds,
                lake.writers(),
                clock,
                layouts,
                OptionalLong.empty(),
                head.newest().number() + 1,
                head.newest().lastSequence());
        StreamListener listener = new StreamListener(
                accumulator, committer, head, lag, activity, tables.leftOut().keySet());
        CaptureRun run = source.stream(from, snapshots, listener);
        SourceMonitor.StreamWatch watch = new SourceMonitor.StreamWatch(activity, listener::decoded, patience);
        try (SourceMonitor monitor = new SourceMonitor(source, lag, options, tables.relations(), Optional.of(watch))) {
            lag.startedAt(from);
            LOG.infof("Streaming from %s", from.text());
            run.start();
            monitor.start();
            state.set(new BridgeState.Streaming(tables.leftOut()));
            awaitEnd(run, committer, monitor);
            if (stop.requested()) {
                state.set(new BridgeState.Draining());
                drain(listener, committer, run);
            } else {
                throw new IOException("the engine ended by itself without an error");
            }
        } finally {
            listener.end();
            run.stop(ENGINE_STOP);
            if (run.ended().isDone()) {
                accumulator.close();
            }
        }
    }

    /** Snapshots that show changes which a stream from there on would deliver again. */
    static Map<TableId, SnapshotPoint> overlapping(Map<TableId, TableProgress> tables, SourcePosition from) {
        Map<TableId, SnapshotPoint> snapshots = new LinkedHashMap<>();
        tables.forEach((table, progress) -> progress.snapshot()
                .filter(point -> point.position().isAfter(from))
                .ifPresent(point -> snapshots.put(table, point)));
        return snapshots;
    }

    private void awaitEnd(CaptureRun run, BatchCommitter committer, SourceMonitor monitor)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        try {
            await(run.ended(), committer.failure(), monitor.failure(), stop.future());
        } finally {
            if (monitor.failure().isDone()) {
                // the server may be busy with a huge transaction of other tables: each new start begins with it again
                Duration longer = patience.multipliedBy(2);
                patience = longer.compareTo(LONGEST_PATIENCE) > 0 ? LONGEST_PATIENCE : longer;
            }
        }
    }

    private void drain(StreamListener listener, BatchCommitter committer, CaptureRun run)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        try {
            await(options.drain(), listener.drain(), committer.failure(), run.ended());
        } catch (TimeoutException e) {
            LOG.warnf(
                    "A transaction was still open after %s; its rows are decoded again at the next start",
                    options.drain());
        }
    }

    private static void await(CompletableFuture<?>... any)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        try {
            CompletableFuture.anyOf(any).get();
        } catch (ExecutionException e) {
            throw Failures.rethrow(e);
        }
    }

    private static void await(Duration bound, CompletableFuture<?>... any)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException, TimeoutException {
        try {
            CompletableFuture.anyOf(any).get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw Failures.rethrow(e);
        }
    }
}

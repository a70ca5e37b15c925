package io.tributary.pipeline;

import io.tributary.batch.BatchBounds;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.JournalCorruptedException;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.LakeConfigurationException;
import io.tributary.delta.TableBlockedException;
import io.tributary.lag.LagTracker;
import io.tributary.source.Source;
import io.tributary.source.SourceConfig.GapPolicy;
import io.tributary.source.SourceConfig.SnapshotPolicy;
import io.tributary.source.SourceConfigurationException;
import io.tributary.source.SourceException;
import io.tributary.source.SourceGapException;
import io.tributary.source.SourceUnavailableException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * The running bridge: one epoch after the other until it is asked to drain or until going on could lose something. Its
 * owner thread is {@code tributary-bridge}; every method is safe for other threads.
 */
public final class Bridge implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Bridge.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** Exit codes of the contract. */
    private static final int REFUSED = 2;

    private static final int GAP = 3;

    private final Source source;
    private final DeltaLake lake;
    private final LagTracker lag;
    private final Clock clock;
    private final StateHolder state = new StateHolder();
    private final StopSignal stop = new StopSignal();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private final BridgeOptions options;
    private final Epoch epoch;
    private final Thread owner;
    private final BackOff backOff = new BackOff(Duration.ofSeconds(1), LONGEST_PAUSE, new Random());
    private final AtomicInteger attempts = new AtomicInteger();
    private Epoch.Lesson lesson = Epoch.Lesson.NONE;

    /** Takes over source and lake and closes them at its end. */
    public Bridge(
            Source source, DeltaLake lake, BatchBounds bounds, BridgeOptions options, LagTracker lag, Clock clock) {
        this.source = Objects.requireNonNull(source);
        this.lake = Objects.requireNonNull(lake);
        this.lag = Objects.requireNonNull(lag);
        this.clock = Objects.requireNonNull(clock);
        this.options = Objects.requireNonNull(options);
        this.epoch = new Epoch(source, lake, bounds, options, lag, clock, state, stop);
        this.owner = new Thread(this::work, "tributary-bridge");
    }

    /** Begins; returns at once. */
    public void start() {
        owner.start();
    }

    public BridgeState state() {
        return state.get();
    }

    /** Completes with the exit code: 0 drained, 2 refused configuration, 3 gap, 1 anything else. */
    public CompletableFuture<Integer> ended() {
        return ended;
    }

    /** Asks for an orderly end and waits for it, at most so long. */
    public void drain(Duration bound) throws InterruptedException {
        stop.request();
        owner.join(bound.toMillis());
    }

    @Override
    public void close() {
        stop.request();
    }

    private void work() {
        int code = 1;
        try {
            code = untilEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            state.set(new BridgeState.Failed(code, "interrupted"));
        } finally {
            lake.close();
            source.close();
            ended.complete(code);
        }
    }

    private int untilEnd() throws InterruptedException {
        while (!stop.requested()) {
            try {
                Epoch.Lesson learned = lesson;
                lesson = Epoch.Lesson.NONE;
                epoch.run(learned, () -> attempts.set(0));
            } catch (JournalFencedException e) {
                LOG.warnf("Another writer owns the source now: %s", Failures.message(e));
                lesson = new Epoch.Lesson(true, Optional.empty());
            } catch (SourceGapException e) {
                SourceGapException gap = Repair.withRemedy(e);
                new GapRecords(lake).met(gap);
                if (!repairs(gap) && endsWith(gap)) {
                    return GAP;
                }
            } catch (JournalCorruptedException e) {
                if (endsWith(e)) {
                    return GAP;
                }
            } catch (LakeConfigurationException e) {
                return refused(e);
            } catch (SourceConfigurationException e) {
                if (!epoch.hasOwned()) {
                    return refused(e);
                }
                // it was right when this process began: whoever changed it at the database can change it back
                pause(e);
            } catch (TableBlockedException e) {
                lag.error(Failures.message(e));
                state.set(new BridgeState.Blocked(e.table().toString(), Failures.message(e)));
                awaitLooking(LONGEST_PAUSE);
            } catch (SourceUnavailableException | IOException e) {
                if (neverWorked() && e instanceof SourceUnavailableException) {
                    return refused(e);
                }
                pause(e);
            } catch (RuntimeException e) {
                LOG.error("Unexpected failure; nothing is acknowledged, the work starts again from the journal", e);
                pause(e);
            }
        }
        state.set(new BridgeState.Stopped());
        return 0;
    }

    /** Whether the next epoch closes the gap that an engine met. */
    private boolean repairs(SourceGapException gap) throws InterruptedException {
        if (options.snapshot() != SnapshotPolicy.WHEN_NEEDED || !Repair.mends(gap)) {
            return false;
        }
        lesson = new Epoch.Lesson(false, Optional.of(gap));
        pause(gap);
        return true;
    }

    /** Whether a gap is the end; otherwise it is looked at again after a while. */
    private boolean endsWith(RuntimeException gap) throws InterruptedException {
        lag.error(Failures.message(gap));
        if (gap instanceof SourceGapException) {
            lag.sourceUnreachable(Failures.message(gap));
        }
        state.set(new BridgeState.Gap(Failures.message(gap)));
        if (options.onGap() == GapPolicy.EXIT) {
            return true;
        }
        stop.await(LONGEST_PAUSE);
        return false;
    }

    private int refused(Exception cause) {
        state.set(new BridgeState.Failed(REFUSED, Failures.message(cause)));
        return REFUSED;
    }

    private void pause(Exception cause) throws InterruptedException {
        int attempt = attempts.incrementAndGet();
        String message = Failures.message(cause);
        Duration pause = backOff.after(attempt);
        Instant next = clock.instant().plus(pause);
        lag.error(message);
        state.set(new BridgeState.Retrying(message, attempt, next));
        LOG.warnf("Attempt %d failed, next in %s: %s", attempt, pause, message);
        LOG.debug("The cause", cause);
        if (cause instanceof SourceException) {
            // nothing reads the source now, so nobody knows how far behind the tables are
            lag.sourceUnreachable(message);
            stop.await(pause);
        } else {
            awaitLooking(pause);
        }
    }

    /** Waits with an eye on the source, whose log grows while the lake takes nothing. */
    private void awaitLooking(Duration pause) throws InterruptedException {
        long end = System.nanoTime() + pause.toNanos();
        for (long left = pause.toNanos(); left > 0; left = end - System.nanoTime()) {
            SourceMonitor.look(source, lag);
            if (stop.await(
                    SourceMonitor.PERIOD.compareTo(Duration.ofNanos(left)) < 0
                            ? SourceMonitor.PERIOD
                            : Duration.ofNanos(left))) {
                return;
            }
        }
    }

    /** An address that has never answered for this lake is rather wrong than down. */
    private boolean neverWorked() {
        try {
            return attempts.get() == 0 && lake.journal().newest().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }
}

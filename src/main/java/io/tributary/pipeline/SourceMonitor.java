package io.tributary.pipeline;

import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.lag.LagTracker;
import io.tributary.lag.SourceObservation;
import io.tributary.source.ChannelState;
import io.tributary.source.Source;
import io.tributary.source.SourceException;
import io.tributary.source.SourceStatus;
import io.tributary.source.SourceUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Looks at the source beside the engine: tells the lag tracker where its log ends, moves an idle slot, and notices an
 * engine that is silent although the source moves on. One thread.
 */
final class SourceMonitor implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SourceMonitor.class);
    static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration LONGEST_PERIOD = Duration.ofSeconds(8);

    private final Source source;
    private final LagTracker lag;
    private final Map<TableId, String> relations;
    private final Optional<StreamWatch> stream;
    private final BridgeOptions options;
    private final ScheduledExecutorService thread;
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private final Activity reachable;
    private final Activity asked;
    // confined to the thread
    private Set<TableId> unidentified = Set.of();
    private Duration period = PERIOD;

    /**
     * What is watched while an engine follows the log.
     *
     * @param decoded the newest transaction end that it delivered
     * @param patience how long it may be silent although the log moves on
     */
    record StreamWatch(Activity activity, Supplier<Optional<SourcePosition>> decoded, Duration patience) {}

    SourceMonitor(
            Source source,
            LagTracker lag,
            BridgeOptions options,
            Map<TableId, String> relations,
            Optional<StreamWatch> stream) {
        this.source = Objects.requireNonNull(source);
        this.lag = Objects.requireNonNull(lag);
        this.options = Objects.requireNonNull(options);
        this.relations = Map.copyOf(relations);
        this.stream = Objects.requireNonNull(stream);
        this.reachable = new Activity(System::nanoTime);
        this.asked = new Activity(System::nanoTime);
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, "tributary-monitor");
            created.setDaemon(true);
            return created;
        });
    }

    void start() {
        next(Duration.ZERO);
    }

    private void next(Duration pause) {
        try {
            Future<?> unused = thread.schedule(this::watch, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The monitor was closed while it looked");
        }
    }

    /** Completes, always exceptionally, when the engine should be started anew. */
    CompletableFuture<Void> failure() {
        return failure;
    }

    /** One look at the source for whoever wants to know where it is, without anything that follows from it. */
    static void look(Source source, LagTracker lag) {
        try {
            lag.sourceSeen(observation(source.status()));
        } catch (SourceException e) {
            lag.sourceUnreachable(Failures.message(e));
        }
    }

    private void watch() {
        try {
            SourceStatus status = source.status();
            reachable.heard();
            period = PERIOD;
            lag.sourceSeen(observation(status));
            requireSameRelations();
            lookForIdentities();
            if (stream.isPresent()) {
                moveIdleSlot(stream.get(), new SourcePosition.Wal(status.currentLsn(), 0, 0));
            }
        } catch (SourceUnavailableException e) {
            lag.sourceUnreachable(Failures.message(e));
            period = period.compareTo(LONGEST_PERIOD) < 0 ? period.multipliedBy(2) : LONGEST_PERIOD;
            if (reachable.silence().compareTo(options.stuck()) > 0) {
                failure.completeExceptionally(e);
            }
        } catch (RuntimeException e) {
            failure.completeExceptionally(e);
        }
        next(period);
    }

    private void requireSameRelations() {
        if (!source.relations().equals(relations)) {
            failure.completeExceptionally(new IOException(
                    "a captured table or the publication was altered: it is looked at again from the start"));
        }
    }

    /** Nothing is lost, since the server refuses what could not be told: but the application fails, and nobody says why. */
    private void lookForIdentities() {
        Set<TableId> now = source.unidentified();
        if (now.equals(unidentified)) {
            return;
        }
        unidentified = now;
        if (now.isEmpty()) {
            LOG.info("Every captured table has a replica identity again");
            return;
        }
        String message =
                now + " lost the replica identity: the database refuses every UPDATE and DELETE on it. Give it a"
                        + " primary key or REPLICA IDENTITY FULL, or take it out of tributary.source.tables and the publication";
        LOG.warn(message);
        lag.error(message);
    }

    private static SourceObservation observation(SourceStatus status) {
        return status.channel() instanceof ChannelState.Present slot
                ? new SourceObservation(
                        status.currentLsn(),
                        status.serverTime(),
                        OptionalLong.of(slot.confirmedFlush()),
                        OptionalLong.of(slot.restart()),
                        OptionalLong.of(slot.retainedBytes()),
                        slot.safeBytes(),
                        Optional.of(slot.walStatus()))
                : SourceObservation.withoutSlot(status.currentLsn(), status.serverTime());
    }

    private void moveIdleSlot(StreamWatch watched, SourcePosition end) {
        Activity activity = watched.activity();
        boolean behind = watched.decoded().get().map(end::isAfter).orElse(true);
        if (!behind || activity.silence().compareTo(options.idle()) < 0) {
            return;
        }
        if (options.idleMessage() && activity.silence().compareTo(watched.patience()) > 0) {
            failure.completeExceptionally(new SourceUnavailableException("the engine has delivered nothing for "
                    + activity.silence().toSeconds() + " s although the source has moved on to " + end.text()));
            return;
        }
        if (options.idleMessage() && asked.silence().compareTo(options.idle()) >= 0) {
            source.emitIdleMessage();
            asked.heard();
            LOG.debugf("Asked the idle source for a transaction at %s", end.text());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

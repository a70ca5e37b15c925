package io.tributary.ops;

import io.tributary.lag.LagReport;
import io.tributary.lag.LagTracker;
import io.tributary.ops.config.GuardConfig;
import io.tributary.pipeline.BridgeState;
import java.time.Clock;
import java.util.function.Supplier;

/**
 * What the outside sees of the service. It reads a volatile state and the tracker's own facts, so that no caller waits
 * for the pipeline. Thread-safe.
 */
final class ServiceView {
    private static final long FRESH_MILLIS = 500;

    /** What belongs together because it was read together. */
    record Moment(BridgeState state, LagReport report, Readiness readiness, long atMillis) {}

    private final String sourceName;
    private final Supplier<BridgeState> states;
    private final LagTracker tracker;
    private final GuardConfig guard;
    private final Clock clock;
    private volatile Moment latest;

    ServiceView(String sourceName, Supplier<BridgeState> states, LagTracker tracker, GuardConfig guard, Clock clock) {
        this.sourceName = sourceName;
        this.states = states;
        this.tracker = tracker;
        this.guard = guard;
        this.clock = clock;
        this.latest = now();
    }

    /** As it is now. */
    Moment now() {
        BridgeState state = states.get();
        LagReport report = tracker.report();
        return new Moment(state, report, Readiness.of(state, report, guard), clock.millis());
    }

    /** At most half a second old: one scrape of the metrics asks for dozens of numbers of one moment. */
    Moment recent() {
        Moment moment = latest;
        if (Math.abs(clock.millis() - moment.atMillis) > FRESH_MILLIS) {
            moment = now();
            latest = moment;
        }
        return moment;
    }

    String sourceName() {
        return sourceName;
    }
}

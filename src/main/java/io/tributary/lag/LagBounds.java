package io.tributary.lag;

import java.time.Duration;
import java.util.Objects;

/**
 * How long silence may last before it means something.
 *
 * @param observation after this long without an answer the source counts as unreachable
 * @param caughtUp a position proven this lately counts as now; must exceed the pace of observations and idle messages
 * @param progress after this long without progress, with something to do, the verdict is stuck
 * @param idleMessages whether the bridge moves an idle position by itself, so that silence proves a fault
 */
public record LagBounds(Duration observation, Duration caughtUp, Duration progress, boolean idleMessages) {

    /** Leaves room for two idle messages and keeps readiness' promise of 60 s. */
    public static LagBounds standard(boolean idleMessages) {
        return new LagBounds(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(50), idleMessages);
    }

    public LagBounds {
        Objects.requireNonNull(observation);
        Objects.requireNonNull(caughtUp);
        Objects.requireNonNull(progress);
    }
}

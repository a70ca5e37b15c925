package io.tributary.ops;

import io.quarkus.runtime.QuarkusApplication;
import io.tributary.event.SourcePosition;
import io.tributary.lag.LagReport;
import io.tributary.lag.LagTracker;
import io.tributary.ops.config.ShutdownConfig;
import io.tributary.pipeline.Bridge;
import io.tributary.pipeline.Maintenance;
import io.tributary.pipeline.RefusedException;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;

/** The end of a capture: a bridge of its own commits what the source has, then the slot goes. */
@Dependent
class RetireRun implements QuarkusApplication {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Maintenance maintenance;
    private final Instance<Bridge> bridge;
    private final LagTracker lag;
    private final Duration drainFor;
    private final Console console;

    RetireRun(
            Maintenance maintenance,
            Instance<Bridge> bridge,
            LagTracker lag,
            ShutdownConfig shutdown,
            Console console) {
        this.maintenance = maintenance;
        this.bridge = bridge;
        this.lag = lag;
        this.drainFor = shutdown.drainFor();
        this.console = console;
    }

    @Override
    public int run(String... args) throws InterruptedException {
        boolean now = Boolean.parseBoolean(args[0]);
        return MaintenanceRun.carryOut(console, () -> {
            if (!now) {
                drainUpTo(maintenance.sourceEnd());
            }
            return maintenance.retire();
        });
    }

    private void drainUpTo(SourcePosition end) throws InterruptedException, RefusedException {
        Bridge last = bridge.get();
        last.start();
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!last.ended().isDone() && !committed(end) && System.nanoTime() < deadline) {
            Thread.sleep(LOOK.toMillis());
        }
        boolean complete = committed(end);
        last.drain(drainFor);
        if (!complete) {
            throw new RefusedException("what the source has up to " + end.text() + " is not all in the lake: "
                    + last.state().sentence() + " The slot is still there. To drop it nevertheless, add --now");
        }
    }

    private boolean committed(SourcePosition end) {
        return lag.report()
                .committed()
                .map(LagReport.Reached::position)
                .filter(position -> !end.isAfter(position))
                .isPresent();
    }
}

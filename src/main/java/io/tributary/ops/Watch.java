package io.tributary.ops;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Looks at the service every few seconds, logs when readiness turns, and makes meters for new tables. */
final class Watch implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Watch.class);
    private static final Duration PACE = Duration.ofSeconds(5);

    private final ServiceView view;
    private final BridgeMetrics metrics;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "tributary-watch"));
    private boolean wasReady;
    private WalGuard.Level walLevel = WalGuard.Level.OK;

    Watch(ServiceView view, BridgeMetrics metrics) {
        this.view = view;
        this.metrics = metrics;
    }

    void start() {
        // it never ends by an exception, see lookSafely
        var unused = thread.scheduleWithFixedDelay(this::lookSafely, 0, PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A periodic task that throws is never run again. */
    private void lookSafely() {
        try {
            look();
        } catch (RuntimeException e) {
            LOG.warn("Looking at the state failed; the next look is in " + PACE.toSeconds() + " s", e);
        }
    }

    /** One look. */
    void look() {
        metrics.bindNewTables();
        ServiceView.Moment moment = view.now();
        List<String> reasons = moment.readiness().reasons();
        if (moment.readiness().ready() && !wasReady) {
            LOG.infof("Ready: %s", moment.state().sentence());
        } else if (wasReady && !reasons.isEmpty()) {
            LOG.warnf("Not ready: %s", String.join("; ", reasons));
        }
        wasReady = moment.readiness().ready();
        tell(moment.readiness().wal());
    }

    /** Each level once when it is reached: somebody has to act while there is time. */
    private void tell(WalGuard wal) {
        WalGuard.Level level = wal.level();
        if (level == walLevel) {
            return;
        }
        switch (level) {
            case CRITICAL -> LOG.errorf("Retained WAL is critical: %s", String.join("; ", wal.alarms()));
            case WARNING -> LOG.warnf("Retained WAL: %s", String.join("; ", wal.warnings()));
            case OK -> LOG.info("Retained WAL is within its bounds again");
        }
        walLevel = level;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package io.tributary.source;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts a session whose answer can't come any more, as after packets were dropped without a reset: the server has ended
 * it, or waits for us while we wait for it, at two looks in a row. A timeout can't tell that from a statement that rightly
 * takes for ever. It looks through another session, on a thread of its own.
 */
final class SessionWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionWatch.class);
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final int MOST_SILENT_LOOKS = 3;
    private static final String GONE = "gone";
    /** What a server that has nothing to do but to hear from us waits for. */
    private static final Set<String> WAITS_FOR_US = Set.of(GONE, "ClientRead", "ClientWrite");

    private final Database database;
    private final Supplier<Optional<Awaited>> awaited;
    private final ScheduledExecutorService thread;
    private Optional<Awaited> suspect = Optional.empty();
    private int silentLooks;

    /**
     * What we wait for.
     *
     * @param answer counts the session's answers, so that two that are awaited differ
     */
    record Awaited(Connection session, long answer) {}

    /** @param awaited empty while no answer is awaited */
    SessionWatch(Database database, Supplier<Optional<Awaited>> awaited) {
        this.database = database;
        this.awaited = awaited;
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread created = new Thread(task, "session-watch");
            created.setDaemon(true);
            return created;
        });
    }

    void start() {
        long period = PERIOD.toMillis();
        Future<?> unused = thread.scheduleWithFixedDelay(this::look, period, period, TimeUnit.MILLISECONDS);
    }

    /** Watches a session that gives one answer. */
    static SessionWatch over(Database database, Connection session) {
        Optional<Awaited> only = Optional.of(new Awaited(session, 0));
        return new SessionWatch(database, () -> only);
    }

    private void look() {
        Optional<Awaited> now = awaited.get();
        try {
            boolean waitsForUs = now.isPresent() && waitsForUs(now.get());
            silentLooks = 0;
            if (waitsForUs && now.equals(suspect)) {
                abort(now.get(), "the server waits for us while we wait for it");
            }
            suspect = waitsForUs ? now : Optional.empty();
        } catch (SourceException e) {
            silentLooks++;
            if (now.isPresent() && silentLooks >= MOST_SILENT_LOOKS) {
                abort(now.get(), String.valueOf(e.getMessage()));
            }
        } catch (SQLException e) {
            LOG.debug("The session is closed already", e);
        }
    }

    private boolean waitsForUs(Awaited awaited) throws SQLException {
        int pid = awaited.session().unwrap(PGConnection.class).getBackendPID();
        return WAITS_FOR_US.contains(database.first(
                        "looking after session " + pid,
                        "SELECT coalesce(wait_event, '') FROM pg_catalog.pg_stat_activity WHERE pid = ?",
                        row -> row.getString(1),
                        pid)
                .orElse(GONE));
    }

    private static void abort(Awaited awaited, String reason) {
        LOG.warn("A session with the database is given up: {}", reason);
        try {
            awaited.session().abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("The session is closed already", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

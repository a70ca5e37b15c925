package io.tributary.source;

import io.tributary.event.SourceIdentity;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The PostgreSQL server as a whole: who it is, how it is set up, how far its WAL is. */
final class Server {
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private final Database database;
    private final ConnectionSettings settings;
    private final Failures failures;

    Server(Database database, ConnectionSettings settings, Failures failures) {
        this.database = database;
        this.settings = settings;
        this.failures = failures;
    }

    String version() {
        return setting("server_version");
    }

    ServerVersion release() {
        return database.version();
    }

    String setting(String name) {
        return database.one(
                "reading the setting " + name,
                "SELECT coalesce(pg_catalog.current_setting(?, true), '')",
                row -> row.getString(1),
                name);
    }

    /** Asked over a replication connection, so the answer also proves that the user may replicate. */
    SourceIdentity identity(String slot) {
        // the replication connection can't tell a wrong address from a bad moment: our session can
        version();
        try (Connection connection = settings.openReplication(SILENCE);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("IDENTIFY_SYSTEM")) {
            row.next();
            return new SourceIdentity(
                    "postgres", row.getString("systemid"), row.getLong("timeline"), settings.database(), slot);
        } catch (SQLException e) {
            throw failures.ofReplication(e);
        }
    }

    /** How the server came to this timeline. */
    TimelineHistory history(long timeline) {
        if (timeline <= 1) {
            return new TimelineHistory(Map.of());
        }
        try (Connection connection = settings.openReplication(SILENCE);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("TIMELINE_HISTORY " + timeline)) {
            row.next();
            return TimelineHistory.parse(row.getString("content"));
        } catch (SQLException e) {
            throw failures.of("reading the history of timeline " + timeline, e);
        }
    }

    /** The end of the WAL and the server's clock. */
    record Moment(long lsn, Instant time) {}

    Moment now() {
        return database.one(
                "reading the server's position",
                "SELECT " + Channel.CURRENT_LSN
                        + ", (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000000)::bigint",
                row -> new Moment(Lsn.parse(row.getString(1)), instant(row.getLong(2))));
    }

    private static Instant instant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, 1_000_000L), TimeUnit.MICROSECONDS.toNanos(Math.floorMod(micros, 1_000_000L)));
    }

    boolean inRecovery() {
        return database.one(
                "reading the server's role", "SELECT pg_catalog.pg_is_in_recovery()", row -> row.getBoolean(1));
    }

    /** Whether {@code count} more replication slots can be made. */
    boolean hasFreeSlots(int count) {
        return database.one(
                "counting replication slots",
                "SELECT pg_catalog.current_setting('max_replication_slots')::int - count(*)"
                        + " FROM pg_catalog.pg_replication_slots",
                row -> row.getInt(1) >= count);
    }

    /** Whether a standby follows through a slot. */
    boolean hasStandbySlots() {
        return database.one(
                "looking for standbys",
                "SELECT EXISTS (SELECT FROM pg_catalog.pg_replication_slots WHERE slot_type = 'physical')",
                row -> row.getBoolean(1));
    }

    boolean mayCreateInDatabase() {
        return database.one(
                "reading the user's privileges",
                "SELECT pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')",
                row -> row.getBoolean(1));
    }
}

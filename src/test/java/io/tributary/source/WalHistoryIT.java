package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.event.SourcePosition;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every boundary that a run proves is found again in the log, and nothing else is; looking acknowledges nothing. */
class WalHistoryIT {

    @ParameterizedTest
    @EnumSource(Version.class)
    void everyBoundaryIsFoundAndNoOtherPlace(Version version) throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(version),
                "shop.t",
                "CREATE TABLE t (id int PRIMARY KEY)",
                "CREATE TABLE uncaptured (id int)")) {
            Recorder run = capture.begin();
            workload(capture);
            capture.settle();
            List<SourcePosition.Wal> ends = run.ends();
            capture.stop();
            long flushed = capture.confirmedFlush();

            assertThat(ends).hasSizeGreaterThan(3).allSatisfy(end -> {
                assertThat(holds(capture, end)).as("boundary %s", end.text()).isTrue();
                assertThat(holds(capture, new SourcePosition.Wal(end.lsn() - 8, end.xid(), end.commitTimeMicros())))
                        .as("before boundary %s", end.text())
                        .isFalse();
            });
            SourcePosition.Wal last = ends.get(ends.size() - 1);
            assertThat(holds(capture, new SourcePosition.Wal(last.lsn(), last.xid(), last.commitTimeMicros() + 1)))
                    .as("the same place and id at another time")
                    .isFalse();
            assertThat(holds(capture, new SourcePosition.Wal(capture.currentLsn(), last.xid(), 0)))
                    .as("the end of the log")
                    .isFalse();
            assertThat(capture.confirmedFlush()).isEqualTo(flushed);
        }
    }

    private static void workload(Capture capture) throws SQLException {
        try (Connection a = capture.server.connect(capture.database);
                Connection b = capture.server.connect(capture.database)) {
            sql(a, "BEGIN", "INSERT INTO shop.t VALUES (1)");
            sql(b, "INSERT INTO shop.t VALUES (2)", "INSERT INTO shop.uncaptured VALUES (2)");
            sql(b, "SELECT pg_logical_emit_message(false, 'app', 'outside')", "INSERT INTO shop.t VALUES (3)");
            sql(a, "INSERT INTO shop.t VALUES (4)", "COMMIT");
            sql(b, "SELECT pg_logical_emit_message(true, 'app', 'inside')", "INSERT INTO shop.t VALUES (5)");
        }
    }

    private static boolean holds(Capture capture, SourcePosition.Wal position) {
        ConnectionSettings settings = new ConnectionSettings(
                "localhost",
                capture.server.port(),
                capture.database,
                capture.server.user(),
                Password.of(Optional.of(capture.server.password())),
                "test",
                Map.of());
        String slot = capture.config.slot.orElseThrow();
        Failures failures = new Failures(settings, slot);
        try (Database session = new Database(settings, failures)) {
            Channel channel = new Channel(session, settings, failures, slot, "tributary_shop");
            channel.awaitFree(Channel.READER_GONE);
            return new WalHistory(settings, channel, failures).holds(position, session.version(), () -> false);
        }
    }

    private static void sql(Connection connection, String... statements) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}

package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.InLife;
import io.tributary.testing.Scenario;
import io.tributary.testing.SkewedClock;
import io.tributary.testing.Status;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code GET /lag} says (case C76) of bridges whose clocks are right, a second off, and an hour off. */
class StatusIT {
    private static final List<Duration> OFFSETS = List.of(
            Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(-1), Duration.ofHours(1), Duration.ofHours(-1));
    private static final int WAL_SENDERS = 20;

    @TempDir
    Path folder;

    /** One bridge with its database, its lake, its clock, and the sign that freezes its storage. */
    private record Watched(Duration offset, Scenario scenario, BridgeProcess bridge, Path sign) {
        Status status() {
            return Status.of(bridge);
        }
    }

    @Test
    void lagIsNeverNegativeNeverFrozenWhenIdleAndNeverZeroWhenDead() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18, "max_wal_senders", Integer.toString(WAL_SENDERS))) {
            List<Watched> all = new ArrayList<>();
            try {
                for (Duration offset : OFFSETS) {
                    all.add(start(server, offset));
                }
                beforeTheFirstEvent(all);
                idle(all);
                stoppedStorage(all);
                deadEngine(server, all);
                deadDatabase(server, all);
            } finally {
                // a scenario clears up after itself
                server.startAgain();
                all.forEach(watched -> watched.scenario().close());
            }
        }
    }

    private Watched start(TestPostgres server, Duration offset) {
        Path own = folder.resolve("ahead" + offset.toMillis());
        Path sign = own.resolve("frozen");
        Scenario scenario = new Scenario(server, own);
        scenario.sql("create table la(id int primary key)");
        BridgeProcess.Setup setup = scenario.setup("la").jvm("-Dfreeze.sign=" + sign);
        SkewedClock.ahead(offset, own.resolve("clock")).forEach(setup::jvm);
        return new Watched(offset, scenario, scenario.start(setup), sign);
    }

    private static void beforeTheFirstEvent(List<Watched> all) {
        eventually(all, "before the first event", Duration.ofSeconds(90), "streaming", "idle", 200);
        each(all, watched -> assertThat(watched.status().lagMillis()).isEqualTo("0"));
        each(
                all,
                watched -> assertThat(watched.status()
                                .lag()
                                .path("source")
                                .path("clockSkewMillis")
                                .asLong())
                        .isCloseTo(-watched.offset().toMillis(), org.assertj.core.data.Offset.offset(500L)));
    }

    private static void idle(List<Watched> all) {
        each(all, watched -> watched.scenario().sql("insert into la values (1)"));
        each(all, watched -> watched.scenario().awaitMarker(watched.bridge()));
        eventually(all, "idle", Duration.ofSeconds(30), "streaming", "idle", 200);
        List<Instant> before = all.stream().map(StatusIT::seen).toList();
        Awaitility.await()
                .during(InLife.scaled(Duration.ofMinutes(5)))
                .atMost(InLife.scaled(Duration.ofMinutes(5)).plusSeconds(30))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> each(all, watched -> {
                    Status now = watched.status();
                    assertThat(now.ready()).as("%s", now.lag()).isEqualTo(200);
                    assertThat(now.lagMillis()).as("%s", now.lag()).isEqualTo("0");
                }));
        for (int i = 0; i < all.size(); i++) {
            assertThat(seen(all.get(i))).as("the source is looked at").isAfter(before.get(i));
        }
    }

    private static Instant seen(Watched watched) {
        return Instant.parse(watched.status().lag().path("source").path("time").asText());
    }

    private static void stoppedStorage(List<Watched> all) throws IOException {
        for (Watched watched : all) {
            Files.createFile(watched.sign());
        }
        each(all, watched -> watched.scenario().sql("insert into la values (2)"));
        long begun = System.nanoTime();
        eventually(all, "stopped storage", Status.RED, "streaming", "stuck", 503);
        each(all, watched -> {
            long first = Long.parseLong(watched.status().lagMillis());
            long age = Duration.ofNanos(System.nanoTime() - begun).toMillis();
            assertThat(first).isBetween(age - 5000, age + 5000);
            Awaitility.await().until(() -> Long.parseLong(watched.status().lagMillis()) > first);
        });
        for (Watched watched : all) {
            Files.delete(watched.sign());
        }
        each(all, watched -> watched.scenario().awaitMarker(watched.bridge()));
        eventually(all, "after it", Status.RED, "streaming", "idle", 200);
    }

    /** The database answers, but no session that replicates can be had. */
    private static void deadEngine(TestPostgres server, List<Watched> all) throws SQLException {
        List<Connection> senders = new ArrayList<>();
        try {
            server.execute("postgres", "select pg_terminate_backend(pid) from pg_stat_replication");
            Awaitility.await().until(() -> taken(server, senders));
            eventually(all, "dead engine", Status.RED, "retrying", "unknown", 503);
            each(all, watched -> Status.assertStaysRed(watched.bridge(), Duration.ofSeconds(3)));
            each(all, watched -> assertThat(watched.status().lagMillis()).isEqualTo("null"));
        } finally {
            for (Connection sender : senders) {
                sender.close();
            }
        }
        each(all, watched -> watched.scenario().awaitMarker(watched.bridge()));
        eventually(all, "after it", Status.RED, "streaming", "idle", 200);
    }

    /** Takes every session for replication that the server has; a bridge that was faster is sent away again. */
    private static boolean taken(TestPostgres server, List<Connection> senders) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", server.user());
        properties.setProperty("password", server.password());
        properties.setProperty("ApplicationName", "holder");
        properties.setProperty("replication", "database");
        properties.setProperty("preferQueryMode", "simple");
        properties.setProperty("assumeMinServerVersion", "14");
        try {
            while (senders.size() < WAL_SENDERS) {
                senders.add(DriverManager.getConnection(server.jdbcUrl("postgres"), properties));
            }
            return true;
        } catch (SQLException e) {
            server.execute(
                    "postgres",
                    "select pg_terminate_backend(pid) from pg_stat_replication where application_name <> 'holder'");
            return false;
        }
    }

    private static void deadDatabase(TestPostgres server, List<Watched> all) {
        server.stop();
        eventually(all, "dead database", Status.RED, "retrying", "unknown", 503);
        each(all, watched -> Status.assertStaysRed(watched.bridge(), Duration.ofSeconds(3)));
        each(all, watched -> assertThat(watched.status().lagMillis()).isEqualTo("null"));
    }

    private static void each(List<Watched> all, Consumer<Watched> check) {
        all.forEach(check);
    }

    /** All say so within a time, and no lag that any of them says until then is negative. */
    private static void eventually(
            List<Watched> all, String situation, Duration within, String state, String verdict, int ready) {
        Awaitility.await()
                .atMost(within)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> each(all, watched -> {
                    Status now = watched.status();
                    assertThat(now.lagMillis()).doesNotStartWith("-");
                    assertThat(List.of(now.state(), now.verdict(), Integer.toString(now.ready())))
                            .as("%s, clock %s ahead: %s", situation, watched.offset(), now.lag())
                            .containsExactly(state, verdict, Integer.toString(ready));
                }));
        for (Watched watched : all) {
            Status now = watched.status();
            System.out.printf(
                    "| %s | clock %s ahead | %s | %s | %d | %s |%n",
                    situation, watched.offset(), now.state(), now.verdict(), now.ready(), now.lagMillis());
        }
    }
}

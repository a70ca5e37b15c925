package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM ends the bridge in order within 30 s, whatever it is doing. */
class StopIT {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void whileTheDatabaseIsAway() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                Scenario scenario = new Scenario(server, folder)) {
            BridgeProcess bridge = scenario.start();
            scenario.awaitMarker(bridge);
            server.stop();
            bridge.awaitState("retrying");
            assertEndsInOrder(bridge);

            BridgeProcess starting = scenario.start();
            starting.awaitState("retrying");
            assertEndsInOrder(starting);
            server.startAgain();
        }
    }

    @Test
    void inTheMiddleOfASnapshot() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql(
                    "create table big(id int primary key, v text)",
                    "insert into big select i, repeat('x', 500) from generate_series(1, 300000) i");
            BridgeProcess bridge = scenario.start("big");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() ->
                            bridge.get("/lag").body().matches("(?s).*: [01] of 2 tables done, [1-9]\\d{3,} rows.*"));
            assertEndsInOrder(bridge);
            assertThat(scenario.slots()).as("no temporary slot is left").hasSize(1);
            BridgeProcess next = scenario.start("big");
            scenario.awaitMarker(next);
            assertThat(scenario.rows("big")).hasSize(300_000);
        }
    }

    @Test
    void asAStandbyAndWhileATableIsBlocked() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table t(id int primary key)");
            BridgeProcess active = scenario.start("t");
            scenario.awaitMarker(active);
            BridgeProcess standby = scenario.start("t");
            standby.awaitState("standby");
            assertEndsInOrder(standby);
            active.kill();
            Files.move(scenario.path("t"), folder.resolve("aside"));
            BridgeProcess blocked = scenario.start("t");
            blocked.awaitState("blocked");
            assertEndsInOrder(blocked);
        }
    }

    @Test
    void beforeItHasBegunToWork() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            BridgeProcess first = scenario.start();
            scenario.awaitMarker(first);
            first.kill();
            for (int age = 200; age <= 2_600; age += 150) {
                BridgeProcess bridge = scenario.start();
                // at any age: there is a moment at which the framework listens to signals and the bridge not yet
                assertThat(bridge.endsWithin(Duration.ofMillis(age)))
                        .as(bridge::output)
                        .isFalse();
                long before = System.nanoTime();
                // 143: nothing was begun that could be drained
                assertThat(bridge.terminate()).as(bridge::output).isIn(0, 143);
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(BOUND);
            }
        }
    }

    private static void assertEndsInOrder(BridgeProcess bridge) {
        long before = System.nanoTime();
        assertThat(bridge.terminate()).as(bridge::output).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(BOUND);
    }
}

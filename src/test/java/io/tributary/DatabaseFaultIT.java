package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.DecodedHistory;
import io.tributary.testing.FaultyNetwork;
import io.tributary.testing.InLife;
import io.tributary.testing.Scenario;
import io.tributary.testing.Status;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Shutdown;
import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens to a database and to the way to it (case C31), with what the bridge says of itself at each step. */
class DatabaseFaultIT {
    private static final Duration RECOVERED = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    @Test
    void everyFaultInTheStreamIsToldAndEndsByItself() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                FaultyNetwork network = new FaultyNetwork(server.port());
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql("create table bo(id int primary key)");
            DecodedHistory oracle = new DecodedHistory(scenario);
            Faults faults = new Faults(scenario, network, scenario.start(through(network, scenario, "bo")));
            faults.recovered();

            faults.cut();
            faults.silentUntilPacketsFlowAgain();
            faults.silentForOldConnectionsForEver();
            faults.walSenderTerminatedAgainAndAgain();
            faults.noAnswerFor(InLife.scaled(Duration.ofMinutes(10)));
            faults.restarted(Shutdown.FAST);
            faults.restarted(Shutdown.IMMEDIATE);

            assertThat(faults.bridge.terminate()).as(faults.bridge::output).isZero();
            assertThat(scenario.streamHistory()).containsExactlyElementsOf(oracle.changes());
            scenario.assertLakeIsSound();
        }
    }

    /** One bridge through one fault after the other; a row is written into each. */
    private static final class Faults {
        private final Scenario scenario;
        private final FaultyNetwork network;
        private final BridgeProcess bridge;
        private int rows;

        Faults(Scenario scenario, FaultyNetwork network, BridgeProcess bridge) {
            this.scenario = scenario;
            this.network = network;
            this.bridge = bridge;
        }

        private void row() {
            scenario.sql("insert into bo values (" + ++rows + ")");
        }

        private void recovered() {
            scenario.awaitMarker(bridge, RECOVERED);
            Status.awaitGreen(bridge, Status.RED);
            assertThat(Status.of(bridge).state()).isEqualTo("streaming");
        }

        void cut() {
            row();
            network.cut();
            row();
            recovered();
        }

        void silentUntilPacketsFlowAgain() {
            network.freeze();
            row();
            Status red = Status.awaitRed(bridge);
            assertThat(red.lagMillis()).isNotEqualTo("0");
            assertThat(red.reachable()).isFalse();
            Status.assertStaysRed(bridge, Duration.ofSeconds(5));
            network.pass();
            recovered();
        }

        void silentForOldConnectionsForEver() {
            network.freeze();
            row();
            Status.awaitRed(bridge);
            awaitState("retrying");
            Status.assertStaysRed(bridge, Duration.ofSeconds(5));
            network.passNewOnes();
            recovered();
        }

        void walSenderTerminatedAgainAndAgain() {
            for (int i = 0; i < 5; i++) {
                row();
                scenario.query("select pg_terminate_backend(active_pid)::text from pg_replication_slots where active"
                        + " and slot_name like 'tributary%'");
                row();
                Awaitility.await()
                        .atMost(RECOVERED)
                        .until(() -> !scenario.query(
                                        "select active_pid::text from pg_replication_slots where active and slot_name like"
                                                + " 'tributary%'")
                                .isEmpty());
            }
            recovered();
        }

        void noAnswerFor(Duration outage) {
            long before = attempts();
            long begun = System.nanoTime();
            network.refuse();
            row();
            Status red = Status.awaitRed(bridge);
            assertThat(red.state()).isEqualTo("retrying");
            Status.assertStaysRed(bridge, outage.minusNanos(System.nanoTime() - begun));
            // 1, 2, 4, 8, 16, 30, 30, … seconds, each up to a quarter less
            assertThat(attempts() - before).as("attempts").isBetween(3L, 6 + outage.toSeconds() / 22);
            network.listenAgain();
            recovered();
        }

        void restarted(Shutdown how) {
            row();
            long begun = System.nanoTime();
            scenario.server().stop(how);
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("a DBA waits for a shutdown %s", how)
                    .isLessThan(Duration.ofSeconds(30));
            Status red = Status.awaitRed(bridge);
            assertThat(red.lagMillis()).isNotEqualTo("0");
            Status.assertStaysRed(bridge, Duration.ofSeconds(3));
            scenario.server().startAgain();
            row();
            recovered();
        }

        private void awaitState(String word) {
            Awaitility.await()
                    .atMost(RECOVERED)
                    .until(() -> Status.of(bridge).state().equals(word));
        }

        private long attempts() {
            return bridge.output()
                    .lines()
                    .filter(line -> line.contains("[Bridge] Attempt "))
                    .count();
        }
    }

    /** What comes into the middle of a snapshot. */
    enum SnapshotFault {
        CUT {
            @Override
            void strike(Scenario scenario, FaultyNetwork network, BridgeProcess bridge) {
                network.cut();
                network.pass();
            }
        },
        SILENT_FOR_OLD_CONNECTIONS {
            @Override
            void strike(Scenario scenario, FaultyNetwork network, BridgeProcess bridge) {
                Status.awaitRed(bridge);
                network.passNewOnes();
            }
        },
        SILENT_UNTIL_PACKETS_FLOW {
            @Override
            void strike(Scenario scenario, FaultyNetwork network, BridgeProcess bridge) {
                Status.awaitRed(bridge);
                network.pass();
            }
        },
        BACKEND_TERMINATED {
            @Override
            void strike(Scenario scenario, FaultyNetwork network, BridgeProcess bridge) {
                assertThat(scenario.query("select pg_terminate_backend(pid)::text from pg_stat_activity"
                                + " where query like 'COPY%' and state = 'active' and datname = '"
                                + scenario.database() + "'"))
                        .containsExactly("true");
                network.pass();
            }
        },
        NO_ANSWER {
            @Override
            void strike(Scenario scenario, FaultyNetwork network, BridgeProcess bridge) {
                network.refuse();
                network.pass();
                Status.awaitRed(bridge);
                Status.assertStaysRed(bridge, InLife.scaled(Duration.ofMinutes(1)));
                network.listenAgain();
            }
        },
        FAST_RESTART {
            @Override
            void strike(Scenario scenario, FaultyNetwork network, BridgeProcess bridge) {
                restart(scenario, network, bridge, Shutdown.FAST);
            }
        },
        IMMEDIATE_RESTART {
            @Override
            void strike(Scenario scenario, FaultyNetwork network, BridgeProcess bridge) {
                restart(scenario, network, bridge, Shutdown.IMMEDIATE);
            }
        };

        abstract void strike(Scenario scenario, FaultyNetwork network, BridgeProcess bridge);

        private static void restart(Scenario scenario, FaultyNetwork network, BridgeProcess bridge, Shutdown how) {
            scenario.server().stop(how);
            network.pass();
            Status.awaitRed(bridge);
            scenario.server().startAgain();
        }
    }

    @ParameterizedTest
    @EnumSource(SnapshotFault.class)
    void aSnapshotThatIsHalfReadSurvives(SnapshotFault fault) throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                FaultyNetwork network = new FaultyNetwork(server.port());
                Scenario scenario = new Scenario(server, folder)) {
            // 40 MB: the buffers on the way don't take all of it in, so the server is still at it when nothing passes
            scenario.sql(
                    "create table big(id int primary key, v text)",
                    "insert into big select g, repeat('v', 1000) from generate_series(1, 40000) g");
            network.freezeAfter(4 << 20);
            BridgeProcess bridge = scenario.start(through(network, scenario, "big"));
            Awaitility.await().atMost(RECOVERED).until(network::frozen);
            assertThat(Status.of(bridge).state()).isEqualTo("snapshotting");
            scenario.sql("delete from big where id <= 100", "update big set v = 'u' where id = 40000");

            fault.strike(scenario, network, bridge);
            scenario.sql("insert into big values (50000, 'new')");
            scenario.awaitMarker(bridge, RECOVERED);
            Status.awaitGreen(bridge, Status.RED);

            scenario.assertFoldsToSource("big", "id", "id", "v");
            List<Object> arrived = scenario.rows("big").stream()
                    .filter(row -> List.of("r", "c").contains(row.get("_cdc_op")))
                    .map(row -> row.get("id"))
                    .toList();
            assertThat(new HashSet<>(arrived)).hasSameSizeAs(arrived);
            assertThat(bridge.terminate()).as(bridge::output).isZero();
            assertThat(scenario.slots()).singleElement().asString().startsWith("tributary_s");
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aPasswordThatIsChangedIsToldAndNothingIsLostUntilItsFileHasTheNewOne() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                FaultyNetwork network = new FaultyNetwork(server.port());
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql(
                    "create table bo(id int primary key)",
                    "create role app superuser login replication password 'first-secret'");
            askForPasswords(scenario);
            DecodedHistory oracle = new DecodedHistory(scenario);
            Path secret = Files.writeString(folder.resolve("secret"), "first-secret\n");
            BridgeProcess bridge = scenario.start(asApp(network, scenario)
                    .withoutEnvironment("TRIBUTARY_SOURCE_PASSWORD")
                    .with("tributary.source.password-file", secret.toString()));
            scenario.awaitMarker(bridge);

            scenario.sql("alter role app password 'second-secret'", "insert into bo values (1)");
            scenario.awaitMarker(bridge);
            assertThat(Status.of(bridge).ready()).isEqualTo(200);

            network.cut();
            scenario.sql("insert into bo values (2)");
            Status red = Status.awaitRed(bridge);
            assertThat(red.state()).isEqualTo("retrying");
            Status.assertStaysRed(bridge, Duration.ofSeconds(10));
            assertThat(Status.of(bridge).lag().toString())
                    .contains("refuses user app at localhost:" + network.port())
                    .doesNotContain("-secret");
            BridgeProcess another =
                    scenario.start(asApp(network, scenario).environment("TRIBUTARY_SOURCE_PASSWORD", "first-secret"));
            assertThat(another.awaitExit(RECOVERED)).as(another::output).isEqualTo(2);

            Files.writeString(secret, "second-secret\n");
            scenario.sql("insert into bo values (3)");
            scenario.awaitMarker(bridge, RECOVERED);
            Status.awaitGreen(bridge, Status.RED);
            assertThat(bridge.terminate()).as(bridge::output).isZero();
            assertThat(scenario.streamHistory()).containsExactlyElementsOf(oracle.changes());
            assertThat(bridge.output() + another.output())
                    .doesNotContain("-secret")
                    .doesNotContain("\tat ");
        }
    }

    /** Of everybody but the test itself. */
    private static void askForPasswords(Scenario scenario) {
        String file = scenario.query("show hba_file").get(0);
        scenario.sql(
                "copy (values ('local all all trust'), ('host all postgres all trust'),"
                        + " ('host all all all scram-sha-256'), ('host replication all all scram-sha-256')) to '"
                        + file + "'",
                "select pg_reload_conf()");
        Awaitility.await()
                .until(() -> scenario.query("select count(*)::text from pg_hba_file_rules")
                        .equals(List.of("4")));
    }

    private static BridgeProcess.Setup asApp(FaultyNetwork network, Scenario scenario) {
        return through(network, scenario, "bo").with("tributary.source.username", "app");
    }

    private static BridgeProcess.Setup through(FaultyNetwork network, Scenario scenario, String table) {
        return scenario.setup(table).with("tributary.source.port", Integer.toString(network.port()));
    }
}

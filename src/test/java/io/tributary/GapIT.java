package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes that are missing are refused with exit code 3 before anything is written. */
class GapIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String FILL = "select pg_logical_emit_message(false, 'fill', repeat('x', 1000000))::text";

    /** For tests that change its settings or files. */
    private static TestPostgres own;

    @TempDir
    Path folder;

    @BeforeAll
    static void startServer() {
        own = TestPostgres.start(Version.V18);
    }

    @AfterAll
    static void stopServer() {
        own.close();
    }

    @Test
    void aDroppedSlotIsRefused() throws Exception {
        try (Scenario scenario = seeded()) {
            scenario.query("select pg_drop_replication_slot('tributary_" + scenario.name() + "')::text");

            assertRefused(scenario, "slot");
        }
    }

    @Test
    void aSlotThatWasMadeAnewIsRefused() throws Exception {
        try (Scenario scenario = seeded()) {
            scenario.query("select pg_drop_replication_slot('tributary_" + scenario.name() + "')::text");
            scenario.query(
                    "select pg_create_logical_replication_slot('tributary_" + scenario.name() + "', 'pgoutput')::text");

            assertRefused(scenario, "acknowledged past the stored position");
        }
    }

    @Test
    void aJournalThatIsGoneWhileItsTablesAreThereIsRefused() throws Exception {
        try (Scenario scenario = seeded()) {
            try (Stream<Path> files = Files.walk(scenario.lake().resolve("_tributary"))) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }

            assertRefused(scenario, "the journal is gone");
        }
    }

    @Test
    void aTruncatedJournalObjectIsRefusedByItsPath() throws Exception {
        try (Scenario scenario = seeded()) {
            Path newest;
            try (Stream<Path> files =
                    Files.list(scenario.lake().resolve("_tributary/" + scenario.name() + "/journal"))) {
                newest = files.filter(file -> file.toString().endsWith(".json"))
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
            }
            Files.write(newest, Arrays.copyOf(Files.readAllBytes(newest), (int) Files.size(newest) / 2));

            assertRefused(scenario, newest.getFileName().toString());
        }
    }

    /** C13 V3. */
    @Test
    void aSlotThatWasInvalidatedBeforeTheStartIsRefused() throws Exception {
        try (Scenario scenario = seeded(own)) {
            invalidate(scenario);
            scenario.sql("insert into sl values (3)");

            assertRefused(scenario, "was invalidated (wal_removed)");
        }
    }

    @Test
    void aSlotThatIsInvalidatedWhileStreamingEndsTheBridge() throws Exception {
        try (Scenario scenario = new Scenario(own, folder)) {
            scenario.sql("create table sl(id int primary key)", "insert into sl values (1)");
            BridgeProcess bridge = scenario.start("sl");
            scenario.awaitMarker(bridge);
            bridge.signal("STOP");
            invalidate(scenario);
            scenario.sql("insert into sl values (3)");
            bridge.signal("CONT");

            assertRefusal(scenario, bridge, "slot tributary_" + scenario.name());
            assertRefused(scenario, "was invalidated (wal_removed)");
        }
    }

    @Test
    void aSlotThatWasIdleForTooLongIsRefused() throws Exception {
        try (Scenario scenario = seeded(own)) {
            own.execute("postgres", "alter system set idle_replication_slot_timeout = '1s'", "select pg_reload_conf()");
            await().atMost(PATIENCE).until(() -> {
                own.execute("postgres", "checkpoint");
                return lost(scenario);
            });
            own.execute("postgres", "alter system reset idle_replication_slot_timeout", "select pg_reload_conf()");

            assertRefused(scenario, "was invalidated (idle_timeout)");
        }
    }

    @Test
    void anotherServerBehindTheAddressIsRefused() throws Exception {
        try (Scenario scenario = seeded(TestPostgres.shared(Version.V18))) {
            TestPostgres other = TestPostgres.shared(Version.V14);
            other.execute("postgres", "create database " + scenario.database());
            other.execute(
                    scenario.database(),
                    "create schema shop",
                    "create table shop.sl(id int primary key)",
                    "create table shop.marker(id int primary key)");
            BridgeProcess bridge =
                    scenario.start(scenario.setup("sl").with("tributary.source.port", Integer.toString(other.port())));

            String identifier = "select system_identifier from pg_control_system()";
            assertRefusal(
                    scenario,
                    bridge,
                    "the journal belongs to server "
                            + scenario.query(identifier).get(0) + ", but server "
                            + other.query("postgres", identifier).get(0) + " answers");
        }
    }

    @Test
    void aRestoredBackupIsRefusedAlsoWhenItHasWrittenPastTheStoredPosition() throws Exception {
        try (Scenario scenario = new Scenario(own, folder)) {
            scenario.sql("create table sl(id int primary key)", "insert into sl values (1)");
            BridgeProcess first = scenario.start("sl");
            scenario.awaitMarker(first);
            assertThat(first.terminate()).isZero();
            own.stop();
            try (TestPostgres backup = own.coldCopy()) {
                own.startAgain();
                BridgeProcess second = scenario.start("sl");
                // so far that what the restored server does by itself stays behind
                scenario.query(FILL);
                scenario.sql("insert into sl values (2), (3)");
                scenario.awaitMarker(second);
                assertThat(second.terminate()).isZero();
                own.stop();
                own.restore(backup);
                own.startAgain();
            }

            assertRefused(scenario, "the server's WAL ends before the stored position", 1, 2, 3);
            scenario.query(FILL);
            scenario.query(FILL);
            scenario.sql("insert into sl values (4)");
            assertRefused(scenario, "no commit ends at the stored position", 1, 2, 3);
        }
    }

    private static boolean lost(Scenario scenario) {
        return scenario.query("select wal_status from pg_replication_slots where slot_name = 'tributary_"
                        + scenario.name() + "'")
                .equals(List.of("lost"));
    }

    /** Fills segments until the server drops what the slot needs. */
    private static void invalidate(Scenario scenario) {
        own.execute("postgres", "alter system set max_slot_wal_keep_size = '1MB'", "select pg_reload_conf()");
        await().atMost(PATIENCE).until(() -> {
            scenario.query("select pg_logical_emit_message(false, 'fill', '')::text");
            scenario.query("select pg_switch_wal()::text");
            own.execute("postgres", "checkpoint");
            return lost(scenario);
        });
        own.execute("postgres", "alter system reset max_slot_wal_keep_size", "select pg_reload_conf()");
    }

    private Scenario seeded() {
        return seeded(TestPostgres.shared(Version.V18));
    }

    private Scenario seeded(TestPostgres server) {
        Scenario scenario = new Scenario(server, folder);
        scenario.sql("create table sl(id int primary key)");
        BridgeProcess bridge = scenario.start("sl");
        scenario.sql("insert into sl values (1)");
        scenario.awaitMarker(bridge);
        assertThat(bridge.terminate()).isZero();
        scenario.sql("insert into sl values (2)");
        return scenario;
    }

    private static void assertRefused(Scenario scenario, String message) {
        assertRefused(scenario, message, 1);
    }

    private static void assertRefused(Scenario scenario, String message, Object... rows) {
        assertRefusal(scenario, scenario.start("sl"), message, rows);
    }

    private static void assertRefusal(Scenario scenario, BridgeProcess bridge, String message) {
        assertRefusal(scenario, bridge, message, 1);
    }

    private static void assertRefusal(Scenario scenario, BridgeProcess bridge, String message, Object... rows) {
        assertThat(bridge.awaitExit(PATIENCE)).as(bridge::output).isEqualTo(3);
        assertThat(bridge.output()).contains(message).doesNotContain("\tat ");
        assertThat(scenario.column("sl", "id")).containsExactlyInAnyOrder(rows);
    }
}

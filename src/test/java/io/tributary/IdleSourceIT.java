package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tributary.testing.BridgeProcess;
import io.tributary.testing.DeltaReader;
import io.tributary.testing.InLife;
import io.tributary.testing.Scenario;
import io.tributary.testing.Status;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Captured tables with nothing or little to say: the source keeps no WAL for them, the lake gets no small files. */
class IdleSourceIT {
    private static final Duration MOVED = Duration.ofSeconds(60);
    private static final long MEGABYTE = 1 << 20;

    @TempDir
    Path folder;

    /** C30 */
    @ParameterizedTest
    @EnumSource(Version.class)
    void theSlotMovesWhileOnlyOtherTablesAndDatabasesAreWritten(Version version) throws Exception {
        try (TestPostgres server = TestPostgres.start(version, "checkpoint_timeout", "30s");
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql(
                    "create table quiet(id int primary key)",
                    "create table noisy(id bigserial primary key, p text)",
                    "insert into quiet values (1)");
            String elsewhere = server.createDatabase();
            server.execute(elsewhere, "create table noisy(id bigserial primary key, p text)");
            BridgeProcess bridge = scenario.start("quiet");
            scenario.awaitMarker(bridge);
            long versions = DeltaReader.version(scenario.path("quiet"));
            long handles = handles(bridge);
            long end = System.nanoTime() + InLife.scaled(Duration.ofMinutes(7)).toNanos();
            do {
                String noise = "insert into noisy(p) select repeat('x', 1000) from generate_series(1, 10000)";
                scenario.sql(noise);
                server.execute(elsewhere, noise);
                Awaitility.await()
                        .atMost(MOVED)
                        .untilAsserted(() -> assertThat(behind(scenario)).isLessThan(MEGABYTE));
                Status now = Status.of(bridge);
                assertThat(now.ready()).as("%s", now.lag()).isEqualTo(200);
                assertThat(now.lag().path("source").path("retainedBytes").asLong())
                        .isLessThan(100 * MEGABYTE);
                report(bridge, now);
            } while (System.nanoTime() < end);
            Awaitility.await()
                    .atMost(MOVED)
                    .untilAsserted(
                            () -> assertThat(Status.of(bridge).lagMillis()).isEqualTo("0"));
            assertThat(handles(bridge)).as("open file handles").isLessThan(handles + 20);
            assertThat(DeltaReader.version(scenario.path("quiet"))).isEqualTo(versions);
            bridge.kill();

            assertThat(scenario.query("select (confirmed_flush_lsn <= '0/0'::pg_lsn + " + storedPosition(scenario)
                            + "::numeric)::text from pg_replication_slots"))
                    .as("the slot is not ahead of what the lake holds")
                    .containsExactly("true");
            scenario.sql("insert into quiet values (2)");
            scenario.awaitMarker(scenario.start("quiet"));
            assertThat(scenario.history("quiet", "id")).containsExactly("r:1", "c:2");
        }
    }

    @Test
    void withoutTheIdleMessageTheGuardWarnsAndThenAlarms() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql("create table quiet(id int primary key)", "create table noisy(p text)");
            BridgeProcess bridge = scenario.start(scenario.setup("quiet")
                    .with("tributary.source.idle-message", "false")
                    .with("tributary.guard.warn-retained-wal", "4M")
                    .with("tributary.guard.max-retained-wal", "16M"));
            scenario.awaitMarker(bridge);
            Status.awaitGreen(bridge, MOVED);
            assertThat(Status.of(bridge).lag().path("warnings")).isEmpty();

            scenario.sql("insert into noisy select repeat('x', 1000) from generate_series(1, 6000)");
            Awaitility.await()
                    .atMost(MOVED)
                    .untilAsserted(() -> assertThat(
                                    Status.of(bridge).lag().path("warnings").toString())
                            .contains("tributary.guard.warn-retained-wal=4194304"));
            assertThat(Status.of(bridge).ready()).isEqualTo(200);
            Awaitility.await().until(() -> bridge.output().contains("WARN  [Watch] Retained WAL"));

            scenario.sql("insert into noisy select repeat('x', 1000) from generate_series(1, 14000)");
            Status red = Status.awaitRed(bridge);
            assertThat(red.lag().path("problems").toString()).contains("tributary.guard.max-retained-wal=16777216");
            assertThat(red.state()).isEqualTo("streaming");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(bridge.output())
                            .contains("WARN  [Watch] Retained WAL")
                            .contains("ERROR [Watch] Retained WAL is critical"));
            assertThat(bridge.get("/q/metrics").body()).contains("tributary_retained_wal_level 2.0");

            // a captured row moves the slot, and the server lets go of the log at its next checkpoint
            scenario.awaitMarker(bridge);
            Awaitility.await().atMost(MOVED).until(() -> {
                scenario.sql("checkpoint");
                scenario.awaitMarker(bridge);
                return Status.of(bridge).ready() == 200;
            });
        }
    }

    @Test
    void aSlotThatTheServerWillSoonDropIsCritical() throws Exception {
        try (TestPostgres server = TestPostgres.start(
                        Version.V18, "max_slot_wal_keep_size", "48MB", "max_wal_size", "64MB", "min_wal_size", "32MB");
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql("create table quiet(id int primary key)", "create table noisy(p text)");
            BridgeProcess bridge =
                    scenario.start(scenario.setup("quiet").with("tributary.source.idle-message", "false"));
            scenario.awaitMarker(bridge);
            Status.awaitGreen(bridge, MOVED);

            Awaitility.await().atMost(MOVED).pollInterval(Duration.ofSeconds(3)).untilAsserted(() -> {
                scenario.sql("insert into noisy select repeat('x', 1000) from generate_series(1, 4000)");
                assertThat(Status.of(bridge).lag().path("problems").toString())
                        .containsAnyOf("max_slot_wal_keep_size", "wal_status=unreserved");
            });
            assertThat(Status.of(bridge).ready()).isEqualTo(503);
            assertThat(bridge.output()).contains("WARN  [Watch] Retained WAL");
        }
    }

    /** C73, all times a tenth: 1 row each 100 ms for what is 5 minutes in life. */
    @Test
    void aTrickleMakesFarFewerVersionsThanRowsAndIdlenessNone() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table sf(id bigserial primary key, v text)", "create table still(id int primary key)");
            BridgeProcess bridge = scenario.start(scenario.setup("sf", "still")
                    .with("tributary.batch.max-age", "500ms")
                    .with("tributary.batch.quiet-age", "3s")
                    .with("tributary.batch.min-rows", "100"));
            scenario.awaitMarker(bridge);
            long before = DeltaReader.version(scenario.path("sf"));
            int rows = 300;
            scenario.sql("do $$ begin for i in 1.." + rows + " loop insert into shop.sf(v) values ('x'); commit;"
                    + " perform pg_sleep(0.1); end loop; end $$");
            scenario.awaitMarker(bridge);

            assertThat(scenario.column("sf", "id"))
                    .isEqualTo(IntStream.rangeClosed(1, rows)
                            .mapToObj(Long::valueOf)
                            .toList());
            long versions = DeltaReader.version(scenario.path("sf")) - before;
            assertThat(versions).as("versions for %d rows", rows).isBetween(5L, 13L);
            assertThat(DeltaReader.addedFiles(scenario.path("sf"))).hasSizeLessThanOrEqualTo((int) versions + 1);
            assertThat(DeltaReader.version(scenario.path("still"))).isZero();

            long idleFrom = DeltaReader.version(scenario.path("sf"));
            Awaitility.await()
                    .during(InLife.scaled(Duration.ofMinutes(2)))
                    .atMost(InLife.scaled(Duration.ofMinutes(2)).plusSeconds(10))
                    .until(() -> DeltaReader.version(scenario.path("sf")) == idleFrom);
        }
    }

    private static long behind(Scenario scenario) {
        return Long.parseLong(
                scenario.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::bigint::text"
                                + " from pg_replication_slots where slot_name like 'tributary_s%'")
                        .get(0));
    }

    private static long handles(BridgeProcess bridge) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(bridge.pid()), "fd"))) {
            return open.count();
        }
    }

    private static void report(BridgeProcess bridge, Status now) throws IOException {
        System.out.printf(
                "idle: %d file handles, %d bytes retained, %s%n",
                handles(bridge), now.lag().path("source").path("retainedBytes").asLong(), now.lagMillis());
    }

    /** The position in the newest journal object, as a count of bytes. */
    private static long storedPosition(Scenario scenario) throws IOException {
        try (Stream<Path> objects = Files.list(scenario.lake().resolve("_tributary/" + scenario.name() + "/journal"))) {
            Path newest = objects.filter(file -> file.toString().endsWith(".json"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            JsonNode json = new ObjectMapper().readTree(newest.toFile());
            return json.path("position").path("lsn").asLong();
        }
    }
}

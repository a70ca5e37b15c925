package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.DecodedHistory;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every supported version that the other tests don't run on: existing rows, stream, kill, restart, idle slot. */
class ServerMatrixIT {

    @TempDir
    Path folder;

    /** A few at a time: most of a run is waiting. */
    @Test
    void theBridgeKeepsItsPromisesOnEveryVersion() {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Map<Integer, Future<Void>> runs = new TreeMap<>(Comparator.reverseOrder());
            for (int major : List.of(17, 16, 15, 13, 12, 11, 10)) {
                runs.put(major, threads.submit(() -> capture(major)));
            }
            runs.forEach(
                    (major, run) -> assertThat(run).as("PostgreSQL %d", major).succeedsWithin(Duration.ofMinutes(10)));
        } finally {
            threads.shutdownNow();
        }
    }

    private Void capture(int major) throws Exception {
        try (TestPostgres server = TestPostgres.ofMajor(major);
                Scenario scenario = new Scenario(server, folder.resolve("v" + major))) {
            assertThat(scenario.query("show server_version").get(0)).startsWith(major + ".");
            scenario.sql(
                    "create table t(id int primary key, v text, f float8, r float4, a float8[], n numeric(20,4), b bytea)",
                    "create table u(id int primary key)",
                    "insert into t values " + row(1) + "," + row(2),
                    "insert into u values (1), (2)");
            DecodedHistory oracle = new DecodedHistory(scenario);
            BridgeProcess first = scenario.start("t", "u");
            scenario.awaitMarker(first);
            scenario.sql(
                    "insert into t values " + row(3),
                    "update t set v = 'new' where id = 1",
                    "update t set id = 20 where id = 2",
                    "delete from t where id = 3",
                    "insert into t select g, 'bulk', g, g, null, g, null from generate_series(100, 300) g");
            scenario.awaitMarker(first);
            first.kill();
            scenario.sql(
                    "insert into t values " + row(4),
                    "truncate u",
                    "insert into u values (9)",
                    "alter table t add column w text",
                    "update t set w = 'w' where id = 20");
            BridgeProcess second = scenario.start("t", "u");
            scenario.awaitMarker(second);
            List<String> changes = changesOf("t", oracle.changes());
            assertTheIdleSlotMoves(scenario);

            assertThat(changesOf("t", scenario.streamHistory())).isEqualTo(changes);
            // 10 doesn't publish TRUNCATE: there the table is read anew
            assertThat(scenario.history("u", "id"))
                    .containsExactly("r:1", "r:2", "t:null", major == 10 ? "r:9" : "c:9");
            scenario.assertFoldsToSource("t", "id", "id", "v", "w");
            scenario.assertFoldsToSource("u", "id", "id");
            assertFloatsAreExact(scenario);
            scenario.assertLakeIsSound();
            assertThat(second.terminate()).as(second::output).isZero();
        }
        return null;
    }

    private static List<String> changesOf(String table, List<String> changes) {
        return changes.stream().filter(change -> change.startsWith(table + ":")).toList();
    }

    /** Floats that need all 17 and 9 digits. */
    private static String row(int id) {
        return "(" + id + ", 'v', 0.1::float8 + 0.2::float8, 1.00000012::float4, array[0.1::float8 + 0.2::float8],"
                + " 1234567890.1234, '\\x00ff')";
    }

    private static void assertFloatsAreExact(Scenario scenario) {
        assertThat(scenario.rows("t"))
                .filteredOn(row -> List.of(1, 2, 4, 20).contains(row.get("id"))
                        && !String.valueOf(row.get("_cdc_op")).equals("d"))
                .hasSize(6)
                .allSatisfy(row -> {
                    assertThat(row.get("f")).isEqualTo(0.30000000000000004);
                    assertThat(row.get("r")).isEqualTo(1.0000001f);
                    assertThat(row.get("a")).isEqualTo(List.of(0.30000000000000004));
                });
    }

    /** Another table's changes must not be kept for long. */
    private static void assertTheIdleSlotMoves(Scenario scenario) {
        scenario.sql("create table other(id int)", "insert into other select generate_series(1, 1000)");
        String end = scenario.query("select pg_current_wal_lsn()").get(0);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> scenario.query("select confirmed_flush_lsn >= '" + end + "'::pg_lsn from"
                                + " pg_replication_slots where slot_name = 'tributary_" + scenario.name() + "'")
                        .equals(List.of("t")));
    }
}

package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.DeltaReader;
import io.tributary.testing.HaltStage;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that were there before the capture, on the packaged application. */
class SnapshotIT {

    @TempDir
    Path folder;

    @Test
    void anEmptyTableGetsItsBronzeTable() throws Exception {
        try (Scenario scenario = scenario()) {
            scenario.sql("create table hollow(id int primary key, note varchar(20))");
            BridgeProcess bridge = scenario.start("hollow");
            scenario.awaitMarker(bridge);

            assertThat(scenario.hasTable("hollow")).isTrue();
            assertThat(scenario.rows("hollow")).isEmpty();

            scenario.sql("insert into hollow values (1, 'x')");
            scenario.awaitMarker(bridge);
            assertThat(scenario.history("hollow", "id")).containsExactly("c:1");
        }
    }

    @Test
    void rowsWrittenWhileTheSnapshotRunsArriveOnce() throws Exception {
        try (Scenario scenario = scenario()) {
            scenario.sql(
                    "create table one(id int primary key)",
                    "create table two(id int primary key)",
                    "insert into one select g from generate_series(1, 50000) g",
                    "insert into two select g from generate_series(1, 50000) g");
            AtomicBoolean stop = new AtomicBoolean();
            CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> {
                int id = 100_000;
                while (!stop.get()) {
                    id++;
                    scenario.sql(
                            "begin",
                            "insert into one values (" + id + ")",
                            "insert into two values (" + id + ")",
                            "commit",
                            "delete from one where id = " + (id - 100_000));
                }
                return id;
            });
            BridgeProcess bridge = scenario.start("one", "two");
            scenario.awaitMarker(bridge);
            stop.set(true);
            writer.join();
            scenario.awaitMarker(bridge);

            for (String table : List.of("one", "two")) {
                List<String> arrivals = scenario.history(table, "id").stream()
                        .filter(entry -> !entry.startsWith("d:"))
                        .map(entry -> entry.substring(2))
                        .toList();
                assertThat(new HashSet<>(arrivals)).hasSameSizeAs(arrivals);
                scenario.assertFoldsToSource(table, "id", "id");
            }
            scenario.assertLakeIsSound();
        }
    }

    /** C29 */
    @Test
    void aSnapshotThatDiesHalfWayIsTakenAgainAndNothingBetweenIsLost() throws Exception {
        try (Scenario scenario = scenario()) {
            scenario.sql(
                    "create table sk1(id int primary key, v text)",
                    "create table sk2(id int primary key, v text)",
                    "insert into sk1 select g, 's' from generate_series(1, 200000) g",
                    "insert into sk2 select g, 's' from generate_series(1, 200000) g");
            for (HaltStage stage : List.of(
                    HaltStage.PARQUET_HALF_WRITTEN, HaltStage.INTENT_WRITTEN, HaltStage.FIRST_TABLE_COMMITTED)) {
                BridgeProcess doomed =
                        scenario.start(scenario.setup("sk1", "sk2").halt(stage, 1));
                assertThat(doomed.awaitExit(Duration.ofSeconds(120)))
                        .as(doomed::output)
                        .isEqualTo(137);
            }
            scenario.sql(
                    "update sk1 set v = 'u' where id <= 10",
                    "delete from sk1 where id = 11",
                    "insert into sk2 values (300000, 'new')");
            BridgeProcess bridge = scenario.start("sk1", "sk2");
            scenario.sql("update sk2 set v = 'u2' where id = 1");
            scenario.awaitMarker(bridge);
            assertThat(bridge.terminate()).isZero();

            for (String table : List.of("sk1", "sk2")) {
                scenario.assertFoldsToSource(table, "id", "id", "v");
                List<Object> read = scenario.rows(table).stream()
                        .filter(row -> "r".equals(row.get("_cdc_op")))
                        .map(row -> row.get("id"))
                        .toList();
                assertThat(new HashSet<>(read)).hasSameSizeAs(read);
            }
            assertThat(scenario.slots()).singleElement().asString().startsWith("tributary");
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aTableAddedToTheConfigurationIsReadAndTheOthersAreNot() throws Exception {
        try (Scenario scenario = scenario()) {
            scenario.sql(
                    "create table nt1(id int primary key)",
                    "create table nt2(id int primary key)",
                    "insert into nt1 values (1)",
                    "insert into nt2 values (1), (2), (3)");
            BridgeProcess one = scenario.start("nt1");
            scenario.awaitMarker(one);
            scenario.sql("insert into nt2 values (4)");
            assertThat(one.terminate()).isZero();
            scenario.sql("insert into nt2 values (5)");
            BridgeProcess two = scenario.start("nt1", "nt2");
            scenario.sql("insert into nt2 values (6)", "insert into nt1 values (2)", "delete from nt2 where id = 1");
            scenario.awaitMarker(two);

            scenario.assertFoldsToSource("nt2", "id", "id");
            assertThat(scenario.history("nt1", "id")).containsExactly("r:1", "c:2");
            assertThat(two.terminate()).isZero();

            BridgeProcess without = scenario.start("nt1");
            scenario.awaitMarker(without);
            scenario.sql("delete from nt2 where id = 2");
            assertThat(without.terminate()).isZero();
            BridgeProcess with = scenario.start("nt1", "nt2");
            scenario.awaitMarker(with);
            scenario.assertFoldsToSource("nt2", "id", "id");
            scenario.assertLakeIsSound();
        }
    }

    /** C65 */
    @Test
    void aTransactionOfAMillionRowsIsOneCommitInASmallHeap() throws Exception {
        try (Scenario scenario = scenario()) {
            scenario.sql("create table hx(id int primary key, v text, n int)");
            BridgeProcess first = scenario.start(scenario.setup("hx").jvm("-Xmx512m"));
            scenario.awaitMarker(first);
            scenario.sql("insert into hx select g, md5(g::text), g from generate_series(1, 1000000) g");
            // its rows go to a staged file long before the transaction's end is decoded
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> holdsStagedFile(scenario.path("hx")));
            first.kill();
            assertThat(DeltaReader.version(scenario.path("hx"))).isZero();
            BridgeProcess second = scenario.start(scenario.setup("hx").jvm("-Xmx512m"));
            scenario.sql(
                    "update hx set n = n + 1 where id % 2 = 0",
                    "delete from hx where id <= 100000", "insert into hx values (0, 'end', 0)");
            scenario.awaitMarker(second, Duration.ofSeconds(400));

            Map<String, Long> byOperation = new TreeMap<>();
            AtomicLong sum = new AtomicLong();
            AtomicLong sequence = new AtomicLong();
            DeltaReader.forEachRow(scenario.path("hx"), row -> {
                byOperation.merge(String.valueOf(row.get("_cdc_op")), 1L, Long::sum);
                if ("c".equals(row.get("_cdc_op"))) {
                    sum.addAndGet((Integer) row.get("n"));
                }
            });
            assertThat(byOperation).containsOnly(entry("c", 1_000_001L), entry("u", 500_000L), entry("d", 100_000L));
            assertThat(sum).hasValue(500_000_500_000L);
            List<DeltaReader.AddedFile> files = DeltaReader.addedFiles(scenario.path("hx"));
            // the million is one transaction, so it is one version, whatever number of files it has
            assertThat(files.stream()
                            .filter(file -> file.version() == files.get(0).version())
                            .mapToLong(
                                    file -> file.statistics().get("numRecords").longValue())
                            .sum())
                    .isGreaterThanOrEqualTo(1_000_000);
            assertThat(files).allSatisfy(file -> {
                long lowest = file.statistics().get("minValues").get("_cdc_seq").longValue();
                assertThat(lowest).isGreaterThan(sequence.get());
                sequence.set(file.statistics().get("maxValues").get("_cdc_seq").longValue());
            });
        }
    }

    private static boolean holdsStagedFile(Path table) throws IOException {
        try (Stream<Path> files = Files.list(table)) {
            return files.anyMatch(file -> file.toString().endsWith(".parquet"));
        }
    }

    private Scenario scenario() {
        return new Scenario(TestPostgres.shared(Version.V18), folder);
    }
}

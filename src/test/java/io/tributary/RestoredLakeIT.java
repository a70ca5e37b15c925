package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables, journal or lake that came back from a copy, or are gone: the packaged bridge says so by name, writes nothing into
 * what isn't as it was left, acknowledges nothing, and goes on when it is put right.
 */
class RestoredLakeIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    @Test
    void aTableFromAnOlderCopyBlocksUntilItIsPutRight() throws Exception {
        try (Scenario scenario = seeded()) {
            BridgeProcess first = scenario.start("t", "u");
            scenario.awaitMarker(first);
            scenario.sql("insert into t values (2)", "insert into u values (2)");
            scenario.awaitMarker(first);
            assertThat(first.terminate()).isZero();
            Path newer = folder.resolve("t as it was left");
            copy(scenario.path("t"), newer);
            takeBackOneVersion(scenario.path("t"));
            long version = DeltaReader.version(scenario.path("t"));
            String position = flushed(scenario);
            scenario.sql("insert into t values (3)", "insert into u values (3)");

            BridgeProcess second = scenario.start("t", "u");
            awaitBlocked(second, "shop.t", "the table was restored from an older copy");
            assertThat(second.output()).doesNotContain("\tat io.tributary");
            assertThat(second.get("/q/health/ready").status()).isEqualTo(503);
            assertThat(DeltaReader.version(scenario.path("t"))).isEqualTo(version);
            assertThat(flushed(scenario)).isEqualTo(position);
            assertThat(second.isAlive()).isTrue();

            delete(scenario.path("t"));
            copy(newer, scenario.path("t"));
            scenario.awaitMarker(second, PATIENCE);
            assertThat(second.terminate()).isZero();

            assertThat(scenario.column("t", "id")).containsExactly(1, 2, 3);
            assertThat(scenario.column("u", "id")).containsExactly(1, 2, 3);
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aTableThatIsTakenAwayUnderneathBlocksUntilItIsBack() throws Exception {
        try (Scenario scenario = seeded()) {
            BridgeProcess bridge = scenario.start("t", "u");
            scenario.awaitMarker(bridge);
            Path away = folder.resolve("away");
            Files.move(scenario.path("t"), away);
            scenario.sql("begin", "insert into t values (2)", "insert into u values (2)", "commit");

            awaitBlocked(bridge, "shop.t", "it is gone");
            assertThat(scenario.path("t").resolve("_delta_log")).doesNotExist();
            delete(scenario.path("t"));
            Files.move(away, scenario.path("t"));
            scenario.awaitMarker(bridge, PATIENCE);

            assertThat(scenario.column("t", "id")).containsExactly(1, 2);
            assertThat(scenario.column("u", "id")).containsExactly(1, 2);
            assertThat(bridge.terminate()).isZero();
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aStagedFileThatIsLostAfterTheIntentHoldsUpItsTableOnly() throws Exception {
        try (Scenario scenario = seeded()) {
            BridgeProcess first = scenario.start("t", "u");
            scenario.awaitMarker(first);
            assertThat(first.terminate()).isZero();
            BridgeProcess doomed = scenario.start(scenario.setup("t", "u").halt(HaltStage.INTENT_WRITTEN, 1));
            scenario.sql("begin", "insert into t values (2)", "insert into u values (2)", "commit");
            assertThat(doomed.awaitExit(PATIENCE)).as(doomed::output).isEqualTo(137);
            String position = flushed(scenario);
            Path lost = newest(scenario.path("t"), ".parquet");
            Files.delete(lost);

            BridgeProcess next = scenario.start("t", "u");
            awaitBlocked(next, "shop.t", lost.getFileName().toString(), "is gone");
            assertThat(scenario.column("u", "id")).containsExactly(1, 2);
            assertThat(scenario.column("t", "id")).containsExactly(1);
            assertThat(flushed(scenario)).isEqualTo(position);
            assertThat(next.isAlive()).isTrue();
        }
    }

    @Test
    void aJournalWithoutItsNewestObjectBlocksAndNamesEveryTable() throws Exception {
        try (Scenario scenario = seeded()) {
            BridgeProcess first = scenario.start("t", "u");
            scenario.awaitMarker(first);
            assertThat(first.terminate()).isZero();
            BridgeProcess doomed = scenario.start(scenario.setup("t", "u").halt(HaltStage.DONE_WRITTEN, 1));
            scenario.sql("begin", "insert into t values (2)", "insert into u values (2)", "commit");
            assertThat(doomed.awaitExit(PATIENCE)).as(doomed::output).isEqualTo(137);
            Files.delete(newest(journal(scenario), ".json"));
            Files.delete(newest(journal(scenario), ".done"));
            long version = DeltaReader.version(scenario.path("t"));

            BridgeProcess next = scenario.start("t", "u");
            awaitBlocked(next, "shop.t", "shop.u", "journal objects are lost");
            assertThat(DeltaReader.version(scenario.path("t"))).isEqualTo(version);
            assertThat(scenario.column("t", "id")).containsExactly(1, 2);
        }
    }

    @Test
    void missingMarksAndOldObjectsOfTheJournalHinderNobody() throws Exception {
        try (Scenario scenario = seeded()) {
            BridgeProcess first = scenario.start("t", "u");
            scenario.awaitMarker(first);
            first.kill();
            for (Path mark : files(journal(scenario), ".done")) {
                Files.delete(mark);
            }
            Path old = files(journal(scenario), ".json").get(1);
            Files.delete(old);
            Files.writeString(journal(scenario).resolve("notes.txt"), "an operator's");
            scenario.sql("insert into t values (2)");

            BridgeProcess second = scenario.start("t", "u");
            scenario.awaitMarker(second);
            assertThat(second.terminate()).isZero();
            assertThat(second.output()).contains(old.getFileName().toString());
            assertThat(scenario.column("t", "id")).containsExactly(1, 2);
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aCopyGoesOnAndTheOriginalIsRefusedThen() throws Exception {
        try (Scenario scenario = seeded()) {
            BridgeProcess original = scenario.start("t", "u");
            scenario.awaitMarker(original);
            assertThat(original.terminate()).isZero();
            Path copy = folder.resolve("copy");
            copy(scenario.lake(), copy);
            scenario.sql("insert into t values (2)");
            BridgeProcess moved = scenario.start(
                    scenario.setup("t", "u").with("tributary.lake.path", "halt:" + copy.toAbsolutePath()));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> DeltaReader.rows(copy.resolve("shop/t")).size() == 2);
            assertThat(moved.terminate()).isZero();

            // of two copies the slot belongs to the one that went on; a lake that came back whole is the other
            BridgeProcess left = scenario.start("t", "u");
            assertThat(left.awaitExit(PATIENCE)).as(left::output).isEqualTo(3);
            assertThat(left.output())
                    .contains("acknowledged past the stored position")
                    .doesNotContain("\tat io.tributary");
            assertThat(scenario.column("t", "id")).containsExactly(1);
        }
    }

    @Test
    void ofTwoCopiesThatRunAtOnceOneGoesOnWithoutLossAndTheOtherIsRefused() throws Exception {
        try (Scenario scenario = seeded()) {
            BridgeProcess before = scenario.start("t", "u");
            scenario.awaitMarker(before);
            assertThat(before.terminate()).isZero();
            Path copy = folder.resolve("copy");
            copy(scenario.lake(), copy);

            Map<BridgeProcess, Path> lakes = new LinkedHashMap<>();
            lakes.put(scenario.start("t", "u"), scenario.lake());
            lakes.put(
                    scenario.start(
                            scenario.setup("t", "u").with("tributary.lake.path", "halt:" + copy.toAbsolutePath())),
                    copy);
            scenario.sql("do $$ begin for i in 2..200 loop insert into shop.t values (i); commit;"
                    + " perform pg_sleep(0.05); end loop; end $$");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> lakes.keySet().stream()
                                    .filter(BridgeProcess::isAlive)
                                    .count()
                            == 1);
            for (Map.Entry<BridgeProcess, Path> each : lakes.entrySet()) {
                BridgeProcess bridge = each.getKey();
                Path table = each.getValue().resolve("shop/t");
                if (bridge.isAlive()) {
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(idsOf(table))
                                    .as(bridge::output)
                                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 200)
                                            .boxed()
                                            .toList()));
                    assertThat(bridge.terminate()).isZero();
                } else {
                    assertThat(bridge.awaitExit(PATIENCE)).as(bridge::output).isEqualTo(3);
                    assertThat(bridge.output())
                            .contains("this lake is an older copy of the one that was written last")
                            .contains("The command repair reads every table anew");
                    // whatever it got before is the beginning, without a hole
                    List<Integer> ids = idsOf(table);
                    assertThat(ids)
                            .containsExactlyElementsOf(
                                    IntStream.rangeClosed(1, ids.size()).boxed().toList());
                }
            }
        }
    }

    private static List<Integer> idsOf(Path table) throws IOException {
        return DeltaReader.rows(table).stream()
                .sorted(Comparator.comparing(row -> (Long) row.get("_cdc_seq")))
                .map(row -> (Integer) row.get("id"))
                .toList();
    }

    private Scenario seeded() {
        Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder);
        scenario.sql(
                "create table t(id int primary key)",
                "create table u(id int primary key)",
                "insert into t values (1)",
                "insert into u values (1)");
        return scenario;
    }

    private static void awaitBlocked(BridgeProcess bridge, String... named) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(bridge.get("/lag").body())
                        .as(bridge::output)
                        .contains("\"blocked\"")
                        .contains(named));
    }

    private static String flushed(Scenario scenario) {
        return scenario.query("select confirmed_flush_lsn::text from pg_replication_slots where slot_name = 'tributary_"
                        + scenario.name() + "'")
                .get(0);
    }

    private static Path journal(Scenario scenario) {
        return scenario.lake().resolve("_tributary").resolve(scenario.name()).resolve("journal");
    }

    private static void takeBackOneVersion(Path table) throws IOException {
        long version = DeltaReader.version(table);
        for (String extension : List.of("json", "crc")) {
            Files.deleteIfExists(table.resolve("_delta_log/%020d.%s".formatted(version, extension)));
        }
    }

    private static Path newest(Path folder, String extension) throws IOException {
        List<Path> files = files(folder, extension);
        return files.get(files.size() - 1);
    }

    private static List<Path> files(Path folder, String extension) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().endsWith(extension))
                    .sorted()
                    .toList();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

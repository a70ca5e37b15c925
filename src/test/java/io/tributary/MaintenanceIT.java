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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for what the bridge doesn't decide by itself, on the packaged application. */
class MaintenanceIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void repairReadsEveryTableAnewAfterTheSlotWasLost() throws Exception {
        try (Scenario scenario = seeded()) {
            dropSlot(scenario);
            scenario.sql(
                    "delete from sl where id = 1", "update sl set v = 'x' where id = 2", "insert into sl values (4)");
            for (int start = 0; start < 2; start++) {
                BridgeProcess refused = scenario.start("sl", "other");
                assertThat(refused.awaitExit(PATIENCE)).isEqualTo(3);
                assertThat(refused.output())
                        .contains("slot tributary_" + scenario.name())
                        .contains("The command repair reads every table anew");
            }
            assertThat(scenario.history("sl", "id")).containsExactly("r:1", "c:2", "c:3");

            BridgeProcess repair = command(scenario, "repair");
            assertThat(repair.awaitExit(PATIENCE)).as(repair::output).isZero();
            BridgeProcess bridge = scenario.start("sl", "other");
            scenario.awaitMarker(bridge);
            scenario.sql("insert into sl values (5)");
            scenario.awaitMarker(bridge);

            assertThat(scenario.history("sl", "id"))
                    .startsWith("r:1", "c:2", "c:3", "t:null")
                    .hasSize(8)
                    .endsWith("c:5");
            scenario.assertFoldsToSource("sl", "id", "id", "v");
            // made, first snapshot, stream, second generation, stream
            assertThat(versionsOf(scenario.path("sl"))).hasSize(5);
            assertThat(gaps(scenario)).containsExactly("gap", "repair", "repair", "repair");
            assertThat(bridge.terminate()).isZero();
            BridgeProcess needless = command(scenario, "repair");
            assertThat(needless.awaitExit(PATIENCE)).isEqualTo(2);
            assertThat(needless.output()).contains("nothing is missing");
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aBridgeThatBlocksOnAGapGoesOnAfterTheRepair() throws Exception {
        try (Scenario scenario = seeded()) {
            dropSlot(scenario);
            scenario.sql("delete from sl where id = 1");
            BridgeProcess bridge =
                    scenario.start(scenario.setup("sl", "other").with("tributary.source.on-gap", "block"));
            bridge.awaitState("gap");
            assertThat(bridge.get("/q/health/ready").status()).isEqualTo(503);
            assertThat(bridge.get("/lag").body()).contains("\"state\":\"gap\"").contains("does not exist");

            assertThat(command(scenario, "repair").awaitExit(PATIENCE)).isZero();
            scenario.awaitMarker(bridge);

            scenario.assertFoldsToSource("sl", "id", "id", "v");
            assertThat(bridge.terminate()).isZero();
        }
    }

    @Test
    void whenNeededRepairsByItselfAndLoudly() throws Exception {
        try (Scenario scenario = seeded()) {
            dropSlot(scenario);
            scenario.sql("delete from sl where id = 1", "insert into sl values (4)");
            BridgeProcess bridge =
                    scenario.start(scenario.setup("sl", "other").with("tributary.source.snapshot", "when-needed"));
            scenario.awaitMarker(bridge);

            scenario.assertFoldsToSource("sl", "id", "id", "v");
            assertThat(bridge.output()).contains("Changes are missing").contains("every table is read anew");
            assertThat(gaps(scenario)).containsExactly("gap", "repair", "repair", "repair");
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aWaivedTableLetsTheOthersGoOnAndComesBackReadAnew() throws Exception {
        try (Scenario scenario = seeded()) {
            Path table = scenario.path("sl");
            Path aside = folder.resolve("aside");
            Files.move(table, aside);
            // what another team may put there
            Files.createDirectories(table.resolve("_delta_log"));
            try (Stream<Path> log = Files.list(aside.resolve("_delta_log"))) {
                for (Path file :
                        log.filter(each -> each.toString().endsWith("0.json")).toList()) {
                    String text = Files.readString(file)
                            .replaceAll("\"id\":\"[0-9a-f-]{36}\"", "\"id\":\"11111111-2222-3333-4444-555555555555\"")
                            .replaceAll("tributary\\.[a-z-]+", "another.key");
                    Files.writeString(table.resolve("_delta_log").resolve(file.getFileName()), text);
                }
            }
            BridgeProcess bridge = scenario.start("sl", "other");
            bridge.awaitState("blocked");
            scenario.sql("insert into other values (2)", "insert into sl values (4)");

            BridgeProcess waive = command(scenario, "waive", "shop.sl");
            assertThat(waive.awaitExit(PATIENCE)).as(waive::output).isZero();
            scenario.awaitMarker(bridge);
            assertThat(scenario.column("other", "id")).containsExactly(1, 2);
            assertThat(bridge.get("/lag").body()).contains("waived").contains("shop.sl");
            assertThat(bridge.terminate()).isZero();

            deleteRecursively(table);
            Files.move(aside, table);
            scenario.sql("delete from sl where id = 2");
            BridgeProcess next = scenario.start("sl", "other");
            scenario.sql("insert into sl values (5)");
            scenario.awaitMarker(next);
            scenario.assertFoldsToSource("sl", "id", "id", "v");
            assertThat(gaps(scenario)).containsExactly("waive");
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void redoDecodesAgainWhatWasLostBetweenIntentAndCommit() throws Exception {
        try (Scenario scenario = seeded()) {
            BridgeProcess halting = scenario.start(scenario.setup("sl", "other").halt(HaltStage.INTENT_WRITTEN, 1));
            scenario.sql(
                    "begin; insert into other values (2); insert into sl values (4), (5); update sl set v = 'y' where id = 4; commit");
            assertThat(halting.awaitExit(PATIENCE)).isEqualTo(137);
            List<Path> staged = stagedAndUncommitted(scenario.path("sl"));
            assertThat(staged).isNotEmpty();
            for (Path file : staged) {
                Files.delete(file);
            }
            scenario.sql("insert into sl values (6)");
            BridgeProcess bridge = scenario.start("sl", "other");
            bridge.awaitState("blocked");
            assertThat(bridge.get("/lag").body()).contains("staged file").contains("is gone");

            BridgeProcess redo = command(scenario, "redo", "shop.sl");
            assertThat(redo.awaitExit(PATIENCE)).as(redo::output).isZero();
            scenario.awaitMarker(bridge);

            assertThat(scenario.history("sl", "id")).containsExactly("r:1", "c:2", "c:3", "c:4", "c:5", "u:4", "c:6");
            assertThat(scenario.column("other", "id")).containsExactly(1, 2);
            scenario.assertFoldsToSource("sl", "id", "id", "v");
            assertThat(bridge.terminate()).isZero();
            assertThat(command(scenario, "redo", "shop.sl").awaitExit(PATIENCE)).isEqualTo(2);
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void redoBringsATableThatWasRestoredUpToDate() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table sl(id int primary key, v text)", "create table other(id int primary key)");
            BridgeProcess bridge = scenario.start("sl", "other");
            scenario.sql("insert into sl values (1)");
            scenario.awaitMarker(bridge);
            Path backup = folder.resolve("backup");
            copyRecursively(scenario.path("sl"), backup);
            bridge.signal("STOP");
            scenario.sql("insert into sl values (2)", "insert into other values (1)");
            bridge.kill();
            BridgeProcess halting = scenario.start(scenario.setup("sl", "other").halt(HaltStage.DONE_WRITTEN, 1));
            assertThat(halting.awaitExit(PATIENCE)).isEqualTo(137);
            deleteRecursively(scenario.path("sl"));
            Files.move(backup, scenario.path("sl"));
            BridgeProcess blocked = scenario.start("sl", "other");
            blocked.awaitState("blocked");
            assertThat(blocked.get("/lag").body()).contains("restored from an older copy");

            BridgeProcess redo = command(scenario, "redo", "shop.sl");
            assertThat(redo.awaitExit(PATIENCE)).as(redo::output).isZero();
            scenario.awaitMarker(blocked);
            scenario.assertFoldsToSource("sl", "id", "id");
            assertThat(scenario.rows("sl")).hasSize(2);
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void retireCommitsWhatIsThereAndLeavesNothingBehind() throws Exception {
        try (Scenario scenario = seeded()) {
            scenario.sql("insert into sl values (4)");
            BridgeProcess running = scenario.start("sl", "other");
            scenario.awaitMarker(running);
            BridgeProcess early = command(scenario, "retire", "--now");
            assertThat(early.awaitExit(PATIENCE)).isEqualTo(2);
            assertThat(early.output()).contains("still running");
            assertThat(running.terminate()).isZero();
            scenario.sql("insert into sl values (5)");

            BridgeProcess retire = command(scenario, "retire");
            assertThat(retire.awaitExit(PATIENCE)).as(retire::output).isZero();

            assertThat(scenario.slots()).isEmpty();
            assertThat(scenario.query("select pubname from pg_publication")).isEmpty();
            assertThat(scenario.history("sl", "id")).containsExactly("r:1", "c:2", "c:3", "c:4", "c:5");
            scenario.sql("insert into sl values (6)");
            BridgeProcess again = scenario.start("sl", "other");
            scenario.awaitMarker(again);
            scenario.assertFoldsToSource("sl", "id", "id", "v");
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aWrongRequestIsRefusedWithWhatThereIs() throws Exception {
        try (Scenario scenario = seeded()) {
            BridgeProcess unknown = command(scenario, "waive", "shop.nothing");
            assertThat(unknown.awaitExit(PATIENCE)).isEqualTo(2);
            assertThat(unknown.output())
                    .contains("the journal doesn't know shop.nothing")
                    .contains("shop.sl");
            BridgeProcess healthy = command(scenario, "waive", "shop.sl");
            assertThat(healthy.awaitExit(PATIENCE)).isEqualTo(2);
            assertThat(healthy.output()).contains("nothing to waive").doesNotContain("\tat ");
            assertThat(command(scenario, "waive", "sl").awaitExit(PATIENCE)).isEqualTo(2);
        }
    }

    private Scenario seeded() {
        Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder);
        scenario.sql(
                "create table sl(id int primary key, v text)",
                "create table other(id int primary key)",
                "insert into sl values (1)",
                "insert into other values (1)");
        BridgeProcess bridge = scenario.start("sl", "other");
        scenario.awaitMarker(bridge);
        scenario.sql("insert into sl values (2), (3)");
        scenario.awaitMarker(bridge);
        assertThat(bridge.terminate()).isZero();
        return scenario;
    }

    private static BridgeProcess command(Scenario scenario, String... arguments) {
        BridgeProcess.Setup setup = scenario.setup("sl", "other");
        for (String argument : arguments) {
            setup.argument(argument);
        }
        return scenario.start(setup);
    }

    private static void dropSlot(Scenario scenario) {
        scenario.query("select pg_drop_replication_slot('tributary_" + scenario.name() + "')::text");
    }

    private static List<String> gaps(Scenario scenario) throws IOException {
        return DeltaReader.rows(scenario.lake().resolve("_tributary/" + scenario.name() + "/gaps")).stream()
                .sorted(Comparator.comparing(row -> (Long) row.get("at")))
                .map(row -> String.valueOf(row.get("kind")))
                .toList();
    }

    /** The versions in a log. */
    private static List<String> versionsOf(Path table) throws IOException {
        try (Stream<Path> files = Files.list(table.resolve("_delta_log"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d{20}\\.json"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> stagedAndUncommitted(Path table) throws IOException {
        StringBuilder log = new StringBuilder();
        try (Stream<Path> files = Files.list(table.resolve("_delta_log"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".json")).toList()) {
                log.append(Files.readString(file));
            }
        }
        try (Stream<Path> files = Files.list(table)) {
            return files.filter(file -> file.toString().endsWith(".parquet"))
                    .filter(file -> log.indexOf(file.getFileName().toString()) < 0)
                    .toList();
        }
    }

    private static void copyRecursively(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    private static void deleteRecursively(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

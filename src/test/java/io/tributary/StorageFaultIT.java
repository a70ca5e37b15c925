package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The storage refuses a commit (case C01): the source's position must not move, and nothing is lost afterwards. */
class StorageFaultIT {

    @TempDir
    Path folder;

    @Test
    void aTableFolderThatCantBeWrittenHoldsTheSlotBack() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table t(id int primary key)");
            BridgeProcess bridge = scenario.start("t");
            scenario.sql("insert into t values (1)");
            scenario.awaitMarker(bridge);
            Path table = scenario.path("t");
            // a file where the folder was refuses root too, which a mode doesn't
            Path aside = table.resolveSibling("t.aside");
            Files.move(table, aside);
            Files.writeString(table, "not a folder");
            String before = position(scenario);
            scenario.sql("insert into t values (2), (3)");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> bridge.output().contains("State retrying")
                            || bridge.output().contains("State blocked"));
            assertThat(bridge.output()).contains("shop/t");
            scenario.sql("insert into t values (4)");
            assertThat(scenario.query("select (confirmed_flush_lsn <= '" + before + "')::text from pg_replication_slots"
                            + " where slot_name like 'tributary%" + scenario.name() + "%'"))
                    .containsExactly("true");
            bridge.kill();
            Files.delete(table);
            Files.move(aside, table);
            assertThat(halfWritten(table)).isEmpty();
            BridgeProcess next = scenario.start("t");
            scenario.sql("insert into t values (5)");
            scenario.awaitMarker(next);

            assertThat(scenario.column("t", "id")).containsExactly(1, 2, 3, 4, 5);
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aFaultThatPassesNeedsNoRestart() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table t(id int primary key)");
            BridgeProcess bridge = scenario.start("t");
            scenario.sql("insert into t values (1)");
            scenario.awaitMarker(bridge);
            Path table = scenario.path("t");
            Path aside = table.resolveSibling("t.aside");
            Files.move(table, aside);
            Files.writeString(table, "not a folder");
            scenario.sql("insert into t values (2), (3)");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> bridge.output().contains("State retrying")
                            || bridge.output().contains("State blocked"));
            Files.delete(table);
            Files.move(aside, table);
            scenario.awaitMarker(bridge);

            assertThat(scenario.column("t", "id")).containsExactly(1, 2, 3);
            assertThat(bridge.terminate()).isZero();
            scenario.assertLakeIsSound();
        }
    }

    private static String position(Scenario scenario) {
        return scenario.query("select pg_current_wal_lsn()::text").get(0);
    }

    private static Stream<String> halfWritten(Path table) throws Exception {
        try (Stream<Path> files = Files.list(table.resolve("_delta_log"))) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json") && !name.matches("\\d{20}\\.json"))
                    .toList()
                    .stream();
        }
    }
}

package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes that are missing are refused with exit code 3 before anything is written. */
class GapIT {

    @TempDir
    Path folder;

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

    private Scenario seeded() {
        Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder);
        scenario.sql("create table sl(id int primary key)");
        BridgeProcess bridge = scenario.start("sl");
        scenario.sql("insert into sl values (1)");
        scenario.awaitMarker(bridge);
        assertThat(bridge.terminate()).isZero();
        scenario.sql("insert into sl values (2)");
        return scenario;
    }

    private static void assertRefused(Scenario scenario, String message) {
        BridgeProcess bridge = scenario.start("sl");
        assertThat(bridge.awaitExit(Duration.ofSeconds(60))).as(bridge::output).isEqualTo(3);
        assertThat(bridge.output()).contains(message).doesNotContain("\tat ");
        assertThat(scenario.column("sl", "id")).containsExactly(1);
    }
}

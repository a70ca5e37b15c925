package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A promoted standby goes on where the primary ended, if it has the slot and everything that the lake holds. */
class FailoverIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void aPromotedStandbyWithTheSlotGoesOnWithoutLossOrDoubles() throws Exception {
        try (TestPostgres primary = TestPostgres.start(Version.V18);
                TestPostgres standby = standbys(primary, "copied").get(0);
                Scenario scenario = new Scenario(primary, folder)) {
            standby.standbyOf(primary, "copied", "sync_replication_slots = on").startAgain();
            scenario.sql("create table t(id int primary key)");
            // without it the lake may be ahead of the standby
            primary.execute(
                    "postgres", "alter system set synchronized_standby_slots = 'copied'", "select pg_reload_conf()");
            BridgeProcess first = scenario.start("t");
            scenario.awaitMarker(first);
            scenario.sql("insert into t values (1)");
            scenario.awaitMarker(first);
            await().atMost(PATIENCE)
                    .until(() -> standby.query(
                                    "postgres",
                                    "select slot_name from pg_replication_slots where synced and not temporary"
                                            + " and invalidation_reason is null")
                            .equals(List.of("tributary_" + scenario.name())));
            first.kill();
            scenario.sql("insert into t select generate_series(2, 50)");
            awaitReplayed(primary, standby);
            primary.stop();

            // the address may change before the promotion
            scenario.moveTo(standby);
            BridgeProcess second = scenario.start("t");
            await().atMost(PATIENCE).until(() -> second.output().contains("is a standby"));
            promote(standby);
            scenario.sql("insert into t values (51)");
            scenario.awaitMarker(second);
            assertThat(second.terminate()).as(second::output).isZero();

            scenario.sql("insert into t values (52)");
            BridgeProcess third = scenario.start("t");
            scenario.awaitMarker(third);
            assertThat(scenario.history("t", "id"))
                    .isEqualTo(IntStream.rangeClosed(1, 52)
                            .mapToObj(id -> "c:" + id)
                            .toList());
            scenario.assertLakeIsSound();
            assertThat(newestJournalObject(scenario)).contains("\"timeline\":2");
        }
    }

    @Test
    void aPromotedStandbyThatMissesChangesOrTheSlotIsRefused() throws Exception {
        try (TestPostgres primary = TestPostgres.start(Version.V18)) {
            List<TestPostgres> standbys = standbys(primary, "behind", "slotless");
            try (TestPostgres behind = standbys.get(0);
                    TestPostgres slotless = standbys.get(1);
                    Scenario scenario = new Scenario(primary, folder)) {
                behind.standbyOf(primary, "behind").startAgain();
                slotless.standbyOf(primary, "slotless").startAgain();
                scenario.sql("create table t(id int primary key)");
                awaitReplayed(primary, behind);
                behind.stop();
                BridgeProcess bridge = scenario.start("t");
                scenario.sql("insert into t values (1)");
                scenario.awaitMarker(bridge);
                assertThat(bridge.output()).contains("synchronized_standby_slots: is empty");
                assertThat(bridge.terminate()).isZero();
                scenario.sql("insert into t values (2)");
                awaitReplayed(primary, slotless);
                primary.stop();

                behind.startAgain();
                promote(behind);
                scenario.moveTo(behind);
                assertRefused(scenario, "which left it before the stored position");

                promote(slotless);
                scenario.moveTo(slotless);
                assertRefused(scenario, "the replication slot does not exist");
            }
        }
    }

    private static void assertRefused(Scenario scenario, String message) {
        BridgeProcess bridge = scenario.start("t");
        assertThat(bridge.awaitExit(PATIENCE)).as(bridge::output).isEqualTo(3);
        assertThat(bridge.output())
                .contains(message, "slot tributary_" + scenario.name(), "stored position 0/")
                .doesNotContain("\tat ");
        assertThat(scenario.column("t", "id")).containsExactly(1);
    }

    /** Copies of the primary's files, each with a physical slot of its own to follow it through. */
    private static List<TestPostgres> standbys(TestPostgres primary, String... slots) {
        primary.stop();
        List<TestPostgres> copies =
                Stream.of(slots).map(slot -> primary.coldCopy()).toList();
        primary.startAgain();
        for (String slot : slots) {
            primary.query("postgres", "select pg_create_physical_replication_slot('" + slot + "', true)::text");
        }
        return copies;
    }

    private static void awaitReplayed(TestPostgres primary, TestPostgres standby) {
        String end = primary.query("postgres", "select pg_current_wal_lsn()").get(0);
        await().atMost(PATIENCE)
                .until(() -> standby.query("postgres", "select pg_last_wal_replay_lsn() >= '" + end + "'::pg_lsn")
                        .equals(List.of("t")));
    }

    private static void promote(TestPostgres standby) {
        assertThat(standby.query("postgres", "select pg_promote()")).containsExactly("t");
    }

    private static String newestJournalObject(Scenario scenario) throws IOException {
        try (Stream<Path> files = Files.list(scenario.lake().resolve("_tributary/" + scenario.name() + "/journal"))) {
            return Files.readString(files.filter(file -> file.toString().endsWith(".json"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow());
        }
    }
}

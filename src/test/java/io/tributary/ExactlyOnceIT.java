package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.DecodedHistory;
import io.tributary.testing.HaltStage;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power goes at every stage of the protocol, under single rows, COPY, interleaved transactions and a transaction
 * that is larger than a batch; the server's own decoding says what must stand in bronze (cases C04, C35, C50).
 */
class ExactlyOnceIT {
    private static final Duration PAUSE = Duration.ofMillis(700);
    private static final Duration DEATH = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(TestPostgres.Version.class)
    void everyChangeStandsOnceAndInCommitOrderAfterKillsAtEveryStage(TestPostgres.Version version) throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(version), folder)) {
            scenario.sql(
                    "create table pay(id bigint primary key, amt int not null, note text)",
                    "create table item(id bigint primary key, pay bigint)",
                    "create table bulk(id bigint primary key)");
            DecodedHistory oracle = new DecodedHistory(scenario);
            BridgeProcess first = scenario.start(smallBatches(scenario));
            scenario.awaitMarker(first);
            first.kill();
            Workload workload = new Workload(scenario);
            for (HaltStage stage : rounds(version)) {
                BridgeProcess doomed =
                        scenario.start(smallBatches(scenario).halt(stage, workload.random.nextInt(1, 4)));
                workload.until(doomed, stage);
                assertThat(doomed.awaitExit(DEATH)).as(doomed::output).isEqualTo(137);
            }
            BridgeProcess last = scenario.start(smallBatches(scenario));
            scenario.awaitMarker(last);
            assertThat(last.terminate()).as(last::output).isZero();

            assertThat(scenario.streamHistory()).containsExactlyElementsOf(oracle.changes());
            scenario.assertLakeIsSound();
            scenario.assertFoldsToSource("pay", "id", "id", "amt", "note");
            scenario.assertFoldsToSource("item", "id", "id", "pay");
            scenario.assertFoldsToSource("bulk", "id", "id");

            BridgeProcess again = scenario.start(smallBatches(scenario));
            scenario.awaitMarker(again);
            assertThat(again.terminate()).as(again::output).isZero();
            assertThat(scenario.streamHistory()).containsExactlyElementsOf(oracle.changes());
        }
    }

    /** So small that the largest transactions of the load are larger than a batch. */
    private static BridgeProcess.Setup smallBatches(Scenario scenario) {
        return scenario.setup("pay", "item", "bulk").with("tributary.batch.max-rows", "500");
    }

    /** Each stage twice on the newest server, once on the oldest; checkpoints come too rarely to be among the rounds. */
    private static List<HaltStage> rounds(TestPostgres.Version version) {
        List<HaltStage> rounds = new ArrayList<>();
        for (int i = 0; i < (version == TestPostgres.Version.V18 ? 2 : 1); i++) {
            rounds.addAll(List.of(HaltStage.values()));
        }
        rounds.removeIf(stage -> stage == HaltStage.CHECKPOINT_HALF_WRITTEN);
        return rounds;
    }

    @Test
    void aKillInsideACheckpointLosesNothing() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(TestPostgres.Version.V18), folder)) {
            scenario.sql("create table pay(id bigint primary key, amt int not null)");
            BridgeProcess doomed = scenario.start(scenario.setup("pay")
                    .halt(HaltStage.CHECKPOINT_HALF_WRITTEN, 1)
                    .with("tributary.delta.properties.\"delta.checkpointInterval\"", "3"));
            int id = 0;
            while (!doomed.endsWithin(Duration.ofMillis(50))) {
                scenario.sql("insert into pay values (" + ++id + ", " + id + ")");
            }
            assertThat(doomed.awaitExit(DEATH)).as(doomed::output).isEqualTo(137);
            BridgeProcess next = scenario.start("pay");
            scenario.awaitMarker(next);
            assertThat(next.terminate()).isZero();

            // the first ones by the snapshot, the others by the stream
            assertThat(scenario.column("pay", "id"))
                    .isEqualTo(LongStream.rangeClosed(1, id).boxed().toList());
            scenario.assertLakeIsSound();
        }
    }

    /** Changes of every shape, all from one seed. */
    private static final class Workload {
        private final Scenario scenario;
        private final Random random = new Random(20261130);
        private long nextId = 1;
        private int columns;

        Workload(Scenario scenario) {
            this.scenario = scenario;
        }

        void until(BridgeProcess doomed, HaltStage stage) throws SQLException {
            do {
                singleRows();
                copy();
                interleaved();
                larger();
                if (stage == HaltStage.BEFORE_SCHEMA_COMMIT || stage == HaltStage.SCHEMA_COMMITTED) {
                    scenario.sql("alter table item add column extra" + ++columns + " int");
                }
                // slower than the bridge, so that what is armed comes soon
            } while (!doomed.endsWithin(PAUSE));
        }

        private void singleRows() {
            List<String> statements = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                long id = nextId++;
                statements.add("insert into pay values (" + id + ", " + i + ", 'n" + id + "')");
                if (i % 7 == 0) {
                    statements.add("update pay set amt = amt + 1 where id = " + id);
                }
                if (i % 11 == 0) {
                    statements.add("update pay set id = -id where id = " + id);
                }
            }
            scenario.sql(statements.toArray(String[]::new));
        }

        private void copy() {
            long from = nextId;
            nextId += 500;
            scenario.sql(
                    "copy bulk from program 'seq " + from + " " + (nextId - 1) + "'",
                    "delete from bulk where id = " + from);
        }

        private void interleaved() throws SQLException {
            long a = nextId++;
            long b = nextId++;
            long c = nextId++;
            try (Connection one = scenario.connect();
                    Connection two = scenario.connect();
                    Statement first = one.createStatement();
                    Statement second = two.createStatement()) {
                one.setAutoCommit(false);
                two.setAutoCommit(false);
                first.execute("insert into pay values (" + a + ", 1, 'a')");
                second.execute("insert into pay values (" + b + ", 1, 'b')");
                second.execute("insert into item(id, pay) values (" + b + ", " + b + ")");
                two.commit();
                first.execute("savepoint s");
                first.execute("insert into item(id, pay) values (" + a + ", " + a + ")");
                first.execute("rollback to s");
                first.execute("insert into item(id, pay) values (" + c + ", " + a + ")");
                one.commit();
            }
        }

        /** Larger than a batch: it must not be split. */
        private void larger() {
            long from = nextId;
            nextId += 2000;
            scenario.sql(
                    "insert into item(id, pay) select g, g from generate_series(" + from + ", " + (nextId - 1) + ") g");
        }
    }
}

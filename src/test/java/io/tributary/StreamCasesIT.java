package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.DecodedHistory;
import io.tributary.testing.HaltStage;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The public cases about order, restarts and values, on the packaged application. */
class StreamCasesIT {

    @TempDir
    Path folder;

    /** C35 */
    @Test
    void aCopyWhoseRowsShareOneLsnIsWholeAfterAKillInItsMiddle() throws Exception {
        try (Scenario scenario = scenario(Version.V18)) {
            List<HaltStage> stages =
                    List.of(HaltStage.PARQUET_HALF_WRITTEN, HaltStage.INTENT_WRITTEN, HaltStage.ALL_TABLES_COMMITTED);
            for (int round = 0; round < stages.size(); round++) {
                scenario.sql("create table lg" + round + "(id int primary key)");
            }
            scenario.query(
                    "select pg_create_logical_replication_slot('trap_" + scenario.name() + "', 'test_decoding')::text");
            String[] tables = {"lg0", "lg1", "lg2"};
            BridgeProcess bridge = scenario.start(tables);
            scenario.awaitMarker(bridge);
            bridge.terminate();
            for (int round = 0; round < stages.size(); round++) {
                // armed for the first file or batch after the start, which is the COPY
                BridgeProcess doomed = scenario.start(
                        scenario.setup(tables).halt(stages.get(round), 1).with("tributary.batch.max-rows", "100"));
                scenario.sql("copy lg" + round + " from program 'seq 1 5000'");
                assertThat(doomed.awaitExit(Duration.ofSeconds(60))).isEqualTo(137);
            }
            BridgeProcess last = scenario.start(tables);
            for (String table : tables) {
                scenario.sql("copy " + table + " from program 'seq 6001 6010'");
            }
            scenario.awaitMarker(last);

            List<Object> expected = Stream.concat(
                            IntStream.rangeClosed(1, 5000).boxed(),
                            IntStream.rangeClosed(6001, 6010).boxed())
                    .map(Object.class::cast)
                    .toList();
            for (String table : tables) {
                assertThat(scenario.column(table, "id")).isEqualTo(expected);
            }
            // the trap is armed: far fewer LSNs than rows
            assertThat(scenario.query("select count(distinct lsn)::text from pg_logical_slot_get_changes('trap_"
                                    + scenario.name() + "', null, null) where data like 'table shop.lg0:%'")
                            .get(0))
                    .satisfies(count -> assertThat(Integer.parseInt(count)).isLessThan(100));
            scenario.assertLakeIsSound();
        }
    }

    /** C36 */
    @Test
    void theFirstChangeAfterARestartIsNeverSkipped() throws Exception {
        try (Scenario scenario = scenario(Version.V18)) {
            scenario.sql("create table bl(id int primary key, v int)", "create table uncaptured(id serial)");
            int rounds = 12;
            for (int round = 0; round < rounds; round++) {
                BridgeProcess bridge = scenario.start("bl");
                scenario.sql("insert into bl select coalesce(max(id), 0) + 1, 0 from bl");
                scenario.awaitMarker(bridge);
                if (round % 3 == 0) {
                    scenario.sql("insert into uncaptured default values");
                }
                if (round % 2 == 0) {
                    assertThat(bridge.terminate()).isZero();
                } else {
                    bridge.kill();
                }
                scenario.sql("insert into bl select coalesce(max(id), 0) + 1, 0 from bl");
            }
            BridgeProcess last = scenario.start("bl");
            scenario.awaitMarker(last);

            assertThat(scenario.column("bl", "id"))
                    .isEqualTo(IntStream.rangeClosed(1, 2 * rounds).boxed().toList());
            scenario.assertLakeIsSound();
        }
    }

    /** C50 */
    @ParameterizedTest
    @EnumSource(Version.class)
    void rowsComeInCommitOrderWithoutGhosts(Version version) throws Exception {
        try (Scenario scenario = scenario(version)) {
            scenario.sql("create table co(id int primary key, s text)");
            DecodedHistory oracle = new DecodedHistory(scenario);
            BridgeProcess bridge = scenario.start("co");
            scenario.awaitMarker(bridge);
            try (Connection other = scenario.connect();
                    Statement b = other.createStatement()) {
                other.setAutoCommit(false);
                b.execute("insert into co values (1, 'A1')");
                scenario.sql("insert into co values (2, 'B1')");
                b.execute("insert into co values (3, 'A2')");
                other.commit();
            }
            scenario.sql(
                    "begin",
                    "insert into co values (4, 'k')",
                    "savepoint s",
                    "insert into co values (5, 'rolled back')",
                    "update co set s = 'ghost' where id = 4",
                    "rollback to s",
                    "update co set s = 'k2' where id = 4",
                    "savepoint s2",
                    "insert into co values (6, 'kept')",
                    "release s2",
                    "commit");
            scenario.sql(
                    "begin",
                    "insert into co values (7, 'prepared')",
                    "prepare transaction 'gx1" + scenario.name() + "'");
            scenario.sql("insert into co values (8, 'between')");
            bridge.kill();
            BridgeProcess next = scenario.start("co");
            scenario.sql("commit prepared 'gx1" + scenario.name() + "'");
            scenario.sql(
                    "begin", "insert into co values (9, 'never')", "prepare transaction 'gx2" + scenario.name() + "'");
            scenario.sql("rollback prepared 'gx2" + scenario.name() + "'");
            scenario.awaitMarker(next);

            assertThat(scenario.history("co", "id"))
                    .containsExactly("c:2", "c:1", "c:3", "c:4", "u:4", "c:6", "c:8", "c:7");
            assertThat(scenario.column("co", "s"))
                    .containsExactly("B1", "A1", "A2", "k", "k2", "kept", "between", "prepared");
            assertThat(scenario.streamHistory()).containsExactlyElementsOf(oracle.changes());
        }
    }

    /** C05 */
    @ParameterizedTest
    @EnumSource(Version.class)
    void anUnchangedLargeValueIsNamedAndNeverAPlaceholder(Version version) throws Exception {
        try (Scenario scenario = scenario(version)) {
            scenario.sql(
                    "create table article(id int primary key, views int, body text, raw bytea, doc jsonb, scores int[],"
                            + " keys uuid[])",
                    "alter table article alter body set storage external, alter raw set storage external,"
                            + " alter doc set storage external, alter scores set storage external,"
                            + " alter keys set storage external");
            BridgeProcess bridge = scenario.start("article");
            scenario.awaitMarker(bridge);
            scenario.sql(
                    "insert into article select 1, 0,"
                            + " (select string_agg(md5(i::text), '') from generate_series(1, 1000) i),"
                            + " (select string_agg(decode(md5(i::text), 'hex'), '') from generate_series(1, 2000) i),"
                            + " (select jsonb_object_agg('k' || i, md5(i::text)) from generate_series(1, 500) i),"
                            + " (select array_agg(i) from generate_series(1, 5000) i),"
                            + " (select array_agg(md5(i::text)::uuid) from generate_series(1, 500) i)",
                    "update article set views = 1 where id = 1",
                    "update article set body = null where id = 1",
                    "insert into article(id, views, body) values (2, 0, '__debezium_unavailable_value')",
                    "alter table article replica identity full",
                    "update article set views = 2 where id = 1");
            scenario.awaitMarker(bridge);

            List<Map<String, Object>> rows = scenario.rows("article");
            assertThat(scenario.history("article", "id")).containsExactly("c:1", "u:1", "u:1", "c:2", "u:1");
            assertThat(unchanged(rows.get(0))).isEmpty();
            assertThat(unchanged(rows.get(1))).containsExactlyInAnyOrder("body", "raw", "doc", "scores", "keys");
            assertThat(rows.get(1)).containsEntry("_cdc_image", "partial").containsEntry("body", null);
            assertThat(rows.get(1)).containsEntry("raw", null).containsEntry("doc", null);
            assertThat(rows.get(1)).containsEntry("scores", null).containsEntry("keys", null);
            assertThat(unchanged(rows.get(2))).containsExactlyInAnyOrder("raw", "doc", "scores", "keys");
            assertThat(rows.get(2)).containsEntry("body", null);
            assertThat(rows.get(3)).containsEntry("body", "__debezium_unavailable_value");
            assertThat(unchanged(rows.get(3))).isEmpty();
            assertThat(unchanged(rows.get(4))).isEmpty();
            assertThat(rows.get(4)).containsEntry("_cdc_image", "full").containsEntry("body", null);
            for (String column : List.of("raw", "doc", "scores", "keys")) {
                assertThat(rows.get(4).get(column))
                        .as(column)
                        .isEqualTo(rows.get(0).get(column))
                        .isNotNull();
            }
            assertThat((List<?>) rows.get(0).get("scores"))
                    .isEqualTo(IntStream.rangeClosed(1, 5000).boxed().toList());
            assertThat((List<?>) rows.get(0).get("keys"))
                    .hasSize(500)
                    .first()
                    .isEqualTo("c4ca4238-a0b9-2382-0dcc-509a6f75849b");
        }
    }

    /** C09 */
    @ParameterizedTest
    @EnumSource(Version.class)
    void numericsAreExactInSnapshotAndStream(Version version) throws Exception {
        try (Scenario scenario = scenario(version)) {
            scenario.sql(
                    "create table n(id int primary key, v numeric, k numeric(12,4))",
                    "insert into n values (1, 1, 1), (2, 1.10, 1.1), (3, 0.00000000000000000001, 0.0001),"
                            + " (4, 123456789012345678901234567890.123456789, -12345678.9999), (5, -0.5, null),"
                            + " (6, 1e20, 0), (7, null, 99999999.9999)");
            BridgeProcess bridge = scenario.start("n");
            scenario.awaitMarker(bridge);
            scenario.sql("insert into n select id + 1000, v, k from n order by id");
            scenario.awaitMarker(bridge);

            List<String> texts = new ArrayList<>(List.of(
                    "1",
                    "1.10",
                    "0.00000000000000000001",
                    "123456789012345678901234567890.123456789",
                    "-0.5",
                    "100000000000000000000"));
            texts.add(null);
            List<BigDecimal> decimals = new ArrayList<>(Stream.of("1.0000", "1.1000", "0.0001", "-12345678.9999")
                    .map(BigDecimal::new)
                    .toList());
            decimals.add(null);
            decimals.add(new BigDecimal("0.0000"));
            decimals.add(new BigDecimal("99999999.9999"));
            assertThat(scenario.history("n", "_cdc_op").subList(0, 7)).containsOnly("r:r");
            assertThat(scenario.column("n", "v").subList(0, 7)).isEqualTo(texts);
            assertThat(scenario.column("n", "v").subList(7, 14)).isEqualTo(texts);
            assertThat(scenario.column("n", "k").subList(0, 7)).isEqualTo(decimals);
            assertThat(scenario.column("n", "k").subList(7, 14)).isEqualTo(decimals);
        }
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void aColumnThatIsAddedArrivesWithTheFirstRowThatHasIt(Version version) throws Exception {
        try (Scenario scenario = scenario(version)) {
            scenario.sql("create table grows(id int primary key)", "insert into grows values (1)");
            BridgeProcess bridge = scenario.start("grows");
            scenario.awaitMarker(bridge);
            scenario.sql(
                    "begin",
                    "insert into grows values (2)",
                    "alter table grows add column note text default 'd'",
                    "insert into grows values (3, 'x')",
                    "commit");
            scenario.sql("alter table grows add column later int");
            scenario.sql("insert into grows values (4, 'y', 40)");
            scenario.awaitMarker(bridge);

            assertThat(scenario.history("grows", "id")).containsExactly("r:1", "c:2", "c:3", "c:4");
            assertThat(scenario.column("grows", "note")).containsExactly(null, null, "x", "y");
            assertThat(scenario.column("grows", "later")).containsExactly(null, null, null, 40);
            assertThat(scenario.column("grows", "_cdc_schema_version")).containsExactly(1, 1, 2, 3);
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void anEngineThatLosesItsConnectionOrItsServerDoublesNothing() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql("create table bo(id int primary key)");
            DecodedHistory oracle = new DecodedHistory(scenario);
            // batches that stay open for long, so that each loss comes into one that is filling
            BridgeProcess bridge = scenario.start(
                    scenario.setup("bo").with("tributary.batch.max-age", "3s").with("tributary.batch.quiet-age", "3s"));
            scenario.awaitMarker(bridge);
            for (int i = 1; i <= 3; i++) {
                scenario.sql(
                        "insert into bo select g from generate_series(" + i * 1000 + ", " + (i * 1000 + 400) + ") g");
                scenario.query("select pg_terminate_backend(active_pid)::text from pg_replication_slots where active"
                        + " and slot_name like 'tributary%'");
                scenario.sql("insert into bo values (" + i + ")");
                scenario.awaitMarker(bridge);
                scenario.sql("insert into bo values (" + (i + 100) + ")");
                server.restart();
                scenario.sql("insert into bo values (" + (i + 200) + ")");
                scenario.awaitMarker(bridge);
            }

            assertThat(scenario.streamHistory()).containsExactlyElementsOf(oracle.changes());
            assertThat(bridge.terminate()).isZero();
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aBridgeThatStartsBeforeItsDatabaseWaitsForIt() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql("create table bo(id int primary key)");
            BridgeProcess first = scenario.start("bo");
            scenario.awaitMarker(first);
            first.kill();
            server.stop();
            BridgeProcess second = scenario.start("bo");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> second.output().contains("State retrying"));
            assertThat(second.output()).contains("nothing answers as a database");
            server.startAgain();
            scenario.sql("insert into bo values (1)");
            scenario.awaitMarker(second);

            assertThat(scenario.column("bo", "id")).containsExactly(1);
        }
    }

    @Test
    void aFirstStartWithoutADatabaseIsRefusedAndWritesNothing() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                Scenario scenario = new Scenario(server, folder)) {
            BridgeProcess bridge = scenario.start(scenario.setup().with("tributary.source.port", "1"));

            assertThat(bridge.awaitExit(Duration.ofSeconds(60))).isEqualTo(2);
            assertThat(bridge.output())
                    .contains("tributary.source.port")
                    .doesNotContain("\tat ")
                    .doesNotContain("password=");
            assertThat(scenario.lake()).doesNotExist();
        }
    }

    private Scenario scenario(Version version) {
        return new Scenario(TestPostgres.shared(version), folder);
    }

    private static List<Object> unchanged(Map<String, Object> row) {
        Object names = row.get("_cdc_unchanged");
        return names instanceof List<?> list ? new ArrayList<>(list) : List.of();
    }
}

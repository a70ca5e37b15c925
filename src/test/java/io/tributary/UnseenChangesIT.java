package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes that the stream never shows, since somebody altered the publication or the table: they are read again. */
class UnseenChangesIT {

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Version.class)
    void aTableThatWasAlteredBehindTheStreamIsReadAnew(Version version) throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(version), folder)) {
            List<String> tables = List.of("taken", "anew", "muted", "calm");
            for (String table : tables) {
                scenario.sql(
                        "create table " + table + "(id int primary key, v text)",
                        "insert into " + table + " values (1, 'a'), (2, 'b')");
            }
            BridgeProcess bridge = scenario.start(tables.toArray(String[]::new));
            scenario.awaitMarker(bridge);
            String publication = "tributary_" + scenario.name();
            scenario.sql(
                    "alter publication " + publication + " drop table shop.taken",
                    "insert into taken values (3, 'unseen')",
                    "delete from taken where id = 1");
            scenario.sql(
                    "drop table anew",
                    "create table anew(id int primary key, v text)",
                    "insert into anew values (3, 'unseen')");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(bridge.output())
                            .contains("shop.taken was made anew")
                            .contains("shop.anew was made anew"));
            scenario.awaitMarker(bridge);
            scenario.assertFoldsToSource("taken", "id", "id", "v");
            scenario.assertFoldsToSource("anew", "id", "id", "v");
            assertThat(scenario.history("calm", "id")).containsExactly("r:1", "r:2");

            // off and on again between two looks: only the trace in the catalog tells
            scenario.sql(
                    "alter publication " + publication + " set (publish = 'insert')",
                    "update muted set v = 'unseen' where id = 1",
                    "alter publication " + publication + " set (publish = 'insert, update, delete, truncate')");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(bridge.output()).contains("shop.muted was made anew"));
            scenario.awaitMarker(bridge);
            for (String table : tables) {
                scenario.assertFoldsToSource(table, "id", "id", "v");
            }
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void aTableThatWasAlteredWhileTheBridgeWasDownIsReadAnew() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table t(id int primary key, v text)", "insert into t values (1, 'a'), (2, 'b')");
            BridgeProcess first = scenario.start("t");
            scenario.awaitMarker(first);
            assertThat(first.terminate()).isZero();
            scenario.sql(
                    "alter publication tributary_" + scenario.name() + " drop table shop.t",
                    "update t set v = 'unseen' where id = 2",
                    "alter publication tributary_" + scenario.name() + " add table shop.t");
            BridgeProcess second = scenario.start("t");
            scenario.awaitMarker(second);

            scenario.assertFoldsToSource("t", "id", "id", "v");
            assertThat(scenario.history("t", "id")).containsExactly("r:1", "r:2", "t:null", "r:1", "r:2");
            assertThat(scenario.column("t", "_cdc_snapshot")).containsExactly(1L, 1L, 2L, 2L, 2L);
        }
    }

    @Test
    void sigtermWithABacklogEndsAtTheNextTransactionEnd() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table t(id int primary key, v text)");
            BridgeProcess first = scenario.start("t");
            scenario.awaitMarker(first);
            first.kill();
            scenario.sql("do $$ begin for x in 1..60000 loop insert into shop.t values (x, repeat('v', 200)); commit;"
                    + " end loop; end $$");
            BridgeProcess second = scenario.start("t");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> second.output().contains("to shop.t: version 1"));
            assertThat(second.terminate()).as(second::output).isZero();
            assertThat(second.output()).doesNotContain("\tat ").doesNotContain("still open");
            int arrived = scenario.rows("t").size();
            assertThat(arrived).isBetween(1, 59_999);
            BridgeProcess third = scenario.start("t");
            scenario.awaitMarker(third);

            assertThat(scenario.rows("t")).hasSize(60_000);
            scenario.assertFoldsToSource("t", "id", "id");
        }
    }
}

package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C55 and its kind: capturing never makes the application's statements fail, unless the operator says so. */
class ReplicaIdentityIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void aTableWithoutIdentityIsRefusedBeforeItIsPublished() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql(
                    "create table cap(id int primary key, v text)",
                    "create table nopk(id int, v text)",
                    "insert into nopk values (1, 'a'), (1, 'a')");
            BridgeProcess bridge = scenario.start("cap", "nopk");

            assertThat(bridge.awaitExit(PATIENCE)).as(bridge::output).isEqualTo(2);
            assertThat(bridge.output())
                    .contains("shop.nopk", "REPLICA IDENTITY FULL", "tributary.source.insert-only-tables");
            assertThat(scenario.query("select 1 from pg_publication where pubname like '%" + scenario.name() + "'"))
                    .isEmpty();
            scenario.sql("update nopk set v = 'b'", "delete from nopk");
        }
    }

    @Test
    void duplicateRowsOfAFullIdentityAreAllThere() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql(
                    "create table uncap(id int, v text)",
                    "create table nopk(id int, v text)",
                    "alter table nopk replica identity full",
                    "insert into nopk values (1, 'a'), (1, 'a')",
                    "insert into uncap values (1, 'a')");
            BridgeProcess bridge = scenario.start("nopk");
            scenario.awaitMarker(bridge);
            scenario.sql(
                    "update uncap set v = 'b'",
                    "update nopk set v = 'b'",
                    "delete from nopk",
                    "create table later(id int, v text)",
                    "insert into later values (1, 'x')",
                    "update later set v = 'y'");
            scenario.awaitMarker(bridge);

            assertThat(scenario.history("nopk", "id")).containsExactly("r:1", "r:1", "u:1", "u:1", "d:1", "d:1");
        }
    }

    @Test
    void anInsertOnlyTableIsCapturedAndItsUpdatesFailLoudly() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table clicks(id int)", "insert into clicks values (1)");
            BridgeProcess bridge =
                    scenario.start(scenario.setup("clicks").with("tributary.source.insert-only-tables", "shop.clicks"));
            scenario.awaitMarker(bridge);
            scenario.sql("insert into clicks values (2)");
            scenario.awaitMarker(bridge);

            assertThat(scenario.history("clicks", "id")).containsExactly("r:1", "c:2");
            assertThatThrownBy(() -> scenario.sql("update clicks set id = 3"))
                    .hasMessageContaining("does not have a replica identity");
        }
    }

    @Test
    void anIdentityThatIsLostWhileCapturedIsTold() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql(
                    "create table t(id int constraint t_pk primary key, v text)",
                    "create table calm(id int primary key)");
            BridgeProcess bridge = scenario.start("t", "calm");
            scenario.awaitMarker(bridge);

            scenario.sql("alter table t replica identity nothing");
            awaitTold(bridge, "[shop.t] lost the replica identity");
            assertThat(bridge.get("/lag").body()).contains("[shop.t] lost the replica identity");
            scenario.sql("insert into t values (1, 'a')", "alter table t replica identity default");
            awaitTold(bridge, "has a replica identity again");
            scenario.sql("update t set v = 'b'", "alter table calm drop constraint calm_pkey");
            awaitTold(bridge, "[shop.calm] lost the replica identity");
            scenario.awaitMarker(bridge);
            assertThat(scenario.history("t", "id")).containsExactly("c:1", "u:1");
        }
    }

    private static void awaitTold(BridgeProcess bridge, String message) {
        await().atMost(PATIENCE).until(() -> bridge.output().contains(message));
    }
}

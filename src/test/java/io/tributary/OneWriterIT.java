package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.DecodedHistory;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two instances on one source and one lake (case C28), on the packaged application. */
class OneWriterIT {

    @TempDir
    Path folder;

    @Test
    void aStandbyTakesOverFromAFrozenInstanceAndTheZombieCantCommit() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table ti(id serial primary key)");
            DecodedHistory oracle = new DecodedHistory(scenario);
            // a batch of the frozen instance stays open, so that it wakes up with rows in its hands
            BridgeProcess one = scenario.start(
                    scenario.setup("ti").with("tributary.batch.max-age", "2s").with("tributary.batch.quiet-age", "2s"));
            scenario.awaitMarker(one);
            BridgeProcess two = scenario.start("ti");
            awaitState(two, "standby");
            scenario.sql("insert into ti select from generate_series(1, 1000)");
            scenario.awaitMarker(one);

            scenario.sql("insert into ti select from generate_series(1, 1000)");
            one.signal("STOP");
            scenario.awaitMarker(two);
            one.signal("CONT");
            awaitState(one, "standby");
            scenario.sql("insert into ti select from generate_series(1, 1000)");
            scenario.awaitMarker(two);

            two.kill();
            scenario.sql("insert into ti select from generate_series(1, 1000)");
            scenario.awaitMarker(one);
            assertThat(one.terminate()).isZero();

            assertThat(scenario.streamHistory()).containsExactlyElementsOf(oracle.changes());
            scenario.assertLakeIsSound();
        }
    }

    @Test
    void anotherSourceCantWriteToABronzeTableThatHasAnOwner() throws Exception {
        try (Scenario owner = new Scenario(TestPostgres.shared(Version.V18), folder);
                Scenario intruder = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            owner.sql("create table ti(id serial primary key)");
            BridgeProcess first = owner.start("ti");
            owner.awaitMarker(first);
            intruder.sql("create table ti(id serial primary key)");
            BridgeProcess second = intruder.start("ti");

            assertThat(second.awaitExit(Duration.ofSeconds(60))).isEqualTo(2);
            assertThat(second.output()).contains("shop.marker").contains(owner.name());
            assertThat(intruder.slots()).isEmpty();
        }
    }

    @Test
    void anInstanceThatStartsAfterAnOrderlyEndNeedNotWait() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            BridgeProcess one = scenario.start();
            scenario.awaitMarker(one);
            assertThat(one.terminate()).isZero();
            BridgeProcess two = scenario.start();
            scenario.awaitMarker(two, Duration.ofSeconds(20));
            assertThat(two.output()).doesNotContain("standby");
        }
    }

    private static void awaitState(BridgeProcess bridge, String word) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> bridge.output().contains("State " + word));
    }
}

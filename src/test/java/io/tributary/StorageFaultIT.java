package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import io.tributary.testing.StorageFault;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The storage refuses a commit (case C01): the source's position must not move, and nothing is lost afterwards. */
class StorageFaultIT {
    private static final Duration RED = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(StorageFault.class)
    void aTableThatCantBeWrittenHoldsTheSlotBackUntilItCan(StorageFault fault) throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            scenario.sql("create table t(id int primary key)");
            Path table = scenario.path("t");
            if (fault.needsMount()) {
                assumeThat(System.getProperty("user.name"))
                        .as("only root may mount")
                        .isEqualTo("root");
                Files.createDirectories(table);
                StorageFault.mount(table);
            }
            try {
                throughTheFault(scenario, fault, table);
            } finally {
                if (fault.needsMount()) {
                    StorageFault.unmount(table);
                }
            }
        }
    }

    private static void throughTheFault(Scenario scenario, StorageFault fault, Path table) throws Exception {
        BridgeProcess bridge = scenario.start(scenario.setup("t").withoutRootsPowers());
        scenario.sql("insert into t values (1)");
        scenario.awaitMarker(bridge);
        awaitHealth(bridge, 200);

        fault.begin(table);
        String before = position(scenario);
        scenario.sql("insert into t values (2), (3)");
        awaitHealth(bridge, 503);
        assertThat(bridge.get("/lag").body()).contains("shop/t");
        assertThat(bridge.output()).contains("shop/t").doesNotContain("\tat io.tributary");
        assertHeldBack(scenario, before);
        assertThat(halfWritten(table)).isEmpty();
        fault.end(table);
        scenario.awaitMarker(bridge);
        awaitHealth(bridge, 200);

        fault.begin(table);
        before = position(scenario);
        scenario.sql("insert into t values (4)");
        awaitHealth(bridge, 503);
        // a window to count in: without back-off there would be hundreds
        Awaitility.await()
                .during(Duration.ofSeconds(5))
                .atMost(Duration.ofSeconds(10))
                .until(() -> attempts(bridge) < 12);
        assertHeldBack(scenario, before);
        bridge.kill();
        fault.end(table);
        BridgeProcess next = scenario.start(scenario.setup("t").withoutRootsPowers());
        scenario.sql("insert into t values (5)");
        scenario.awaitMarker(next);

        assertThat(scenario.column("t", "id")).containsExactly(1, 2, 3, 4, 5);
        assertThat(next.terminate()).isZero();
        scenario.assertLakeIsSound();
    }

    private static void awaitHealth(BridgeProcess bridge, int status) {
        Awaitility.await()
                .atMost(RED)
                .untilAsserted(
                        () -> assertThat(bridge.get("/q/health/ready").status()).isEqualTo(status));
    }

    private static void assertHeldBack(Scenario scenario, String position) {
        assertThat(scenario.query("select (confirmed_flush_lsn <= '" + position + "')::text from pg_replication_slots"
                        + " where slot_name like 'tributary%" + scenario.name() + "%'"))
                .containsExactly("true");
    }

    private static long attempts(BridgeProcess bridge) {
        return bridge.output().lines().filter(line -> line.contains("Attempt ")).count();
    }

    private static String position(Scenario scenario) {
        return scenario.query("select pg_current_wal_lsn()::text").get(0);
    }

    private static List<String> halfWritten(Path table) throws IOException {
        Path log = table.resolve("_delta_log");
        if (!Files.isDirectory(log)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(log)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json") && !name.matches("\\d{20}\\.json"))
                    .toList();
        }
    }
}

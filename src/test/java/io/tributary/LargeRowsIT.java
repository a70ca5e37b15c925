package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.DeltaReader;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that is buffered is bounded by bytes, not by rows: large rows in a heap that holds few of them. */
class LargeRowsIT {
    private static final int ROWS = 24;
    private static final int TABLES = 4;
    /** Megabytes of a row. */
    private static final int IN_SNAPSHOT = 13;
    /** Smaller: the engine's queue and batch, and its several copies of the row that it decodes, are beside the encoder's. */
    private static final int IN_STREAM = 5;

    @TempDir
    Path folder;

    @Test
    void rowsOfManyMegabytesPassInASmallHeapFromSnapshotAndStream() throws Exception {
        try (Scenario scenario = new Scenario(TestPostgres.shared(Version.V18), folder)) {
            List<String> tables =
                    IntStream.range(0, TABLES).mapToObj(i -> "wide" + i).toList();
            for (String table : tables) {
                scenario.sql("create table " + table + "(id int primary key, v text)", insert(table, 1, IN_SNAPSHOT));
            }
            BridgeProcess bridge = scenario.start(scenario.setup(tables.toArray(String[]::new))
                    .jvm("-Xmx512m")
                    .jvm("-XX:+ExitOnOutOfMemoryError"));
            scenario.awaitMarker(bridge, Duration.ofMinutes(4));
            // in one transaction over all tables, none of which is large by itself
            scenario.sql(tables.stream()
                    .map(table -> insert(table, 1001, IN_STREAM))
                    .reduce("begin", (all, next) -> all + "; " + next)
                    .concat("; commit"));
            scenario.awaitMarker(bridge, Duration.ofMinutes(4));

            for (String table : tables) {
                Map<Integer, String> arrived = new TreeMap<>();
                DeltaReader.forEachRow(scenario.path(table), row -> {
                    String value = (String) row.get("v");
                    assertThat(value.length() >> 20)
                            .isEqualTo("r".equals(row.get("_cdc_op")) ? IN_SNAPSHOT : IN_STREAM);
                    arrived.put((Integer) row.get("id"), row.get("_cdc_op") + value.substring(0, 32));
                });
                assertThat(arrived.values().stream().sorted())
                        .containsExactlyElementsOf(scenario.query("select case when id > 1000 then 'c' else 'r' end"
                                + " || md5(id::text) from shop." + table + " order by 1"));
            }
            assertThat(bridge.terminate()).as(bridge::output).isZero();
        }
    }

    /** A quarter of all rows. */
    private static String insert(String table, int from, int megabytes) {
        return "insert into " + table + " select g, repeat(md5(g::text), " + ((megabytes << 20) / 32)
                + ") from generate_series(" + from + ", " + (from + ROWS / TABLES - 1) + ") g";
    }
}

package io.tributary.bench;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.DeltaReader;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * How fast the bridge is from the source's log to committed Delta tables, beside the stock engine with a consumer that
 * does nothing, both in a JVM of their own on the same changes of the same server, in turn. Properties:
 * {@code bench.rows} (default 200000 one-row transactions of 20 mixed columns) and {@code bench.rounds} (default 3).
 */
public final class Throughput {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Pattern RESULT = Pattern.compile("noop-millis (\\d+) cpu-millis (\\d+)");
    private static final String HEAP = "-Xmx1g";

    private final Path folder;
    private final Scenario scenario;
    private final TestPostgres server;
    private final long rows = Long.getLong("bench.rows", 200_000);
    private final int rounds = Integer.getInteger("bench.rounds", 3);
    private final PrintStream out;

    private Throughput(Path folder, TestPostgres server, PrintStream out) {
        this.folder = folder;
        this.server = server;
        this.scenario = new Scenario(server, folder);
        this.out = out;
    }

    /** What one run took, from the first change it saw to the last one it was done with. */
    private record Run(double seconds, double cpuSeconds) {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("tributary-bench");
        // the load is generated faster so; both sides read the same log
        try (TestPostgres server =
                TestPostgres.start(Version.V18, "synchronous_commit", "off", "shared_buffers", "256MB")) {
            Throughput bench = new Throughput(folder, server, System.out);
            try {
                bench.measure();
            } finally {
                bench.scenario.close();
            }
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private void measure() throws Exception {
        scenario.sql("create table load(id bigint primary key, a int, b int, c smallint, d bigint, e numeric(12,2),"
                + " f double precision, g real, h boolean, i text, j varchar(40), k char(8), l date, m timestamp,"
                + " n timestamptz, o uuid, p jsonb, q bytea, r text, s int)");
        BridgeProcess first = scenario.start(setup());
        scenario.awaitMarker(first);
        first.terminate();
        scenario.sql("create publication noop for table load");
        List<Run> stock = new ArrayList<>();
        List<Run> bridge = new ArrayList<>();
        out.printf(Locale.ROOT, "%-6s %18s %18s %8s%n", "round", "no-op engine", "tributary", "ratio");
        for (int round = 1; round <= rounds; round++) {
            scenario.query("select pg_create_logical_replication_slot('noop" + round + "', 'pgoutput')::text");
            load(round);
            stock.add(noOp(round));
            bridge.add(tributary(round));
            Run a = stock.get(round - 1);
            Run b = bridge.get(round - 1);
            out.printf(
                    Locale.ROOT,
                    "%-6d %11.0f rows/s %11.0f rows/s %8.2f%n",
                    round,
                    rows / a.seconds(),
                    rows / b.seconds(),
                    a.seconds() / b.seconds());
        }
        out.printf(
                Locale.ROOT,
                "median %11.0f rows/s %11.0f rows/s %8.2f%n",
                rows / median(stock.stream().map(Run::seconds)),
                rows / median(bridge.stream().map(Run::seconds)),
                median(stock.stream().map(Run::seconds))
                        / median(bridge.stream().map(Run::seconds)));
        out.printf(
                Locale.ROOT,
                "CPU seconds of the process, start included: no-op engine %.1f, tributary %.1f%n",
                median(stock.stream().map(Run::cpuSeconds)),
                median(bridge.stream().map(Run::cpuSeconds)));
    }

    private void load(int round) {
        long from = (round - 1) * rows + 1;
        scenario.sql("do $$ begin for x in " + from + ".." + (from + rows - 1) + " loop"
                + " insert into shop.load values (x, x, x % 1000, x % 100, x * 7, x / 7.0, x / 3.0, x / 9.0, x % 2 = 0,"
                + " 'customer ' || x, 'city ' || x % 500, 'k' || x % 90, date '2024-01-01' + (x % 900)::int,"
                + " timestamp '2024-01-01' + x * interval '1 second',"
                + " timestamptz '2024-01-01 00:00+00' + x * interval '1 second', md5(x::text)::uuid,"
                + " jsonb_build_object('n', x), decode(md5(x::text), 'hex'), md5((x * 3)::text), x % 77);"
                + " commit; end loop; end $$");
    }

    private BridgeProcess.Setup setup() {
        return scenario.setup("load")
                .jvm(HEAP)
                .optimized()
                .with("tributary.batch.max-age", "1s")
                .with("tributary.batch.quiet-age", "1s");
    }

    private Run noOp(int round) throws IOException, InterruptedException {
        Path log = folder.resolve("noop-" + round + ".log");
        List<String> command = List.of(
                ProcessHandle.current().info().command().orElse("java"),
                HEAP,
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-cp",
                BridgeProcess.classPath(),
                NoOpEngine.class.getName(),
                Integer.toString(server.port()),
                scenario.database(),
                server.user(),
                "noop" + round,
                "noop",
                "shop.load",
                Long.toString(rows),
                Files.createTempDirectory(folder, "offsets").toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException("the no-op engine failed: " + Files.readString(log));
        }
        Matcher result = RESULT.matcher(Files.readString(log));
        if (!result.find()) {
            throw new IllegalStateException("the no-op engine printed no result: " + Files.readString(log));
        }
        scenario.query("select pg_drop_replication_slot('noop" + round + "')::text");
        return new Run(Long.parseLong(result.group(1)) / 1000.0, Long.parseLong(result.group(2)) / 1000.0);
    }

    private Run tributary(int round) throws IOException {
        long before = committed();
        Path table = scenario.path("load");
        long version = DeltaReader.version(table);
        BridgeProcess bridge = scenario.start(setup());
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> committed() == before + rows);
        double cpu = ProcessHandle.of(bridge.pid())
                        .flatMap(process -> process.info().totalCpuDuration())
                        .orElseThrow()
                        .toMillis()
                / 1000.0;
        bridge.terminate();
        AtomicLong firstDecoded = new AtomicLong(Long.MAX_VALUE);
        long from = (round - 1) * rows + 1;
        DeltaReader.forEachRow(table, row -> {
            if (row.get("id") instanceof Long id && id >= from) {
                firstDecoded.accumulateAndGet((Long) row.get("_cdc_ingest_time"), Math::min);
            }
        });
        long last = DeltaReader.version(table);
        if (last == version) {
            throw new IllegalStateException("nothing was committed");
        }
        long lastCommitMillis = Files.getLastModifiedTime(
                        table.resolve("_delta_log").resolve("%020d.json".formatted(last)))
                .toMillis();
        return new Run(lastCommitMillis / 1000.0 - firstDecoded.get() / 1_000_000.0, cpu);
    }

    private long committed() throws IOException {
        return DeltaReader.addedFiles(scenario.path("load")).stream()
                .mapToLong(file -> file.statistics().get("numRecords").longValue())
                .sum();
    }

    private static double median(Stream<Double> values) {
        List<Double> sorted = values.sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}

package io.tributary.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts a payments database with people at work on it, lets the packaged application capture it into Delta tables of
 * a local folder, and prints what arrives until it is interrupted or {@code demo.seconds} have passed.
 */
public final class Demo {
    private static final Duration PACE = Duration.ofSeconds(3);
    /** A child that hadn't yet started when it was stopped. */
    private static final int TERMINATED = 143;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder = Path.of(System.getProperty("demo.folder", "target/demo"))
            .toAbsolutePath()
            .normalize();
    private final Path application = Path.of(System.getProperty("demo.application", "target/quarkus-app"));
    private final PrintStream out = System.out;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile int exitCode = 1;

    private Demo() {}

    public static void main(String... args) throws Exception {
        Demo demo = new Demo();
        // Ctrl-C and SIGTERM: the JVM (Maven's own) ends when the hook does, with the demo's exit code
        Runtime.getRuntime().addShutdownHook(new Thread(demo::interrupted, "demo-stop"));
        try {
            demo.run(Long.getLong("demo.seconds", Long.MAX_VALUE));
        } finally {
            demo.stopped.countDown();
        }
        if (demo.exitCode != 0) {
            throw new IllegalStateException(
                    "the bridge ended with exit code " + demo.exitCode + ", see " + demo.folder + "/tributary.log");
        }
    }

    private void interrupted() {
        if (stopped.getCount() == 0) {
            return;
        }
        stop.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(exitCode);
    }

    private void run(long seconds) throws IOException, SQLException, InterruptedException {
        deleteOldRun();
        say("Starting PostgreSQL with a payments database …");
        try (PaymentsDatabase database = PaymentsDatabase.start(folder.resolve("postgres"));
                PaymentsLoad load = new PaymentsLoad(database.connect());
                BridgeChild bridge = BridgeChild.start(application, folder, settings(database))) {
            say("  database   postgresql://localhost:" + database.port() + "/postgres (user postgres, no password)");
            say("  tables     " + folder.resolve("lake") + " (Delta: bank/customers, bank/accounts, bank/payments)");
            say("  settings   " + folder.resolve("config/application.properties"));
            say("  log        " + folder.resolve("tributary.log"));
            say("  lag        " + bridge.address() + "/lag");
            say("  status     " + bridge.address() + "/");
            say("Ctrl-C ends it.");
            load.start();
            watch(bridge, System.nanoTime(), seconds);
            load.stop();
            say("Stopping: the bridge commits what it has decoded …");
            int code = bridge.drain();
            exitCode = code == TERMINATED ? 0 : code;
            say("Bridge stopped with exit code " + exitCode + "; the tables stay in " + folder.resolve("lake"));
        }
    }

    private void watch(BridgeChild bridge, long began, long seconds) throws IOException, InterruptedException {
        while (bridge.isAlive() && !stop.await(PACE.toMillis(), TimeUnit.MILLISECONDS)) {
            Optional<String> lag = bridge.lag();
            if (lag.isPresent()) {
                say(summary(JSON.readTree(lag.get())));
            }
            if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) >= seconds) {
                return;
            }
        }
    }

    private static String summary(JsonNode lag) {
        StringBuilder line = new StringBuilder("%-12s lag %-9s"
                .formatted(
                        lag.path("state").asText(),
                        lag.path("lagMillis").isNull()
                                ? "unknown"
                                : lag.path("lagMillis").asLong() + " ms"));
        for (JsonNode table : lag.path("tables")) {
            line.append("  %s: %,d rows, version %s"
                    .formatted(
                            table.path("table").asText(),
                            table.path("rowsCommitted").asLong(),
                            table.path("deltaVersion").asText("-")));
        }
        return line.toString();
    }

    private String settings(PaymentsDatabase database) {
        return """
                tributary.source.name=bank
                tributary.source.kind=postgres
                tributary.source.hostname=localhost
                tributary.source.port=%d
                tributary.source.database=postgres
                tributary.source.username=%s
                tributary.source.password=%s
                tributary.source.tables=bank.*
                tributary.source.publication=tributary_bank
                tributary.lake.path=%s
                tributary.batch.max-age=2s
                tributary.batch.min-rows=1
                """.formatted(
                        database.port(),
                        PaymentsDatabase.USER,
                        PaymentsDatabase.PASSWORD,
                        folder.resolve("lake").toUri());
    }

    private void deleteOldRun() throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(folder);
    }

    private void say(String line) {
        out.println("[demo] " + line);
        out.flush();
    }
}

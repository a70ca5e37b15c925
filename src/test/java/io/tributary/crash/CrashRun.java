package io.tributary.crash;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import io.tributary.testing.TestPostgres;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The crash test: load on a real server, faults on the packaged bridge, and an audit against the server's own decoding
 * whenever the load pauses. What a run leaves in its folder: the lake, a log of every life, {@code source.txt} with all
 * that the server said, and {@code differences.txt} if there are any.
 */
final class CrashRun {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int READING_LIVES = 3;
    private static final int PERIODS_PER_LATE_TABLE = 4;

    private final CrashPlan plan;
    private final PrintStream out;
    private final Tally tally = new Tally();
    private final Audit audit = new Audit(LoadTables.keys(), LoadTables.INVARIANT);
    private final long began = System.nanoTime();
    private int periods;

    CrashRun(CrashPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    /** Runs to the end or to the first difference; true when there was none. */
    boolean run() throws Exception {
        say("seed " + plan.seed() + ", PostgreSQL " + plan.server() + ", folder " + plan.folder());
        empty(plan.folder());
        try (TestPostgres server = TestPostgres.start(plan.server(), "deadlock_timeout", "100ms");
                Scenario scenario = new Scenario(server, plan.folder())) {
            LoadTables.create(scenario);
            SourceLog source =
                    new SourceLog(scenario, LoadTables.KEYLESS, plan.folder().resolve("source.txt"));
            BronzeLog bronze = new BronzeLog(scenario.lake().resolve("shop"));
            try (Load load = new Load(scenario, plan.seed());
                    Lives lives = new Lives(scenario, new Random(plan.seed()), plan.storageFailures(), tally)) {
                load.start();
                Periods work = new Periods(scenario, load, lives, source, bronze);
                work.untilOver();
                if (audit.findings().clean()) {
                    work.last();
                }
            } catch (RuntimeException | AssertionError e) {
                e.printStackTrace(out);
                audit.findings().other(String.valueOf(e.getMessage()));
            }
        }
        report();
        return audit.findings().clean();
    }

    /** The work between the start and the end of load and bridge. */
    private final class Periods {
        private final Scenario scenario;
        private final Load load;
        private final Lives lives;
        private final SourceLog source;
        private final BronzeLog bronze;
        private final Random random = new Random(~plan.seed());

        Periods(Scenario scenario, Load load, Lives lives, SourceLog source, BronzeLog bronze) {
            this.scenario = scenario;
            this.load = load;
            this.lives = lives;
            this.source = source;
            this.bronze = bronze;
        }

        void untilOver() throws Exception {
            for (int life = 0; life < READING_LIVES; life++) {
                suffer(Fault.KILL, Moment.READING);
            }
            int audited = tally.kills();
            while (!plan.reached(elapsed(), tally.kills())) {
                suffer(Fault.any(random), Moment.any(random));
                if (tally.kills() - audited >= plan.killsPerPeriod()) {
                    if (!compare()) {
                        return;
                    }
                    nextPeriod();
                    audited = tally.kills();
                }
            }
            compare();
        }

        private void suffer(Fault fault, Moment moment) {
            String what = lives.suffer(fault, moment);
            say("kill " + tally.kills() + ": " + what + "; " + load.committed() + " transactions so far");
        }

        /** With the load at rest. */
        private boolean compare() throws Exception {
            try {
                load.pause();
                long since = System.nanoTime();
                BridgeProcess bridge = lives.healthy();
                scenario.awaitMarker(bridge, PATIENCE);
                Duration took = Duration.ofNanos(System.nanoTime() - since);
                tally.recovered(took);
                say("everything had arrived %.1f s after the load paused".formatted(took.toMillis() / 1000.0));
                audit();
            } finally {
                load.goOn();
            }
            return audit.findings().clean();
        }

        private void nextPeriod() {
            // before, a snapshot might have found a table without a row that tells where it was taken
            load.allowTruncate();
            if (++periods % PERIODS_PER_LATE_TABLE == 0 && lives.addLateTable()) {
                say("one more table from the next start on: late" + lives.lateTables());
                suffer(Fault.KILL, Moment.WORKING);
                suffer(Fault.KILL, Moment.READING);
            }
        }

        /** An orderly end leaves nothing behind, and a start after it adds nothing. */
        void last() throws Exception {
            load.close();
            lives.healthy();
            lives.end();
            BridgeProcess again = lives.healthy();
            scenario.awaitMarker(again, PATIENCE);
            lives.end();
            audit();
            List<String> slots = scenario.query("select slot_name from pg_replication_slots where database ="
                    + " current_database() and slot_name not in ('tributary_" + scenario.name() + "', 'oracle_"
                    + scenario.name() + "')");
            if (!slots.isEmpty()) {
                audit.findings().other("slots are left behind: " + slots);
            }
        }

        private void audit() throws IOException, SQLException {
            Set<String> tables = new TreeSet<>(LoadTables.all(lives.lateTables()));
            tables.add("marker");
            audit.compare(source.read(), bronze.read(tables));
            for (String table : tables) {
                String key = LoadTables.keys().getOrDefault(table, "").replaceFirst(":.*", "");
                audit.compareState(table, SourceState.read(scenario, table, key));
            }
            say(audit.findings().summary());
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private void report() throws IOException {
        Findings findings = audit.findings();
        say("seed " + plan.seed() + ": " + tally.kills() + " kills of the bridge; faults: " + tally.faults());
        say(findings.summary());
        say(tally.times());
        tally.unexpected()
                .forEach((failure, times) -> say("went on after an unexpected failure, " + times + " x: " + failure));
        if (!findings.clean()) {
            findings.objections().forEach(out::println);
            Path file = plan.folder().resolve("differences.txt");
            Files.write(file, findings.objections());
            say("FAILED; see " + file + ", the lake, the logs and source.txt beside it");
        }
    }

    private void say(String what) {
        out.printf("%8.1f s  %s%n", elapsed().toMillis() / 1000.0, what);
    }

    private static void empty(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
        Files.createDirectories(folder);
    }
}

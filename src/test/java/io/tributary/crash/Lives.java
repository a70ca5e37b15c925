package io.tributary.crash;

import io.tributary.testing.BridgeProcess;
import io.tributary.testing.Scenario;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The lives of the bridge, one after the other, each with a storage, a batch size and an end of chance. A bridge that
 * doesn't get to its work, or that ends by itself, is a failure of the run.
 */
final class Lives implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** How long a bridge may try in vain when its storage fails. */
    private static final Duration STRUGGLE = Duration.ofSeconds(40);

    private static final long LOOK = 50;
    private static final String COMMITTED = "Committed batch";
    private static final String STREAMING = "State streaming";
    private static final int[] BATCH_ROWS = {50, 200, 1_000};
    private static final int LARGE_BATCH = 5_000;
    private static final int[] FAILURES_PER_MILLE = {0, 0, 0, 10, 30, 60};

    private final Scenario scenario;
    private final Random random;
    private final int[] failuresPerMille;
    private final Tally tally;
    private int late;
    private @Nullable BridgeProcess current;
    private long startedNanos;
    private boolean flaky;

    /** @param storageFailures how many of 1000 writes fail in every life; empty for a mix */
    Lives(Scenario scenario, Random random, OptionalInt storageFailures, Tally tally) {
        this.scenario = scenario;
        this.random = random;
        this.failuresPerMille =
                storageFailures.isPresent() ? new int[] {storageFailures.getAsInt()} : FAILURES_PER_MILLE;
        this.tally = tally;
    }

    /** From the next life on one more table is captured; false when there is none. */
    boolean addLateTable() {
        if (late == LoadTables.LATE) {
            return false;
        }
        late++;
        return true;
    }

    int lateTables() {
        return late;
    }

    /** Lets a fault come at a moment of chance, and says what it was. */
    String suffer(Fault fault, Moment moment) {
        BridgeProcess bridge = fault == Fault.FREEZE ? healthy() : livingOrNew();
        String when = await(bridge, fault == Fault.FREEZE ? Moment.WORKING : moment);
        tally.count(fault);
        switch (fault) {
            case KILL -> bridge.kill();
            case TERMINATE -> terminate(bridge);
            case CUT -> cut();
            case RESTART -> scenario.server().restart();
            case FREEZE -> freeze(bridge);
        }
        if (fault == Fault.KILL || fault == Fault.TERMINATE) {
            buried(bridge);
        }
        return fault + " " + when;
    }

    /** A bridge whose storage doesn't fail; one that has another storage is killed. */
    BridgeProcess healthy() {
        if (current != null && flaky) {
            tally.count(Fault.KILL);
            current.kill();
            buried(current);
        }
        return current == null ? begin(0, LARGE_BATCH) : current;
    }

    /** Ends the living one in order. */
    void end() {
        if (current != null) {
            BridgeProcess last = current;
            int code = last.terminate();
            if (code != 0) {
                throw new IllegalStateException("SIGTERM ended the bridge with exit code " + code);
            }
            buried(last);
        }
    }

    private BridgeProcess livingOrNew() {
        return current == null ? begin(any(failuresPerMille), any(BATCH_ROWS)) : current;
    }

    private BridgeProcess begin(int failuresPerMille, int batchRows) {
        BridgeProcess bridge = scenario.start(setup(failuresPerMille, batchRows));
        startedNanos = System.nanoTime();
        flaky = failuresPerMille > 0;
        current = bridge;
        return bridge;
    }

    private BridgeProcess.Setup setup(int failuresPerMille, int batchRows) {
        return scenario.setup(LoadTables.all(late).toArray(String[]::new))
                .with("tributary.lake.path", "flaky:" + scenario.lake().toAbsolutePath())
                .with("flaky.per-mille", Integer.toString(failuresPerMille))
                .with("flaky.seed", Long.toString(random.nextLong()))
                .with("tributary.batch.max-rows", Integer.toString(batchRows))
                .jvm("-Xmx512m");
    }

    private int any(int[] choices) {
        return choices[random.nextInt(choices.length)];
    }

    private String await(BridgeProcess bridge, Moment moment) {
        int chance = random.nextInt(1_000);
        switch (moment) {
            case STARTING -> pause(chance * 4L);
            case READING -> {
                awaitWork(bridge, "State snapshotting", STREAMING);
                pause(chance);
            }
            case WORKING -> {
                awaitWork(bridge, COMMITTED);
                pause(chance * 2L);
            }
            case LATER -> {
                awaitWork(bridge, COMMITTED);
                pause(2_000 + chance * 4L);
            }
        }
        if (!bridge.isAlive()) {
            throw new IllegalStateException("the bridge ended by itself");
        }
        return "%.1f s after its start%s"
                .formatted((System.nanoTime() - startedNanos) / 1e9, flaky ? ", its storage failing now and then" : "");
    }

    private void awaitWork(BridgeProcess bridge, String... anyOf) {
        if (flaky) {
            // it may take many attempts, and none need succeed
            says(bridge, STRUGGLE, anyOf);
        } else {
            awaitOutput(bridge, anyOf);
            tally.started(Duration.ofNanos(System.nanoTime() - startedNanos));
        }
    }

    private void terminate(BridgeProcess bridge) {
        int code = bridge.terminate();
        // 143: it was still too young to have a handler
        if (code != 0 && code != 143) {
            throw new IllegalStateException("SIGTERM ended the bridge with exit code " + code);
        }
    }

    private void cut() {
        scenario.query("select pg_terminate_backend(active_pid)::text from pg_replication_slots where slot_name ="
                + " 'tributary_" + scenario.name() + "' and active");
    }

    /** The zombie or its successor dies, and the other one goes on. */
    private void freeze(BridgeProcess frozen) {
        BridgeProcess second = scenario.start(setup(0, any(BATCH_ROWS)));
        awaitOutput(second, "State standby");
        frozen.signal("STOP");
        awaitOutput(second, STREAMING);
        pause(random.nextInt(2_000));
        frozen.signal("CONT");
        if (random.nextInt(3) == 0) {
            awaitOutput(frozen, "State standby");
            second.kill();
            buried(second);
            current = frozen;
        } else {
            pause(random.nextInt(2_000));
            frozen.kill();
            buried(frozen);
            current = second;
            flaky = false;
        }
    }

    private void buried(BridgeProcess bridge) {
        tally.output(bridge.output());
        if (bridge == current) {
            current = null;
        }
    }

    private static void awaitOutput(BridgeProcess bridge, String... anyOf) {
        if (!says(bridge, PATIENCE, anyOf)) {
            throw new IllegalStateException(
                    (bridge.isAlive() ? "stalled for " + PATIENCE : "the bridge ended by itself") + " before it said '"
                            + String.join("' or '", anyOf) + "'");
        }
    }

    /** Whether it prints one of these texts before the patience or its life is over. */
    private static boolean says(BridgeProcess bridge, Duration patience, String... anyOf) {
        long until = System.nanoTime() + patience.toNanos();
        while (true) {
            // in this order: what it printed last must not be missed
            boolean over = !bridge.isAlive() || System.nanoTime() - until > 0;
            String output = bridge.output();
            if (Arrays.stream(anyOf).anyMatch(output::contains)) {
                return true;
            }
            if (over) {
                return false;
            }
            pause(LOOK);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (current != null) {
            current.close();
        }
    }
}

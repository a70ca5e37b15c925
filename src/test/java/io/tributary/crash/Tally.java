package io.tributary.crash;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** What a run counts besides the changes. */
final class Tally {
    private static final String STORAGE_FAILURE = "flaky storage:";
    private static final String UNEXPECTED = "Unexpected failure";

    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
    private final Map<String, Integer> unexpected = new TreeMap<>();
    private long storageFailures;
    private Duration longestStart = Duration.ZERO;
    private Duration longestRecovery = Duration.ZERO;

    void count(Fault fault) {
        faults.merge(fault, 1, Integer::sum);
    }

    /** From the start of a process until its first commit. */
    void started(Duration took) {
        longestStart = took.compareTo(longestStart) > 0 ? took : longestStart;
    }

    /** From the last fault until everything had arrived. */
    void recovered(Duration took) {
        longestRecovery = took.compareTo(longestRecovery) > 0 ? took : longestRecovery;
    }

    /** What a process printed in its life. */
    void output(String output) {
        output.lines().forEach(line -> {
            if (line.startsWith(STORAGE_FAILURE)) {
                storageFailures++;
            }
            if (line.contains(UNEXPECTED)) {
                unexpected.merge(line.substring(line.indexOf(UNEXPECTED)), 1, Integer::sum);
            }
        });
    }

    /** Ends of a bridge's process. */
    int kills() {
        return faults.entrySet().stream()
                .filter(fault -> fault.getKey().kills())
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    String faults() {
        return faults + ", storage failures: " + storageFailures;
    }

    String times() {
        return "longest start %.1f s, longest time until everything had arrived %.1f s"
                .formatted(longestStart.toMillis() / 1000.0, longestRecovery.toMillis() / 1000.0);
    }

    /** Failures that the bridge itself didn't expect, and went on after. */
    Map<String, Integer> unexpected() {
        return unexpected;
    }
}

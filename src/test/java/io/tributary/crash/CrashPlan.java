package io.tributary.crash;

import io.tributary.testing.TestPostgres.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a run does. It ends when its time is over or when it has killed often enough, whatever comes first.
 *
 * @param seed of everything that is left to chance but the interleaving of processes and threads
 * @param killsPerPeriod kills between two comparisons
 * @param storageFailures how many of 1000 writes fail; empty for a mix, half of the lives without any
 */
record CrashPlan(
        Version server,
        long seed,
        Optional<Duration> time,
        OptionalInt kills,
        int killsPerPeriod,
        OptionalInt storageFailures,
        Path folder) {
    private static final int SHORT = 20;

    CrashPlan {
        Objects.requireNonNull(server);
        Objects.requireNonNull(time);
        Objects.requireNonNull(kills);
        Objects.requireNonNull(storageFailures);
        Objects.requireNonNull(folder);
        if (killsPerPeriod < 1) {
            throw new IllegalArgumentException("crash.kills-per-period must be at least 1");
        }
    }

    /** From the system properties {@code crash.*}; without any, a run of {@value #SHORT} kills by a new seed. */
    static CrashPlan ofProperties() {
        String minutes = System.getProperty("crash.minutes", "");
        String seed = System.getProperty("crash.seed", "");
        OptionalInt count = number("crash.kills");
        return new CrashPlan(
                Version.valueOf("V" + System.getProperty("crash.postgres", "18")),
                seed.isEmpty() ? System.nanoTime() % 1_000_000 : Long.parseLong(seed),
                minutes.isEmpty() ? Optional.empty() : Optional.of(Duration.ofMinutes(Long.parseLong(minutes))),
                minutes.isEmpty() && count.isEmpty() ? OptionalInt.of(SHORT) : count,
                number("crash.kills-per-period").orElse(15),
                number("crash.storage-failures"),
                Path.of(System.getProperty("crash.folder", "target/crash")).toAbsolutePath());
    }

    private static OptionalInt number(String property) {
        String value = System.getProperty(property, "");
        return value.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(value));
    }

    boolean reached(Duration elapsed, int killed) {
        return time.filter(bound -> elapsed.compareTo(bound) >= 0).isPresent()
                || (kills.isPresent() && killed >= kills.getAsInt());
    }
}

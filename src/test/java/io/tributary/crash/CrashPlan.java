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
 */
record CrashPlan(
        Version server, long seed, Optional<Duration> time, OptionalInt kills, int killsPerPeriod, Path folder) {
    private static final int SHORT = 20;

    CrashPlan {
        Objects.requireNonNull(server);
        Objects.requireNonNull(time);
        Objects.requireNonNull(kills);
        Objects.requireNonNull(folder);
        if (killsPerPeriod < 1) {
            throw new IllegalArgumentException("crash.kills-per-period must be at least 1");
        }
    }

    /** From the system properties {@code crash.*}; without any, a run of {@value #SHORT} kills by a new seed. */
    static CrashPlan ofProperties() {
        String minutes = System.getProperty("crash.minutes", "");
        String kills = System.getProperty("crash.kills", "");
        String seed = System.getProperty("crash.seed", "");
        OptionalInt count = kills.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(kills));
        return new CrashPlan(
                Version.valueOf("V" + System.getProperty("crash.postgres", "18")),
                seed.isEmpty() ? System.nanoTime() % 1_000_000 : Long.parseLong(seed),
                minutes.isEmpty() ? Optional.empty() : Optional.of(Duration.ofMinutes(Long.parseLong(minutes))),
                minutes.isEmpty() && count.isEmpty() ? OptionalInt.of(SHORT) : count,
                Integer.getInteger("crash.kills-per-period", 15),
                Path.of(System.getProperty("crash.folder", "target/crash")).toAbsolutePath());
    }

    boolean reached(Duration elapsed, int killed) {
        return time.filter(bound -> elapsed.compareTo(bound) >= 0).isPresent()
                || (kills.isPresent() && killed >= kills.getAsInt());
    }
}

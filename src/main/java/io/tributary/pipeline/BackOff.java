package io.tributary.pipeline;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The pause after a failed attempt: doubled each time up to a longest one, less up to a quarter by chance, so that many
 * bridges that lost one server don't come back to it at the same moment.
 */
record BackOff(Duration first, Duration longest, RandomGenerator random) {
    private static final int MOST_DOUBLINGS = 20;

    BackOff {
        Objects.requireNonNull(first);
        Objects.requireNonNull(longest);
        Objects.requireNonNull(random);
    }

    /** @param attempt counts from 1 */
    Duration after(int attempt) {
        Duration doubled = first.multipliedBy(1L << Math.min(attempt - 1, MOST_DOUBLINGS));
        long millis = Math.min(doubled.toMillis(), longest.toMillis());
        return Duration.ofMillis(millis - random.nextLong(millis / 4 + 1));
    }
}

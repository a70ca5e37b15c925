package io.tributary.pipeline;

import java.time.Duration;
import java.util.function.LongSupplier;

/** When the engine was last heard, by a monotonic clock. Safe for many threads. */
final class Activity {
    private final LongSupplier nanoTime;
    private volatile long lastNanos;

    Activity(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.lastNanos = nanoTime.getAsLong();
    }

    void heard() {
        lastNanos = nanoTime.getAsLong();
    }

    Duration silence() {
        return Duration.ofNanos(nanoTime.getAsLong() - lastNanos);
    }
}

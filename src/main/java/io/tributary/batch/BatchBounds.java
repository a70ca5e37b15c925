package io.tributary.batch;

import java.time.Duration;
import java.util.Objects;

/**
 * When a batch is due, once a transaction has ended.
 *
 * @param maxAge for a batch of at least {@code minRows} rows
 * @param quietAge for a smaller one
 * @param maxBytes encoded bytes held in memory before they are spilled
 */
public record BatchBounds(Duration maxAge, Duration quietAge, long minRows, long maxRows, long maxBytes) {
    public BatchBounds {
        Objects.requireNonNull(maxAge);
        Objects.requireNonNull(quietAge);
        if (maxAge.isNegative() || maxAge.isZero()) {
            throw new IllegalArgumentException("tributary.batch.max-age must be longer than 0, not " + maxAge);
        }
        if (quietAge.compareTo(maxAge) < 0) {
            throw new IllegalArgumentException("tributary.batch.quiet-age (" + quietAge
                    + ") must be at least tributary.batch.max-age (" + maxAge + ")");
        }
        if (minRows < 0 || maxRows < 1 || minRows > maxRows) {
            throw new IllegalArgumentException("tributary.batch.min-rows (" + minRows
                    + ") must be between 0 and tributary.batch.max-rows (" + maxRows + ")");
        }
        if (maxBytes < 1) {
            throw new IllegalArgumentException("tributary.batch.max-bytes must be positive, not " + maxBytes);
        }
    }

    public static BatchBounds of(BatchConfig config) {
        return new BatchBounds(
                config.maxAge(),
                config.quietAge(),
                config.minRows(),
                config.maxRows(),
                config.maxBytes().asLongValue());
    }

    boolean full(long rows) {
        return rows >= maxRows;
    }

    boolean aged(long rows, Duration age) {
        return age.compareTo(rows >= minRows ? maxAge : quietAge) >= 0;
    }
}

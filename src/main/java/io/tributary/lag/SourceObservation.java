package io.tributary.lag;

import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * What the source said about itself when it was asked.
 *
 * @param position end of its log, counted in bytes (PostgreSQL: the WAL insert position)
 * @param serverTime its own clock
 * @param confirmed position up to which the slot is acknowledged
 * @param restart position from which the slot keeps WAL
 * @param retainedBytes log that is kept for the slot
 */
public record SourceObservation(
        long position, Instant serverTime, OptionalLong confirmed, OptionalLong restart, OptionalLong retainedBytes) {
    public SourceObservation {
        Objects.requireNonNull(serverTime);
        Objects.requireNonNull(confirmed);
        Objects.requireNonNull(restart);
        Objects.requireNonNull(retainedBytes);
    }
}

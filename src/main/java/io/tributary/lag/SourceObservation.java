package io.tributary.lag;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the source said about itself when it was asked.
 *
 * @param position end of its log, counted in bytes (PostgreSQL: the WAL insert position)
 * @param serverTime its own clock
 * @param confirmed position up to which the slot is acknowledged
 * @param restart position from which the slot keeps WAL
 * @param retainedBytes log that is kept for the slot
 * @param safeBytes log that may still be written before the server may drop what the slot needs; empty without such a bound
 * @param walStatus what the server says of the slot's log: {@code reserved}, {@code extended}, {@code unreserved} or
 *     {@code lost}
 */
public record SourceObservation(
        long position,
        Instant serverTime,
        OptionalLong confirmed,
        OptionalLong restart,
        OptionalLong retainedBytes,
        OptionalLong safeBytes,
        Optional<String> walStatus) {
    public SourceObservation {
        Objects.requireNonNull(serverTime);
        Objects.requireNonNull(confirmed);
        Objects.requireNonNull(restart);
        Objects.requireNonNull(retainedBytes);
        Objects.requireNonNull(safeBytes);
        Objects.requireNonNull(walStatus);
    }

    /** Of a source that has no slot for us. */
    public static SourceObservation withoutSlot(long position, Instant serverTime) {
        return new SourceObservation(
                position,
                serverTime,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty());
    }
}

package io.tributary.event;

import java.util.Objects;
import java.util.Optional;

/**
 * Where and when a change happened.
 *
 * @param transaction unique for ever within the source; empty for rows of a snapshot
 * @param position the row's own place in the log, for people
 * @param sourceTimeMicros commit time at the source (for a snapshot: when its view was taken), microseconds since epoch
 * @param ingestTimeMicros when the bridge decoded it, microseconds since epoch
 */
public record EventOrigin(Optional<String> transaction, String position, long sourceTimeMicros, long ingestTimeMicros) {
    public EventOrigin {
        Objects.requireNonNull(transaction);
        Objects.requireNonNull(position);
    }
}

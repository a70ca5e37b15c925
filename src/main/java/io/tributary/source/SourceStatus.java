package io.tributary.source;

import java.time.Instant;
import java.util.Objects;

/**
 * What the source says about itself and the channel at one moment.
 *
 * @param currentLsn end of the WAL written so far
 * @param serverTime the server's clock
 */
public record SourceStatus(long currentLsn, Instant serverTime, ChannelState channel) {
    public SourceStatus {
        Objects.requireNonNull(serverTime);
        Objects.requireNonNull(channel);
    }
}

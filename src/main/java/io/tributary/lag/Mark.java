package io.tributary.lag;

import java.time.Instant;
import java.util.Objects;

/**
 * How far a stage has got.
 *
 * @param time in the source's clock: the newest change that the stage has (for the source itself: its own time)
 * @param since in the bridge's clock: when the stage got there
 */
public record Mark(Instant time, Instant since) {
    public Mark {
        Objects.requireNonNull(time);
        Objects.requireNonNull(since);
    }
}

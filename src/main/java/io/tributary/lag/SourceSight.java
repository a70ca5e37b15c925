package io.tributary.lag;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** What was last heard of the source. Not thread-safe. */
final class SourceSight {
    private Optional<SourceObservation> observation = Optional.empty();
    private long observedAtMillis;
    private Optional<String> silence = Optional.of("it has not been asked yet");

    void seen(SourceObservation seen, long atMillis) {
        observation = Optional.of(seen);
        observedAtMillis = atMillis;
        silence = Optional.empty();
    }

    void unreachable(String cause) {
        silence = Optional.of(cause);
    }

    /** Why the source can't be relied on now; empty when it answered lately. */
    Optional<String> silence(Instant now, LagBounds bounds) {
        if (silence.isPresent()) {
            return silence;
        }
        long age = now.toEpochMilli() - observedAtMillis;
        return age > bounds.observation().toMillis()
                ? Optional.of("no answer for " + age / 1000 + " s")
                : Optional.empty();
    }

    OptionalLong position() {
        return observation.isPresent() ? OptionalLong.of(observation.get().position()) : OptionalLong.empty();
    }

    /** The source's clock minus ours, as far as the last answer tells. */
    OptionalLong skewMillis() {
        return observation.isPresent()
                ? OptionalLong.of(observation.get().serverTime().toEpochMilli() - observedAtMillis)
                : OptionalLong.empty();
    }

    Optional<Mark> mark() {
        return observation.map(seen -> new Mark(seen.serverTime(), Instant.ofEpochMilli(observedAtMillis)));
    }

    LagReport.Source report(Instant now, LagBounds bounds) {
        Optional<String> cause = silence(now, bounds);
        return new LagReport.Source(cause.isEmpty(), cause, mark(), observation, skewMillis());
    }
}

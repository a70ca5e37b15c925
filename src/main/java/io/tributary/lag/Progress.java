package io.tributary.lag;

import io.tributary.event.SourcePosition;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** How far decoding and committing have got, and since when one waits for the other. Not thread-safe. */
final class Progress {
    private Optional<LagReport.Reached> decoded = Optional.empty();
    private Optional<LagReport.Reached> committed = Optional.empty();
    private OptionalLong uncommittedSinceMillis = OptionalLong.empty();
    private long owedTo = -1;
    private long decodedAtMillis;
    private long lakeSeenMillis;

    void startedAt(SourcePosition position, Instant now) {
        // what was decoded once and comes again: until then its absence proves nothing
        owedTo = Math.max(owedTo, decodedBytes().orElse(-1));
        decoded = Optional.of(new LagReport.Reached(position, now));
        decodedAtMillis = now.toEpochMilli();
        lakeSeenMillis = now.toEpochMilli();
        if (committedBytes().orElse(-1) < bytes(position)) {
            committed = decoded;
        }
        uncommittedSinceMillis = OptionalLong.empty();
    }

    void decodedTo(SourcePosition position, Instant now) {
        decoded = Optional.of(new LagReport.Reached(position, now));
        decodedAtMillis = now.toEpochMilli();
        if (uncommittedSinceMillis.isEmpty() && committedBytes().orElse(-1) < bytes(position)) {
            uncommittedSinceMillis = OptionalLong.of(decodedAtMillis);
        }
    }

    void committedTo(SourcePosition position, Instant now) {
        committed = Optional.of(new LagReport.Reached(position, now));
        lakeSeenMillis = now.toEpochMilli();
        if (decodedBytes().orElse(-1) < bytes(position)) {
            decoded = committed;
        }
        uncommittedSinceMillis =
                decodedBytes().orElse(-1) <= bytes(position) ? OptionalLong.empty() : OptionalLong.of(lakeSeenMillis);
    }

    void lakeSeen(Instant now) {
        lakeSeenMillis = now.toEpochMilli();
    }

    Optional<LagReport.Reached> decoded() {
        return decoded;
    }

    Optional<LagReport.Reached> committed() {
        return committed;
    }

    OptionalLong decodedBytes() {
        return bytes(decoded);
    }

    OptionalLong committedBytes() {
        return bytes(committed);
    }

    boolean owesRows() {
        return decodedBytes().orElse(-1) < owedTo;
    }

    long decodedAtMillis() {
        return decodedAtMillis;
    }

    /** How long a decoded transaction end has waited while the lake gave no sign of life. */
    OptionalLong lakeSilentMillis(Instant now) {
        return uncommittedSinceMillis.isPresent()
                ? OptionalLong.of(now.toEpochMilli() - Math.max(uncommittedSinceMillis.getAsLong(), lakeSeenMillis))
                : OptionalLong.empty();
    }

    private static OptionalLong bytes(Optional<LagReport.Reached> reached) {
        return reached.isPresent() ? OptionalLong.of(bytes(reached.get().position())) : OptionalLong.empty();
    }

    /** A position as a count of bytes in the source's log. */
    static long bytes(SourcePosition position) {
        if (position instanceof SourcePosition.Wal wal) {
            return wal.lsn();
        }
        throw new IllegalArgumentException("no distance is known for " + position.text());
    }
}

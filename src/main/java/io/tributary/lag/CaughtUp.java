package io.tributary.lag;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.OptionalLong;

/**
 * Up to which moment of the source's clock everything is decoded: once the decoded position has passed the place where
 * the source's log ended at some moment, all that was committed before that moment has been seen. What lies beyond the
 * committed position is kept, since the decoded position falls back to there. Not thread-safe.
 */
final class CaughtUp {
    private static final int MOST_ENDS = 1024;

    /** The log's end at a moment, in the source's clock and in ours. */
    private record End(long position, long serverMillis, long atMillis) {}

    private final ArrayDeque<End> ends = new ArrayDeque<>();
    private OptionalLong committedServerMillis = OptionalLong.empty();
    private long decoded = -1;
    private long committed = -1;

    void observed(long position, long serverMillis, long atMillis) {
        if (ends.size() == MOST_ENDS) {
            dropEverySecond();
        }
        ends.addLast(new End(position, serverMillis, atMillis));
        forgetCommitted();
    }

    /** What is forgotten only makes the proven moment older; the oldest end stays: it says since when we are behind. */
    private void dropEverySecond() {
        boolean keep = true;
        for (Iterator<End> each = ends.iterator(); each.hasNext(); keep = !keep) {
            each.next();
            if (!keep) {
                each.remove();
            }
        }
    }

    void decodedTo(long position) {
        decoded = position;
    }

    void committedTo(long position) {
        committed = position;
        decoded = Math.max(decoded, position);
        forgetCommitted();
    }

    private void forgetCommitted() {
        for (End end = ends.peekFirst(); end != null && end.position <= committed; end = ends.peekFirst()) {
            committedServerMillis = OptionalLong.of(end.serverMillis);
            ends.removeFirst();
        }
    }

    /** Moment of the source's clock before which everything is decoded. */
    OptionalLong provenServerMillis() {
        OptionalLong proven = committedServerMillis;
        for (End end : ends) {
            if (end.position <= decoded) {
                proven = OptionalLong.of(end.serverMillis);
            }
        }
        return proven;
    }

    /** Since when, in our clock, the source is known to have something that isn't decoded. */
    OptionalLong behindSinceMillis() {
        return ends.stream()
                .filter(end -> end.position > decoded)
                .mapToLong(End::atMillis)
                .findFirst();
    }
}

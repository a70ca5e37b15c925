package io.tributary.source;

import io.tributary.event.SourcePosition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds where transactions end in a stream whose records don't say so.
 *
 * <p>A row carries {@code lsn_commit}, the end of the last commit record that Debezium had seen when the row came: for the
 * first row of a transaction that is the end of the transaction before. The last transaction of a burst is closed by a
 * heartbeat that was written while the last message was a COMMIT.
 *
 * <p>Logical messages do no harm: one inside a transaction leaves {@code lsn_commit} alone, and one outside sets it to its
 * own place, before which everything that committed was delivered.
 */
final class TransactionEnds {
    private static final long NONE = -1;

    private long last;
    private long open = NONE;
    private long openTimeMicros;

    TransactionEnds(long from) {
        this.last = from;
    }

    /** Whether this row is the first of a transaction. */
    boolean begins(long xid) {
        return xid != open;
    }

    /**
     * Before a row is delivered: the end of everything delivered before, if this row proves one.
     *
     * @param lsnCommit the row's {@code lsn_commit}, null before the first commit of a run
     */
    Optional<SourcePosition.Wal> row(long xid, long commitTimeMicros, @Nullable Long lsnCommit) {
        Optional<SourcePosition.Wal> end = Optional.empty();
        if (open != NONE && xid != open && lsnCommit != null) {
            end = boundary(lsnCommit, open, openTimeMicros);
        }
        open = xid;
        openTimeMicros = commitTimeMicros;
        return end;
    }

    /** A heartbeat; {@code lsnCommit} counts only when the last message before it was a COMMIT. */
    Optional<SourcePosition.Wal> heartbeat(
            boolean afterCommit, @Nullable Long lsnCommit, long xid, long commitTimeMicros) {
        if (!afterCommit || lsnCommit == null) {
            return Optional.empty();
        }
        open = NONE;
        return boundary(lsnCommit, xid, commitTimeMicros);
    }

    private Optional<SourcePosition.Wal> boundary(long lsn, long xid, long commitTimeMicros) {
        if (Long.compareUnsigned(lsn, last) <= 0) {
            return Optional.empty();
        }
        last = lsn;
        return Optional.of(new SourcePosition.Wal(lsn, xid, commitTimeMicros));
    }
}

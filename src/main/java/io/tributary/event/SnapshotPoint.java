package io.tributary.event;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What a snapshot shows: the position at which it was taken, and which transactions it includes.
 *
 * <p>The view is PostgreSQL's {@code pg_snapshot}. It decides by transaction id, which stands on every row of the stream,
 * while a transaction's commit position is known only after its last row; so nothing has to be held back.
 */
public final class SnapshotPoint {
    private final SourcePosition.Wal position;
    private final long xmin;
    private final long xmax;
    private final long[] inProgress;

    /** Of a view in PostgreSQL's own spelling, {@code xmin:xmax:xip,…}. */
    public SnapshotPoint(SourcePosition.Wal position, String view) {
        this.position = position;
        String[] parts = view.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("not a pg_snapshot: " + view);
        }
        this.xmin = Long.parseLong(parts[0]);
        this.xmax = Long.parseLong(parts[1]);
        this.inProgress = parts[2].isEmpty()
                ? new long[0]
                : Arrays.stream(parts[2].split(",")).mapToLong(Long::parseLong).toArray();
        Arrays.sort(inProgress);
    }

    /** A point whose view includes nothing: every change after the position counts. */
    public static SnapshotPoint nothing(SourcePosition position) {
        if (!(position instanceof SourcePosition.Wal wal)) {
            throw new IllegalArgumentException("not a place in a WAL: " + position.text());
        }
        return new SnapshotPoint(wal, "0:0:");
    }

    /** Reads what {@link #text()} wrote. */
    public static SnapshotPoint parse(String text) {
        int at = text.indexOf('@');
        if (at < 0) {
            throw new IllegalArgumentException("not a snapshot point: " + text);
        }
        return new SnapshotPoint(
                new SourcePosition.Wal(SourcePosition.Wal.parseLsn(text.substring(0, at)), 0, 0),
                text.substring(at + 1));
    }

    /** Where it was taken: every transaction that ends after it is missing in the snapshot. */
    public SourcePosition.Wal position() {
        return position;
    }

    /** For the journal; {@link #parse} reads it. */
    public String text() {
        return position.text() + "@" + xmin + ":" + xmax + ":"
                + LongStream.of(inProgress).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    /**
     * Whether the snapshot's rows include what this transaction did.
     *
     * @param xid 32 bits, as the stream has it; must be from around the snapshot's time (ids wrap)
     */
    public boolean includes(long xid) {
        if (!precedes(xid, xmax)) {
            return false;
        }
        if (precedes(xid, xmin)) {
            return true;
        }
        for (long running : inProgress) {
            if ((int) running == (int) xid) {
                return false;
            }
        }
        return true;
    }

    /** PostgreSQL's own comparison of 32-bit transaction ids: modulo 2^32. */
    private static boolean precedes(long xid, long other) {
        return (int) (xid - other) < 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SnapshotPoint point && text().equals(point.text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}

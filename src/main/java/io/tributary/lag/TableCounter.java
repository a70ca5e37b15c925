package io.tributary.lag;

import io.tributary.event.TableId;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The decoded and committed rows of one table, with the source time of the oldest row that waits. Thread-safe by its
 * own monitor, which is never held over anything that waits.
 */
public final class TableCounter {
    /** Rows closer together than this in source time share a mark, so that the marks stay few. */
    private static final long GRAIN_MICROS = 1_000_000;

    private static final int MOST_MARKS = 1024;

    /** From the row with this number on, rows are as old as this or younger. */
    private record AgeMark(long row, long sourceMicros) {}

    private final TableId table;
    private final Clock clock;
    private final ArrayDeque<AgeMark> marks = new ArrayDeque<>();
    private long decodedRows;
    private long committedRows;
    private long repeatedRows;
    private long committedBytes;
    private long newestDecodedMicros;
    private long decodedAtMillis;
    private long newestCommittedMicros;
    private long committedAtMillis;
    private OptionalLong deltaVersion = OptionalLong.empty();

    TableCounter(TableId table, Clock clock) {
        this.table = table;
        this.clock = clock;
    }

    /** Counts rows that were decoded; {@code sourceTimeMicros} is their commit time at the source. */
    public synchronized void decoded(long sourceTimeMicros, long rows) {
        AgeMark last = marks.peekLast();
        if (last == null || Math.abs(sourceTimeMicros - last.sourceMicros) >= GRAIN_MICROS) {
            if (marks.size() == MOST_MARKS) {
                dropEverySecondMark();
            }
            marks.addLast(new AgeMark(decodedRows, sourceTimeMicros));
        }
        decodedRows += rows;
        newestDecodedMicros = Math.max(newestDecodedMicros, sourceTimeMicros);
        decodedAtMillis = clock.millis();
    }

    /** Rows then seem as old as the row before them: the lag errs to the larger side. */
    private void dropEverySecondMark() {
        boolean keep = true;
        for (Iterator<AgeMark> each = marks.iterator(); each.hasNext(); keep = !keep) {
            each.next();
            if (!keep) {
                each.remove();
            }
        }
    }

    synchronized void committed(TableCommit commit, long atMillis) {
        committedRows += commit.rows();
        // a batch that recovery finished was decoded by an earlier run
        decodedRows = Math.max(decodedRows, committedRows);
        committedBytes += commit.bytes();
        deltaVersion = OptionalLong.of(commit.deltaVersion());
        if (commit.newestSourceMicros() > 0) {
            newestCommittedMicros = Math.max(newestCommittedMicros, commit.newestSourceMicros());
            committedAtMillis = atMillis;
        }
        while (marks.size() > 1 && secondMark().row <= committedRows) {
            marks.removeFirst();
        }
        if (decodedRows == committedRows) {
            marks.clear();
        }
    }

    private AgeMark secondMark() {
        Iterator<AgeMark> each = marks.iterator();
        each.next();
        return each.next();
    }

    /** What is decoded but not committed will come again. */
    synchronized void rewind() {
        repeatedRows += decodedRows - committedRows;
        decodedRows = committedRows;
        marks.clear();
    }

    synchronized long decodedAtMillis() {
        return decodedAtMillis;
    }

    synchronized State state() {
        AgeMark oldest = marks.peekFirst();
        long behind = decodedRows - committedRows;
        return new State(
                table,
                mark(newestDecodedMicros, decodedAtMillis),
                mark(newestCommittedMicros, committedAtMillis),
                behind > 0 && oldest != null
                        ? OptionalLong.of(Math.floorDiv(oldest.sourceMicros, 1000L))
                        : OptionalLong.empty(),
                behind,
                deltaVersion,
                decodedRows + repeatedRows,
                committedRows,
                committedBytes);
    }

    private static Optional<Mark> mark(long sourceMicros, long atMillis) {
        return sourceMicros == 0
                ? Optional.empty()
                : Optional.of(
                        new Mark(Instant.EPOCH.plus(sourceMicros, ChronoUnit.MICROS), Instant.ofEpochMilli(atMillis)));
    }

    /** The counts at one instant. */
    record State(
            TableId table,
            Optional<Mark> decoded,
            Optional<Mark> committed,
            OptionalLong oldestWaitingMillis,
            long rowsBehind,
            OptionalLong deltaVersion,
            long rowsDecoded,
            long rowsCommitted,
            long bytesCommitted) {}
}

package io.tributary.lag;

import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known at one instant; what isn't known is empty, never a made-up number.
 *
 * @param at the bridge's clock
 * @param reason one sentence for the verdict
 * @param lagMillis the largest lag of a table; empty when that of any table is unknown
 * @param rowsBehind decoded but not committed
 * @param bytesBehind of the source's log, from the committed position to the source's own
 */
public record LagReport(
        Instant at,
        Verdict verdict,
        String reason,
        Source source,
        Optional<Reached> decoded,
        Optional<Reached> committed,
        OptionalLong lastBatch,
        long commits,
        Duration commitTime,
        OptionalLong lagMillis,
        long rowsBehind,
        OptionalLong bytesBehind,
        List<Table> tables,
        Optional<Failure> lastError) {
    public LagReport {
        Objects.requireNonNull(at);
        Objects.requireNonNull(verdict);
        tables = List.copyOf(tables);
    }

    /**
     * The source as it was last seen.
     *
     * @param reachable whether it answered lately
     * @param cause why it isn't reachable
     * @param seen its clock and ours at the last answer
     * @param clockSkewMillis its clock minus ours
     */
    public record Source(
            boolean reachable,
            Optional<String> cause,
            Optional<Mark> seen,
            Optional<SourceObservation> observation,
            OptionalLong clockSkewMillis) {}

    /** A position and when the bridge got there. */
    public record Reached(SourcePosition position, Instant since) {
        public Reached {
            Objects.requireNonNull(position);
            Objects.requireNonNull(since);
        }
    }

    /** Something that went wrong, and when. */
    public record Failure(String message, Instant at) {
        public Failure {
            Objects.requireNonNull(message);
            Objects.requireNonNull(at);
        }
    }

    /**
     * One table.
     *
     * @param completeTo source time before which every change of the source is in the committed table
     * @param lagMillis age of the committed table in the source's clock; 0 when nothing is missing
     * @param rowsDecoded rows since the start of the process, repeated ones included
     * @param bytesBehind of the source's log, from where the table is complete to the source's own position
     */
    public record Table(
            TableId table,
            Optional<Mark> source,
            Optional<Mark> decoded,
            Optional<Mark> committed,
            Optional<Instant> completeTo,
            OptionalLong lagMillis,
            long rowsBehind,
            OptionalLong bytesBehind,
            OptionalLong deltaVersion,
            long rowsDecoded,
            long rowsCommitted,
            long bytesCommitted) {}
}

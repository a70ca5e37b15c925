package io.tributary.ops;

import io.tributary.event.SourcePosition;
import io.tributary.lag.LagReport;
import io.tributary.lag.Mark;
import io.tributary.lag.SourceObservation;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code GET /lag}, described by {@code /lag.schema.json}. What isn't known is null. Fields may be added
 * within a format number, never removed or given another meaning.
 */
record LagDocument(
        int format,
        String state,
        String summary,
        boolean ready,
        List<String> problems,
        List<String> warnings,
        String verdict,
        String reason,
        Instant at,
        Source source,
        @Nullable Position decoded,
        @Nullable Position committed,
        @Nullable Long lastBatch,
        long commits,
        @Nullable Long lagMillis,
        long rowsBehind,
        @Nullable Long bytesBehind,
        List<Table> tables,
        @Nullable Failure lastError) {
    static final int FORMAT = 1;

    /** The database as it was last seen. */
    record Source(
            String name,
            boolean reachable,
            @Nullable String cause,
            @Nullable Instant time,
            @Nullable Instant since,
            @Nullable Long clockSkewMillis,
            @Nullable String position,
            @Nullable String confirmedPosition,
            @Nullable String restartPosition,
            @Nullable Long retainedBytes,
            @Nullable Long safeBytes,
            @Nullable String walStatus) {}

    /** A place in the source's log and when the bridge got there. */
    record Position(String position, Instant since) {}

    /** A time of the source's clock and when the bridge got there. */
    record Time(Instant time, Instant since) {
        static @Nullable Time of(Optional<Mark> mark) {
            return mark.map(known -> new Time(known.time(), known.since())).orElse(null);
        }
    }

    /** Something that went wrong. */
    record Failure(String message, Instant at) {}

    /** One captured table. */
    record Table(
            String table,
            @Nullable Time source,
            @Nullable Time decoded,
            @Nullable Time committed,
            @Nullable Instant completeTo,
            @Nullable Long lagMillis,
            long rowsBehind,
            @Nullable Long bytesBehind,
            @Nullable Long deltaVersion,
            long rowsDecoded,
            long rowsCommitted,
            long bytesCommitted) {

        static Table of(LagReport.Table table) {
            return new Table(
                    table.table().toString(),
                    Time.of(table.source()),
                    Time.of(table.decoded()),
                    Time.of(table.committed()),
                    table.completeTo().orElse(null),
                    orNull(table.lagMillis()),
                    table.rowsBehind(),
                    orNull(table.bytesBehind()),
                    orNull(table.deltaVersion()),
                    table.rowsDecoded(),
                    table.rowsCommitted(),
                    table.bytesCommitted());
        }
    }

    static LagDocument of(String sourceName, ServiceView.Moment moment) {
        LagReport report = moment.report();
        return new LagDocument(
                FORMAT,
                moment.state().word(),
                moment.state().sentence(),
                moment.readiness().ready(),
                moment.readiness().reasons(),
                moment.readiness().wal().warnings(),
                report.verdict().name().toLowerCase(Locale.ROOT),
                report.reason(),
                report.at(),
                source(sourceName, report.source()),
                position(report.decoded()),
                position(report.committed()),
                orNull(report.lastBatch()),
                report.commits(),
                orNull(report.lagMillis()),
                report.rowsBehind(),
                orNull(report.bytesBehind()),
                report.tables().stream().map(Table::of).toList(),
                report.lastError()
                        .map(failure -> new Failure(failure.message(), failure.at()))
                        .orElse(null));
    }

    private static Source source(String name, LagReport.Source source) {
        Optional<SourceObservation> seen = source.observation();
        return new Source(
                name,
                source.reachable(),
                source.cause().orElse(null),
                source.seen().map(Mark::time).orElse(null),
                source.seen().map(Mark::since).orElse(null),
                orNull(source.clockSkewMillis()),
                seen.map(SourceObservation::position)
                        .map(SourcePosition.Wal::formatLsn)
                        .orElse(null),
                lsn(seen.map(SourceObservation::confirmed)),
                lsn(seen.map(SourceObservation::restart)),
                orNull(seen.map(SourceObservation::retainedBytes).orElse(OptionalLong.empty())),
                orNull(seen.map(SourceObservation::safeBytes).orElse(OptionalLong.empty())),
                seen.flatMap(SourceObservation::walStatus).orElse(null));
    }

    private static @Nullable String lsn(Optional<OptionalLong> position) {
        OptionalLong known = position.orElse(OptionalLong.empty());
        return known.isPresent() ? SourcePosition.Wal.formatLsn(known.getAsLong()) : null;
    }

    private static @Nullable Position position(Optional<LagReport.Reached> reached) {
        return reached.map(known -> new Position(known.position().text(), known.since()))
                .orElse(null);
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}

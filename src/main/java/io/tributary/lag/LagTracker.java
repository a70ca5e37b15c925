package io.tributary.lag;

import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/**
 * Collects the facts that the pipeline reports and says, at any moment, how far each committed table is behind.
 *
 * <p>Thread-safe by its own monitor, which is held for some arithmetic only, so that whoever asks never waits for the
 * pipeline. Asking changes nothing.
 */
public final class LagTracker {
    private final Clock clock;
    private final LagBounds bounds;
    private final ConcurrentMap<TableId, TableCounter> counters = new ConcurrentHashMap<>();

    private final SourceSight sight = new SourceSight();
    private final Progress progress = new Progress();
    private final CaughtUp caughtUp = new CaughtUp();
    private Set<TableId> captured = Set.of();
    private Set<TableId> awaitingSnapshot = Set.of();
    private OptionalLong lastBatch = OptionalLong.empty();
    private long commits;
    private Duration commitTime = Duration.ZERO;
    private Optional<LagReport.Failure> lastError = Optional.empty();

    public LagTracker(Clock clock, LagBounds bounds) {
        this.clock = clock;
        this.bounds = bounds;
    }

    /** The tables that are captured; those without any fact are reported as unknown. */
    public synchronized void tables(Set<TableId> tables) {
        captured = Set.copyOf(tables);
    }

    /**
     * The tables whose rows from before the capture aren't committed yet; a commit for a table takes it out, and so does
     * {@link #snapshotsDone}.
     */
    public synchronized void awaitingSnapshot(Set<TableId> tables) {
        awaitingSnapshot = Set.copyOf(tables);
    }

    /** The counter of a table, to be kept by whoever decodes its rows. */
    public TableCounter counter(TableId table) {
        return counters.computeIfAbsent(table, id -> new TableCounter(id, clock));
    }

    /** What an earlier run left in the tables, as Delta versions. */
    public synchronized void found(Map<TableId, Long> deltaVersions) {
        deltaVersions.forEach(
                (table, version) -> counter(table).committed(new TableCommit(0, 0, version, 0), clock.millis()));
    }

    /** A run of the engine begins at a committed position: what was decoded beyond it comes again. */
    public synchronized void startedAt(SourcePosition position) {
        progress.startedAt(position, clock.instant());
        caughtUp.decodedTo(Progress.bytes(position));
        caughtUp.committedTo(Progress.bytes(position));
        counters.values().forEach(TableCounter::rewind);
    }

    /** The source answered. */
    public synchronized void sourceSeen(SourceObservation seen) {
        long now = clock.millis();
        sight.seen(seen, now);
        caughtUp.observed(seen.position(), seen.serverTime().toEpochMilli(), now);
    }

    /** The source didn't answer. */
    public synchronized void sourceUnreachable(String cause) {
        sight.unreachable(cause);
    }

    /** Every transaction that ends at or before the position has been decoded, and its rows counted. */
    public synchronized void decodedUpTo(SourcePosition position) {
        progress.decodedTo(position, clock.instant());
        caughtUp.decodedTo(Progress.bytes(position));
    }

    /** Everything up to the position is durable; {@code tables} is empty when only the position moved. */
    public synchronized void committed(
            long batch, SourcePosition position, Map<TableId, TableCommit> tables, Duration took) {
        Instant now = clock.instant();
        progress.committedTo(position, now);
        caughtUp.committedTo(Progress.bytes(position));
        lastBatch = OptionalLong.of(batch);
        tables.forEach((table, commit) -> counter(table).committed(commit, now.toEpochMilli()));
        if (!tables.isEmpty()) {
            commits++;
            commitTime = commitTime.plus(took);
            snapshotsDone(tables.keySet());
        }
    }

    /** These tables' rows from before the capture are durable, also if there was none to commit. */
    public synchronized void snapshotsDone(Set<TableId> tables) {
        awaitingSnapshot = awaitingSnapshot.stream()
                .filter(table -> !tables.contains(table))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The lake took a write that isn't a commit: a sign of life while a quiet batch fills. */
    public synchronized void lakeSeen() {
        progress.lakeSeen(clock.instant());
    }

    /** Something failed; the newest failure stays in the report. */
    public synchronized void error(String message) {
        lastError = Optional.of(new LagReport.Failure(message, clock.instant()));
    }

    /** What is known now. */
    public synchronized LagReport report() {
        Instant now = clock.instant();
        Assessment assessment = new Assessment(now, bounds, sight, progress, caughtUp, awaitingSnapshot);
        List<TableCounter.State> states =
                captured.stream().sorted().map(table -> counter(table).state()).toList();
        List<LagReport.Table> tables = states.stream().map(assessment::table).toList();
        Assessment.Finding finding = assessment.finding(states);
        return new LagReport(
                now,
                finding.verdict(),
                finding.reason(),
                sight.report(now, bounds),
                progress.decoded(),
                progress.committed(),
                lastBatch,
                commits,
                commitTime,
                largestLag(tables),
                states.stream().mapToLong(TableCounter.State::rowsBehind).sum(),
                assessment.bytesBehind(),
                tables,
                lastError);
    }

    private static OptionalLong largestLag(List<LagReport.Table> tables) {
        return tables.stream().anyMatch(table -> table.lagMillis().isEmpty())
                ? OptionalLong.empty()
                : tables.stream()
                        .mapToLong(table -> table.lagMillis().getAsLong())
                        .max();
    }
}

package io.tributary.lag;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Case C76: the lag is that of the committed table, unknown is said, idle is not stuck, asking moves nothing. */
class LagTrackerTest {
    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    private static final TableId LA = new TableId("shop", "la");
    private static final TableId LB = new TableId("shop", "lb");
    private static final Duration TOOK = Duration.ofMillis(20);

    private final SteppedClock clock = new SteppedClock(START);
    private final LagTracker tracker = new LagTracker(clock, LagBounds.standard(true));
    private Duration serverAhead = Duration.ZERO;

    private LagTrackerTest() {
        tracker.tables(Set.of(LA, LB));
    }

    @Test
    void nothingIsKnownBeforeTheFirstFact() {
        LagReport report = tracker.report();

        assertThat(report.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(report.lagMillis()).isEmpty();
        assertThat(report.bytesBehind()).isEmpty();
        assertThat(report.decoded()).isEmpty();
        assertThat(report.committed()).isEmpty();
        assertThat(table(report, LA).lagMillis()).isEmpty();
        assertThat(table(report, LA).deltaVersion()).isEmpty();
        assertThat(table(report, LA).decoded()).isEmpty();
        assertThat(table(report, LA).rowsBehind()).isZero();
    }

    @Test
    void lagIsUnknownBeforeTheFirstEventUntilThePositionIsProven() {
        tracker.startedAt(wal(1000));
        see(1200);

        assertThat(tracker.report().lagMillis()).isEmpty();
        assertThat(tracker.report().bytesBehind()).hasValue(200);

        tracker.decodedUpTo(wal(1200));

        assertThat(table(tracker.report(), LA).lagMillis()).hasValue(0);
    }

    @Test
    void idleIsNotStuckAndNotBehind() {
        tracker.startedAt(wal(1000));
        decode(LA, 1, clock.instant());
        tracker.decodedUpTo(wal(1100));
        commit(7, 1100, LA, 1, 3);

        // five minutes in which only the bridge's own idle message moves the position
        for (int position = 1110; position <= 1400; position += 10) {
            clock.advance(Duration.ofSeconds(10));
            see(position);
            tracker.decodedUpTo(wal(position));
            tracker.committed(8, wal(position), Map.of(), TOOK);
        }

        LagReport report = tracker.report();
        assertThat(report.verdict()).isEqualTo(Verdict.IDLE);
        assertThat(report.lagMillis()).hasValue(0);
        assertThat(report.rowsBehind()).isZero();
        assertThat(report.bytesBehind()).hasValue(0);
        assertThat(table(report, LA).deltaVersion()).hasValue(3);
        assertThat(report.commits()).isEqualTo(1);
    }

    @Test
    void anUnreachableSourceIsUnknownAndNeverZero() {
        idleAt(2000);
        tracker.sourceUnreachable("connection refused");

        LagReport report = tracker.report();
        assertThat(report.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(report.lagMillis()).isEmpty();
        assertThat(table(report, LA).lagMillis()).isEmpty();
        assertThat(report.source().cause()).hasValue("connection refused");
    }

    @Test
    void aSourceThatFallsSilentIsUnknownToo() {
        idleAt(2000);
        clock.advance(Duration.ofSeconds(31));

        LagReport report = tracker.report();
        assertThat(report.source().reachable()).isFalse();
        assertThat(report.verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(report.lagMillis()).isEmpty();
    }

    @Test
    void lagGrowsFromTheOldestWaitingChangeWhileTheSourceIsAway() {
        idleAt(2000);
        decode(LA, 5, clock.instant());
        tracker.sourceUnreachable("connection refused");
        clock.advance(Duration.ofSeconds(40));

        assertThat(table(tracker.report(), LA).lagMillis()).hasValue(40_000);
        assertThat(table(tracker.report(), LB).lagMillis()).isEmpty();
    }

    @Test
    void frozenStorageMakesTheLagGrowFromTheOldestUncommittedChange() {
        idleAt(2000);
        decode(LA, 1, clock.instant());
        tracker.decodedUpTo(wal(2100));
        for (int second = 0; second < 60; second += 5) {
            clock.advance(Duration.ofSeconds(5));
            see(2100);
        }

        LagReport report = tracker.report();
        assertThat(table(report, LA).lagMillis()).hasValue(60_000);
        assertThat(table(report, LA).rowsBehind()).isEqualTo(1);
        assertThat(table(report, LB).lagMillis()).hasValue(0);
        assertThat(report.verdict()).isEqualTo(Verdict.STUCK);
        assertThat(report.reason()).contains("60 s");
    }

    @Test
    void aQuietBatchIsNotStuckWhileTheLakeGivesSignsOfLife() {
        idleAt(2000);
        decode(LA, 1, clock.instant());
        tracker.decodedUpTo(wal(2100));
        for (int second = 0; second < 120; second += 5) {
            clock.advance(Duration.ofSeconds(5));
            see(2100);
            tracker.lakeSeen();
        }

        assertThat(tracker.report().verdict()).isEqualTo(Verdict.FLOWING);
        assertThat(tracker.report().lagMillis()).hasValue(120_000);
    }

    @Test
    void aDecoderThatStopsWhileTheSourceMovesIsStuck() {
        idleAt(2000);
        for (int position = 2010; position <= 2120; position += 10) {
            clock.advance(Duration.ofSeconds(5));
            see(position);
        }

        LagReport report = tracker.report();
        assertThat(report.verdict()).isEqualTo(Verdict.STUCK);
        assertThat(report.reason()).contains("nothing was decoded for 55 s");
        assertThat(report.lagMillis()).hasValue(60_000);
        assertThat(report.bytesBehind()).hasValue(120);
    }

    @Test
    void withoutIdleMessagesASilentDecoderIsUnknownNotStuck() {
        LagTracker quiet = new LagTracker(clock, LagBounds.standard(false));
        quiet.tables(Set.of(LA));
        quiet.startedAt(wal(1000));
        quiet.sourceSeen(observation(1000));
        for (int position = 1010; position <= 1120; position += 10) {
            clock.advance(Duration.ofSeconds(5));
            quiet.sourceSeen(observation(position));
        }

        assertThat(quiet.report().verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(quiet.report().lagMillis()).isEmpty();
        assertThat(quiet.report().bytesBehind()).hasValue(120);
    }

    @Test
    void aLongTransactionIsNotStuckWhileItsRowsCome() {
        idleAt(2000);
        for (int second = 0; second < 300; second += 5) {
            clock.advance(Duration.ofSeconds(5));
            see(900_000);
            decode(LA, 10_000, START);
        }

        assertThat(tracker.report().verdict()).isEqualTo(Verdict.FLOWING);
        assertThat(tracker.report().rowsBehind()).isEqualTo(600_000);
    }

    @Test
    void aServerClockAheadOrBehindIsReportedAndDoesNotMoveTheLag() {
        for (Duration ahead : new Duration[] {Duration.ofMinutes(5), Duration.ofMinutes(-5)}) {
            LagTrackerTest other = new LagTrackerTest();
            other.serverAhead = ahead;
            other.idleAt(2000);
            other.decode(LA, 1, other.clock.instant().plus(ahead));
            other.clock.advance(Duration.ofSeconds(4));

            LagReport report = other.tracker.report();
            assertThat(report.source().clockSkewMillis()).hasValue(ahead.toMillis());
            assertThat(table(report, LA).lagMillis()).hasValue(4_000);
        }
    }

    @Test
    void lagIsNeverNegative() {
        idleAt(2000);
        decode(LA, 1, clock.instant().plusSeconds(90));

        assertThat(table(tracker.report(), LA).lagMillis()).hasValue(0);
        assertThat(table(tracker.report(), LA).rowsBehind()).isEqualTo(1);
    }

    @Test
    void bytesAreNeverNegativeWhenTheObservationIsOlderThanTheCommit() {
        idleAt(2000);
        tracker.decodedUpTo(wal(2500));
        tracker.committed(3, wal(2500), Map.of(), TOOK);

        assertThat(tracker.report().bytesBehind()).hasValue(0);
    }

    @Test
    void askingTwiceGivesTheSameAnswer() {
        idleAt(2000);
        decode(LA, 2, clock.instant());
        clock.advance(Duration.ofSeconds(3));

        assertThat(tracker.report()).isEqualTo(tracker.report());
    }

    @Test
    void theLagFollowsTheOldestRowThatStillWaits() {
        idleAt(2000);
        Instant first = clock.instant();
        decode(LA, 10, first);
        clock.advance(Duration.ofSeconds(20));
        decode(LA, 4, first.plusSeconds(20));
        clock.advance(Duration.ofSeconds(1));
        see(2000);
        tracker.committed(4, wal(2000), Map.of(LA, new TableCommit(10, 900, 5, micros(first))), TOOK);

        LagReport.Table la = table(tracker.report(), LA);
        assertThat(la.rowsBehind()).isEqualTo(4);
        assertThat(la.lagMillis()).hasValue(1_000);
        assertThat(la.committed()).hasValue(new Mark(first, first.plusSeconds(21)));
        assertThat(la.decoded()).hasValue(new Mark(first.plusSeconds(20), first.plusSeconds(20)));
        assertThat(la.bytesCommitted()).isEqualTo(900);
    }

    @Test
    void aNewEngineRunForgetsUncommittedRowsButDoesNotReportThemAsDone() {
        idleAt(2000);
        decode(LA, 8, clock.instant());
        tracker.decodedUpTo(wal(2100));
        clock.advance(Duration.ofSeconds(5));
        see(2100);

        tracker.startedAt(wal(2000));

        LagReport report = tracker.report();
        assertThat(table(report, LA).rowsBehind()).isZero();
        assertThat(table(report, LA).lagMillis()).hasValue(5_000);
        assertThat(report.verdict()).isNotEqualTo(Verdict.IDLE);
        assertThat(table(report, LA).rowsDecoded()).isEqualTo(8);

        decode(LA, 8, START);
        tracker.decodedUpTo(wal(2100));
        commit(9, 2100, LA, 8, 4);

        assertThat(table(tracker.report(), LA).lagMillis()).hasValue(0);
        assertThat(table(tracker.report(), LA).rowsDecoded()).isEqualTo(16);
        assertThat(table(tracker.report(), LA).rowsCommitted()).isEqualTo(8);
    }

    @Test
    void aTableThatWaitsForItsSnapshotIsUnknownUntilACommitBringsIt() {
        tracker.awaitingSnapshot(Set.of(LA));
        idleAt(2000);

        assertThat(table(tracker.report(), LA).lagMillis()).isEmpty();
        assertThat(table(tracker.report(), LB).lagMillis()).hasValue(0);

        commit(1, 2000, LA, 0, 0);

        assertThat(table(tracker.report(), LA).lagMillis()).hasValue(0);
    }

    @Test
    void anEmptyTableIsKnownWhenItsSnapshotIsDoneAlthoughNothingWasCommitted() {
        tracker.awaitingSnapshot(Set.of(LA));
        idleAt(2000);

        tracker.snapshotsDone(Set.of(LA));

        assertThat(table(tracker.report(), LA).lagMillis()).hasValue(0);
        assertThat(tracker.report().lagMillis()).hasValue(0);
    }

    @Test
    void rowsOfABatchThatAnEarlierRunDecodedDontMakeTheCountNegative() {
        tracker.startedAt(wal(1000));
        commit(1, 1100, LA, 50, 2);

        assertThat(table(tracker.report(), LA).rowsBehind()).isZero();
        assertThat(table(tracker.report(), LA).rowsCommitted()).isEqualTo(50);
    }

    @Test
    void versionsOfAnEarlierRunAreKnownBeforeTheFirstCommit() {
        tracker.found(Map.of(LA, 41L));

        assertThat(table(tracker.report(), LA).deltaVersion()).hasValue(41);
        assertThat(table(tracker.report(), LA).committed()).isEmpty();
    }

    @Test
    void aBacklogOfManyHoursKeepsItsOldestAge() {
        idleAt(2000);
        IntStream.range(0, 20_000).forEach(second -> decode(LA, 1, START.plusSeconds(second)));
        clock.advance(Duration.ofMinutes(500));
        see(2000);

        assertThat(table(tracker.report(), LA).lagMillis()).hasValue(30_000_000);
    }

    @Test
    void theNewestErrorStaysWithItsTime() {
        tracker.error("disk full");
        clock.advance(Duration.ofSeconds(9));

        assertThat(tracker.report().lastError()).hasValue(new LagReport.Failure("disk full", START));
    }

    private void idleAt(long position) {
        tracker.startedAt(wal(position));
        see(position);
        tracker.committed(1, wal(position), Map.of(), TOOK);
    }

    private void see(long position) {
        tracker.sourceSeen(observation(position));
    }

    private SourceObservation observation(long position) {
        return SourceObservation.withoutSlot(position, clock.instant().plus(serverAhead));
    }

    private void decode(TableId table, long rows, Instant sourceTime) {
        tracker.counter(table).decoded(micros(sourceTime), rows);
    }

    private void commit(long batch, long position, TableId table, long rows, long version) {
        tracker.committed(
                batch,
                wal(position),
                Map.of(table, new TableCommit(rows, 100, version, micros(clock.instant()))),
                TOOK);
    }

    private static LagReport.Table table(LagReport report, TableId table) {
        return report.tables().stream()
                .filter(each -> each.table().equals(table))
                .findFirst()
                .orElseThrow();
    }

    private static SourcePosition wal(long lsn) {
        return new SourcePosition.Wal(lsn, 0, 0);
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}

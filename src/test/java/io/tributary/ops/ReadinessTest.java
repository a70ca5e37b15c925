package io.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.configuration.MemorySize;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.lag.LagBounds;
import io.tributary.lag.LagTracker;
import io.tributary.lag.SourceObservation;
import io.tributary.ops.config.GuardConfig;
import io.tributary.pipeline.BridgeState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    private static final TableId TABLE = new TableId("shop", "orders");
    private static final GuardConfig NO_GUARD = guard(Optional.empty());

    private Instant now = START;
    private final LagTracker tracker = new LagTracker(
            new Clock() {
                @Override
                public Instant instant() {
                    return now;
                }

                @Override
                public java.time.ZoneId getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(java.time.ZoneId zone) {
                    throw new UnsupportedOperationException("UTC only");
                }
            },
            LagBounds.standard(true));

    @Test
    void idleIsReady() {
        tracker.startedAt(wal(100));
        see(100);

        assertThat(streaming(NO_GUARD).ready()).isTrue();
    }

    @Test
    void aSilentSourceIsRedWithin60Seconds() {
        tracker.startedAt(wal(100));
        see(100);
        now = START.plusSeconds(40);

        assertThat(streaming(NO_GUARD).reasons()).containsExactly("the source doesn't answer: no answer for 40 s");
    }

    @Test
    void aLakeThatTakesNothingIsRedWithin60Seconds() {
        tracker.startedAt(wal(100));
        tracker.counter(TABLE).decoded(0, 1);
        tracker.decodedUpTo(wal(200));
        now = START.plusSeconds(59);
        see(200);

        assertThat(streaming(NO_GUARD).reasons()).singleElement().asString().startsWith("stuck: decoded changes wait");
    }

    @Test
    void anEngineThatDeliversNothingIsRedWithin60Seconds() {
        tracker.startedAt(wal(100));
        now = START.plusSeconds(2);
        see(300);
        now = START.plusSeconds(59);
        see(300);

        assertThat(streaming(NO_GUARD).reasons())
                .singleElement()
                .asString()
                .startsWith("stuck: the source's log has moved on");
    }

    @Test
    void tooMuchLagIsRedWhenABoundIsSet() {
        tracker.tables(Set.of(TABLE));
        tracker.startedAt(wal(100));
        see(100);
        tracker.counter(TABLE).decoded(START.toEpochMilli() * 1000, 1);
        now = START.plusSeconds(20);
        see(100);

        assertThat(streaming(guard(Optional.of(Duration.ofSeconds(10)))).reasons())
                .containsExactly("shop.orders is 20000 ms behind, more than tributary.guard.max-lag=10000 ms");
        assertThat(streaming(NO_GUARD).ready()).isTrue();
    }

    @Test
    void everyStateButWorkAndStandbyIsRedByItsOwnSentence() {
        Readiness readiness = Readiness.of(new BridgeState.Gap("slot lost"), tracker.report(), NO_GUARD);

        assertThat(readiness.reasons()).containsExactly("gap: slot lost");
        assertThat(Readiness.of(new BridgeState.Standby("other"), tracker.report(), NO_GUARD)
                        .ready())
                .isTrue();
    }

    private Readiness streaming(GuardConfig guard) {
        return Readiness.of(new BridgeState.Streaming(), tracker.report(), guard);
    }

    private void see(long position) {
        tracker.sourceSeen(SourceObservation.withoutSlot(position, now));
    }

    private static SourcePosition wal(long lsn) {
        return new SourcePosition.Wal(lsn, 0, 0);
    }

    private static GuardConfig guard(Optional<Duration> maxLag) {
        return new GuardConfig() {
            @Override
            public Optional<MemorySize> maxRetainedWal() {
                return Optional.empty();
            }

            @Override
            public Optional<MemorySize> warnRetainedWal() {
                return Optional.empty();
            }

            @Override
            public Optional<Duration> maxLag() {
                return maxLag;
            }
        };
    }
}

package io.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.configuration.MemorySize;
import io.tributary.lag.LagBounds;
import io.tributary.lag.LagTracker;
import io.tributary.lag.SourceObservation;
import io.tributary.ops.config.GuardConfig;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A slot that keeps much WAL, or is near its end, is loud before it is too late. */
class WalGuardTest {
    private static final long MEGABYTE = 1 << 20;

    @Test
    void theAmountWarnsAndThenAlarms() {
        assertThat(guard(5, OptionalLong.empty(), "reserved").level()).isEqualTo(WalGuard.Level.OK);
        assertThat(guard(15, OptionalLong.empty(), "reserved").warnings())
                .containsExactly(
                        "the source keeps 15728640 bytes of WAL, more than tributary.guard.warn-retained-wal=10485760");
        assertThat(guard(25, OptionalLong.empty(), "reserved").alarms())
                .containsExactly(
                        "the source keeps 26214400 bytes of WAL, more than tributary.guard.max-retained-wal=20971520");
        assertThat(guard(25, OptionalLong.empty(), "reserved").level()).isEqualTo(WalGuard.Level.CRITICAL);
    }

    @Test
    void whatTheServerLeavesWarnsAtHalfAndAlarmsAtATenth() {
        assertThat(guard(4, OptionalLong.of(6 * MEGABYTE), "reserved").level()).isEqualTo(WalGuard.Level.OK);
        assertThat(guard(6, OptionalLong.of(4 * MEGABYTE), "extended").warnings())
                .singleElement()
                .asString()
                .startsWith("4194304 bytes of WAL are left");
        assertThat(guard(9, OptionalLong.of(MEGABYTE / 2), "extended").level()).isEqualTo(WalGuard.Level.CRITICAL);
    }

    @Test
    void aSlotThatTheServerIsAboutToEndAlarms() {
        assertThat(guard(5, OptionalLong.of(-1), "unreserved").alarms())
                .singleElement()
                .asString()
                .contains("wal_status=unreserved", "max_slot_wal_keep_size");
        assertThat(guard(0, OptionalLong.empty(), "lost").level()).isEqualTo(WalGuard.Level.CRITICAL);
    }

    @Test
    void moreThanMaxWalSizeWithoutAnyBoundWarns() {
        assertThat(guard(5, OptionalLong.empty(), "extended").level()).isEqualTo(WalGuard.Level.WARNING);
    }

    private static WalGuard guard(long retainedMegabytes, OptionalLong safeBytes, String walStatus) {
        LagTracker tracker = new LagTracker(Clock.systemUTC(), LagBounds.standard(true));
        tracker.sourceSeen(new SourceObservation(
                1,
                Instant.now(),
                OptionalLong.of(1),
                OptionalLong.of(1),
                OptionalLong.of(retainedMegabytes * MEGABYTE),
                safeBytes,
                Optional.of(walStatus)));
        return WalGuard.of(tracker.report(), new TenAndTwenty());
    }

    /** Warns at 10 MB, alarms at 20 MB. */
    private static final class TenAndTwenty implements GuardConfig {
        @Override
        public Optional<MemorySize> warnRetainedWal() {
            return megabytes(10);
        }

        @Override
        public Optional<MemorySize> maxRetainedWal() {
            return megabytes(20);
        }

        @Override
        public Optional<Duration> maxLag() {
            return Optional.empty();
        }

        private static Optional<MemorySize> megabytes(long count) {
            return Optional.of(new MemorySize(BigInteger.valueOf(count * MEGABYTE)));
        }
    }
}

package io.tributary.ops;

import io.tributary.lag.LagReport;
import io.tributary.lag.SourceObservation;
import io.tributary.ops.config.GuardConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How near the WAL that the source keeps for the slot is to harm: to filling the database's disk, or to being dropped by
 * the server, which ends the slot.
 *
 * @param warnings what should be looked at, a sentence each
 * @param alarms what will end badly soon
 */
record WalGuard(List<String> warnings, List<String> alarms) {
    /** Warn when less than half of what the server allows is left, alarm when less than a tenth is. */
    private static final int WARN_SHARE = 2;

    private static final int ALARM_SHARE = 10;

    WalGuard {
        warnings = List.copyOf(warnings);
        alarms = List.copyOf(alarms);
    }

    /** From good to bad. */
    enum Level {
        OK(0),
        WARNING(1),
        CRITICAL(2);

        private final int number;

        Level(int number) {
            this.number = number;
        }

        /** What the metric shows. */
        int number() {
            return number;
        }
    }

    Level level() {
        if (!alarms.isEmpty()) {
            return Level.CRITICAL;
        }
        return warnings.isEmpty() ? Level.OK : Level.WARNING;
    }

    static WalGuard of(LagReport report, GuardConfig guard) {
        Optional<SourceObservation> seen = report.source().observation();
        if (seen.isEmpty() || seen.get().retainedBytes().isEmpty()) {
            return new WalGuard(List.of(), List.of());
        }
        List<String> warnings = new ArrayList<>();
        List<String> alarms = new ArrayList<>();
        byAmount(seen.get().retainedBytes().getAsLong(), guard, warnings, alarms);
        byServer(seen.get(), warnings, alarms);
        return new WalGuard(warnings, alarms);
    }

    private static void byAmount(long retained, GuardConfig guard, List<String> warnings, List<String> alarms) {
        Optional<Long> most = guard.maxRetainedWal().map(bound -> bound.asLongValue());
        Optional<Long> much = guard.warnRetainedWal().map(bound -> bound.asLongValue());
        if (most.isPresent() && retained > most.get()) {
            alarms.add("the source keeps %d bytes of WAL, more than tributary.guard.max-retained-wal=%d"
                    .formatted(retained, most.get()));
        } else if (much.isPresent() && retained > much.get()) {
            warnings.add("the source keeps %d bytes of WAL, more than tributary.guard.warn-retained-wal=%d"
                    .formatted(retained, much.get()));
        }
    }

    private static void byServer(SourceObservation seen, List<String> warnings, List<String> alarms) {
        String status = seen.walStatus().orElse("");
        if (status.equals("unreserved") || status.equals("lost")) {
            alarms.add("the server drops WAL that the slot needs (wal_status=" + status
                    + "): let the bridge catch up, or raise max_slot_wal_keep_size, before the slot is lost");
            return;
        }
        if (seen.safeBytes().isPresent()) {
            bySafeBytes(seen.safeBytes().getAsLong(), seen.retainedBytes().orElse(0), warnings, alarms);
        } else if (status.equals("extended")) {
            warnings.add("the source keeps more WAL for the slot than max_wal_size (wal_status=extended), and"
                    + " max_slot_wal_keep_size sets no end to it");
        }
    }

    private static void bySafeBytes(long safe, long retained, List<String> warnings, List<String> alarms) {
        long allowed = safe + retained;
        String left = "%d bytes of WAL are left before the server may drop what the slot needs (max_slot_wal_keep_size)"
                .formatted(safe);
        if (safe < allowed / ALARM_SHARE) {
            alarms.add(left);
        } else if (safe < allowed / WARN_SHARE) {
            warnings.add(left);
        }
    }
}

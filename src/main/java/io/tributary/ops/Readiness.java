package io.tributary.ops;

import io.tributary.lag.LagReport;
import io.tributary.lag.Verdict;
import io.tributary.ops.config.GuardConfig;
import io.tributary.pipeline.BridgeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether the service does its work, judged by the state and by progress against the source's own position.
 *
 * @param reasons why it isn't ready, a sentence each; empty when it is
 * @param wal how much WAL the source keeps, whose alarms are among the reasons and whose warnings aren't
 */
record Readiness(List<String> reasons, WalGuard wal) {
    Readiness {
        reasons = List.copyOf(reasons);
    }

    boolean ready() {
        return reasons.isEmpty();
    }

    static Readiness of(BridgeState state, LagReport report, GuardConfig guard) {
        WalGuard wal = WalGuard.of(report, guard);
        if (state instanceof BridgeState.Standby) {
            return new Readiness(List.of(), wal);
        }
        List<String> reasons = new ArrayList<>();
        boolean atWork = state instanceof BridgeState.Streaming || state instanceof BridgeState.Snapshotting;
        if (!atWork) {
            reasons.add(state.word() + ": " + state.sentence());
            reasons.addAll(wal.alarms());
            return new Readiness(reasons, wal);
        }
        if (report.verdict() == Verdict.STUCK) {
            reasons.add("stuck: " + report.reason());
        }
        report.source().cause().ifPresent(cause -> reasons.add("the source doesn't answer: " + cause));
        reasons.addAll(wal.alarms());
        tooMuchLag(report, guard).ifPresent(reasons::add);
        return new Readiness(reasons, wal);
    }

    private static Optional<String> tooMuchLag(LagReport report, GuardConfig guard) {
        return guard.maxLag()
                .flatMap(most -> report.tables().stream()
                        .filter(table -> table.lagMillis().orElse(0) > most.toMillis())
                        .findFirst()
                        .map(table -> "%s is %d ms behind, more than tributary.guard.max-lag=%d ms"
                                .formatted(table.table(), table.lagMillis().orElse(0), most.toMillis())));
    }
}

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
 */
record Readiness(List<String> reasons) {
    Readiness {
        reasons = List.copyOf(reasons);
    }

    boolean ready() {
        return reasons.isEmpty();
    }

    static Readiness of(BridgeState state, LagReport report, GuardConfig guard) {
        if (state instanceof BridgeState.Standby) {
            return new Readiness(List.of());
        }
        boolean atWork = state instanceof BridgeState.Streaming || state instanceof BridgeState.Snapshotting;
        if (!atWork) {
            return new Readiness(List.of(state.word() + ": " + state.sentence()));
        }
        List<String> reasons = new ArrayList<>();
        if (report.verdict() == Verdict.STUCK) {
            reasons.add("stuck: " + report.reason());
        }
        report.source().cause().ifPresent(cause -> reasons.add("the source doesn't answer: " + cause));
        tooMuchWal(report, guard).ifPresent(reasons::add);
        tooMuchLag(report, guard).ifPresent(reasons::add);
        return new Readiness(reasons);
    }

    private static Optional<String> tooMuchWal(LagReport report, GuardConfig guard) {
        return guard.maxRetainedWal()
                .flatMap(most -> report.source()
                        .observation()
                        .filter(seen -> seen.retainedBytes().orElse(0) > most.asLongValue())
                        .map(seen -> "the source keeps %d bytes of WAL, more than tributary.guard.max-retained-wal=%d"
                                .formatted(seen.retainedBytes().orElse(0), most.asLongValue())));
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

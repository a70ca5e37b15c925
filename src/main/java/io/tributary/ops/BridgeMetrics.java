package io.tributary.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tributary.event.TableId;
import io.tributary.lag.LagReport;
import io.tributary.lag.SourceObservation;
import io.tributary.pipeline.BridgeState;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The facts as meters; what isn't known is NaN. Meters of a table appear when the table is known. */
final class BridgeMetrics {
    private final MeterRegistry registry;
    private final ServiceView view;
    private final Set<TableId> bound = new HashSet<>();

    BridgeMetrics(MeterRegistry registry, ServiceView view) {
        this.registry = registry;
        this.view = view;
        gauge(
                "tributary.ready",
                "1 when the service does its work",
                moment -> moment.readiness().ready() ? 1 : 0);
        for (String word : stateWords()) {
            Gauge.builder(
                            "tributary.state",
                            view,
                            seen -> seen.recent().state().word().equals(word) ? 1 : 0)
                    .description("1 for the state that the bridge is in")
                    .tag("state", word)
                    .register(registry);
        }
        source(
                "tributary.retained.wal.bytes",
                "WAL that the source keeps for the slot",
                seen -> orNaN(seen.retainedBytes()));
        source(
                "tributary.safe.wal.bytes",
                "WAL that may be written before the server may drop what the slot needs",
                seen -> orNaN(seen.safeBytes()));
        gauge(
                "tributary.retained.wal.level",
                "0 when the WAL that the source keeps is no worry, 1 for a warning, 2 when it is critical",
                moment -> moment.readiness().wal().level().number());
        gauge(
                "tributary.behind.bytes",
                "WAL from the committed position to the source's own",
                moment -> orNaN(moment.report().bytesBehind()));
        gauge(
                "tributary.source.clock.skew.seconds",
                "the source's clock minus this one's",
                moment -> orNaN(moment.report().source().clockSkewMillis()) / 1000);
        gauge(
                "tributary.committed.position.since.seconds",
                "age of the committed position",
                moment -> moment.report()
                        .committed()
                        .map(reached -> (moment.report().at().toEpochMilli()
                                        - reached.since().toEpochMilli())
                                / 1000.0)
                        .orElse(Double.NaN));
        FunctionTimer.builder(
                        "tributary.commit",
                        view,
                        seen -> seen.recent().report().commits(),
                        seen -> seen.recent().report().commitTime().toNanos(),
                        TimeUnit.NANOSECONDS)
                .description("batches committed, and the time from intent to done")
                .register(registry);
    }

    /** The word of each state is its class's name, which a test holds. */
    static List<String> stateWords() {
        return Arrays.stream(BridgeState.class.getPermittedSubclasses())
                .map(state -> state.getSimpleName().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Makes the meters of tables that are new. */
    synchronized void bindNewTables() {
        for (LagReport.Table table : view.recent().report().tables()) {
            if (bound.add(table.table())) {
                bind(table.table());
            }
        }
    }

    private void bind(TableId table) {
        Function<ServiceView, Optional<LagReport.Table>> find = seen -> seen.recent().report().tables().stream()
                .filter(each -> each.table().equals(table))
                .findFirst();
        tableGauge(
                table,
                "tributary.lag.seconds",
                "age of the committed table",
                find,
                each -> orNaN(each.lagMillis()) / 1000);
        tableGauge(table, "tributary.behind.rows", "rows decoded but not committed", find, LagReport.Table::rowsBehind);
        tableGauge(
                table,
                "tributary.delta.version",
                "committed version of the table",
                find,
                each -> orNaN(each.deltaVersion()));
        counter(
                table,
                "tributary.rows.decoded",
                "rows decoded, repeated ones included",
                find,
                LagReport.Table::rowsDecoded);
        counter(table, "tributary.rows.committed", "rows committed", find, LagReport.Table::rowsCommitted);
        counter(
                table,
                "tributary.bytes.committed",
                "bytes of committed data files",
                find,
                LagReport.Table::bytesCommitted);
    }

    private void gauge(String name, String description, ToDoubleFunction<ServiceView.Moment> value) {
        Gauge.builder(name, view, seen -> value.applyAsDouble(seen.recent()))
                .description(description)
                .register(registry);
    }

    private void source(String name, String description, ToDoubleFunction<SourceObservation> value) {
        gauge(name, description, moment -> {
            Optional<SourceObservation> seen = moment.report().source().observation();
            return seen.isPresent() ? value.applyAsDouble(seen.get()) : Double.NaN;
        });
    }

    private void tableGauge(
            TableId table,
            String name,
            String description,
            Function<ServiceView, Optional<LagReport.Table>> find,
            ToDoubleFunction<LagReport.Table> value) {
        Gauge.builder(
                        name,
                        view,
                        seen -> find.apply(seen).map(value::applyAsDouble).orElse(Double.NaN))
                .description(description)
                .tag("table", table.toString())
                .register(registry);
    }

    private void counter(
            TableId table,
            String name,
            String description,
            Function<ServiceView, Optional<LagReport.Table>> find,
            ToDoubleFunction<LagReport.Table> value) {
        FunctionCounter.builder(
                        name,
                        view,
                        seen -> find.apply(seen).map(value::applyAsDouble).orElse(0.0))
                .description(description)
                .tag("table", table.toString())
                .register(registry);
    }

    private static double orNaN(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : Double.NaN;
    }
}

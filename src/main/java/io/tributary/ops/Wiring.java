package io.tributary.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.tributary.batch.BatchBounds;
import io.tributary.batch.BatchConfig;
import io.tributary.delta.DeltaConfig;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.LakeConfig;
import io.tributary.lag.LagBounds;
import io.tributary.lag.LagTracker;
import io.tributary.ops.config.GuardConfig;
import io.tributary.ops.config.ShutdownConfig;
import io.tributary.pipeline.Bridge;
import io.tributary.pipeline.BridgeOptions;
import io.tributary.pipeline.BridgeState;
import io.tributary.pipeline.Maintenance;
import io.tributary.source.Source;
import io.tributary.source.SourceConfig;
import io.tributary.source.Sources;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Supplier;

/** Makes the objects of the running service and hands them to each other. */
final class Wiring {

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    Console console() {
        return Console.ofProcess();
    }

    @Produces
    @Singleton
    LagTracker lagTracker(Clock clock, SourceConfig source) {
        return new LagTracker(clock, LagBounds.standard(source.idleMessage()));
    }

    @Produces
    @Singleton
    Bridge bridge(
            SourceConfig source,
            LakeConfig lake,
            DeltaConfig delta,
            BatchConfig batch,
            ShutdownConfig shutdown,
            LagTracker lag,
            Clock clock) {
        String writer = writerId();
        Source opened = Sources.open(source, writer, clock);
        String name = source.name().orElseThrow();
        DeltaLake into = DeltaLake.open(lake, delta, name, writer, clock);
        BridgeOptions options = options(source, writer, shutdown);
        return new Bridge(opened, into, BatchBounds.of(batch), options, lag, clock);
    }

    /** What an operator does by a command, as a writer of its own. */
    @Produces
    @Singleton
    Maintenance maintenance(
            SourceConfig source,
            LakeConfig lake,
            DeltaConfig delta,
            BatchConfig batch,
            ShutdownConfig shutdown,
            Clock clock) {
        String writer = writerId();
        return new Maintenance(
                Sources.open(source, writer, clock),
                DeltaLake.open(lake, delta, source.name().orElseThrow(), writer, clock),
                BatchBounds.of(batch),
                options(source, writer, shutdown),
                clock);
    }

    private static BridgeOptions options(SourceConfig source, String writer, ShutdownConfig shutdown) {
        return BridgeOptions.standard(
                source.name().orElseThrow(),
                writer,
                source.snapshot(),
                source.onGap(),
                source.idleMessage(),
                shutdown.drainFor());
    }

    /** Names this process in the journal and in the names of its sessions and files: never the same twice. */
    private static String writerId() {
        return UUID.randomUUID().toString().substring(0, 8);
    }

    @Produces
    @Singleton
    Supplier<BridgeState> bridgeStates(Bridge bridge) {
        return bridge::state;
    }

    @Produces
    @Singleton
    ServiceView serviceView(
            SourceConfig source, Supplier<BridgeState> states, LagTracker tracker, GuardConfig guard, Clock clock) {
        return new ServiceView(source.name().orElse("unnamed"), states, tracker, guard, clock);
    }

    @Produces
    @Singleton
    BridgeMetrics bridgeMetrics(MeterRegistry registry, ServiceView view) {
        return new BridgeMetrics(registry, view);
    }

    @Produces
    @Singleton
    Watch watch(ServiceView view, BridgeMetrics metrics) {
        return new Watch(view, metrics);
    }

    void close(@Disposes Watch watch) {
        watch.close();
    }
}

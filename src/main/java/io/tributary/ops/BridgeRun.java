package io.tributary.ops;

import io.quarkus.runtime.QuarkusApplication;
import io.tributary.ops.config.ShutdownConfig;
import io.tributary.pipeline.Bridge;
import jakarta.enterprise.context.Dependent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** The bridge from start to end: it runs until it is drained, refuses, or fails. */
@Dependent
class BridgeRun implements QuarkusApplication {
    private static final Logger LOG = Logger.getLogger(BridgeRun.class);
    /** What the pipeline may take beyond the bound of the drain to end its threads. */
    private static final Duration LEEWAY = Duration.ofSeconds(30);

    private final Bridge bridge;
    private final Watch watch;
    private final Duration drainFor;
    private final Console console;

    BridgeRun(Bridge bridge, Watch watch, ShutdownConfig shutdown, Console console) {
        this.bridge = bridge;
        this.watch = watch;
        this.drainFor = shutdown.drainFor();
        this.console = console;
    }

    @Override
    public int run(String... args) throws InterruptedException, ExecutionException {
        CompletableFuture<Integer> ended = bridge.ended().copy();
        StopSignals signals = new StopSignals(() -> drain(ended));
        signals.listen();
        if (!signals.drainAtExit()) {
            LOG.info("Asked to stop before the work has begun");
            return ExitCode.OK;
        }
        watch.start();
        bridge.start();
        int code = ended.get();
        if (code == ExitCode.OK) {
            LOG.info("Drained and stopped");
        } else {
            console.refuse(bridge.state().sentence());
        }
        return code;
    }

    private void drain(CompletableFuture<Integer> ended) {
        long most = drainFor.plus(LEEWAY).toMillis();
        var unused = ended.completeOnTimeout(ExitCode.OTHER, most, TimeUnit.MILLISECONDS);
        try {
            bridge.drain(drainFor);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.tributary.delta;

import io.delta.kernel.TableManager;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.exceptions.CheckpointAlreadyExistsException;
import io.delta.kernel.hook.PostCommitHook;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * What the tables' logs need after commits: checkpoints, checksums, the removal of expired versions. Done on one thread of
 * its own, so that no commit waits for it or fails with it. Thread-safe.
 */
final class LogUpkeep implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(LogUpkeep.class);
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final Engine engine;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread upkeep = new Thread(task, "tributary-delta-upkeep");
        upkeep.setDaemon(true);
        return upkeep;
    });

    LogUpkeep(Engine engine) {
        this.engine = engine;
    }

    /**
     * Takes over what is due after a commit.
     *
     * @param checkpointed called when the table has a new checkpoint, from which its next load is cheaper
     */
    void after(String tablePath, long version, List<PostCommitHook> due, Runnable checkpointed) {
        try {
            for (PostCommitHook hook : due) {
                thread.execute(() -> run(tablePath, version, hook, checkpointed));
            }
        } catch (RejectedExecutionException e) {
            LOG.debugf("Version %d of %s is left without upkeep: the lake is closed", version, tablePath);
        }
    }

    private void run(String tablePath, long version, PostCommitHook hook, Runnable checkpointed) {
        try {
            if (hook.getType() == PostCommitHook.PostCommitHookType.CHECKPOINT) {
                // not by the hook, which leaves expired log files where they are (delta-io/delta#7205)
                TableManager.loadSnapshot(tablePath).build(engine).writeCheckpoint(engine);
                checkpointed.run();
            } else {
                hook.threadSafeInvoke(engine);
            }
        } catch (CheckpointAlreadyExistsException e) {
            LOG.debugf("Version %d of %s has its checkpoint", version, tablePath);
        } catch (IOException | RuntimeException e) {
            LOG.warnf(
                    e,
                    "%s of %s after version %d failed; the table is whole, later commits try again",
                    hook.getType(),
                    tablePath,
                    version);
        }
    }

    /** Waits for what is due, but not for long: it can always be done later. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(DRAIN.toSeconds(), TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}

package io.tributary.delta;

import io.delta.kernel.TableManager;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.exceptions.CheckpointAlreadyExistsException;
import io.delta.kernel.hook.PostCommitHook;
import io.delta.kernel.hook.PostCommitHook.PostCommitHookType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    /** Tables whose checksum over everything is due or running. */
    private final Set<String> counting = ConcurrentHashMap.newKeySet();

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread upkeep = new Thread(task, "tributary-delta-upkeep");
        upkeep.setDaemon(true);
        return upkeep;
    });

    LogUpkeep(Engine engine) {
        this.engine = engine;
    }

    /** Is told what a table's log has got, from which its next load is cheaper. */
    interface Progress {

        /** For a table that is loaded anew each time. */
        Progress UNHEARD = new Progress() {
            @Override
            public void checkpointed() {}

            @Override
            public void counted(long version) {}
        };

        /** A checkpoint, at this version or a later one. */
        void checkpointed();

        /** A checksum of this version, from which those of later ones follow without counting again. */
        void counted(long version);
    }

    /** Takes over what is due after a commit. */
    void after(String tablePath, long version, List<PostCommitHook> due, Progress progress) {
        try {
            for (PostCommitHook hook : due) {
                boolean countsAll = hook.getType() == PostCommitHookType.CHECKSUM_FULL;
                // counting a whole table may take longer than a commit; one at a time is enough
                if (!countsAll || counting.add(tablePath)) {
                    thread.execute(() -> run(tablePath, version, hook, progress));
                }
            }
        } catch (RejectedExecutionException e) {
            LOG.debugf("Version %s of %s is left without upkeep: the lake is closed", (Object) version, tablePath);
        }
    }

    private void run(String tablePath, long version, PostCommitHook hook, Progress progress) {
        PostCommitHookType type = hook.getType();
        try {
            if (type == PostCommitHookType.CHECKPOINT) {
                // not by the hook, which leaves expired log files where they are (delta-io/delta#7205)
                TableManager.loadSnapshot(tablePath).build(engine).writeCheckpoint(engine);
                progress.checkpointed();
            } else {
                hook.threadSafeInvoke(engine);
            }
            if (type == PostCommitHookType.CHECKSUM_FULL) {
                progress.counted(version);
            }
        } catch (CheckpointAlreadyExistsException e) {
            LOG.debugf("%s has its checkpoint", tablePath);
        } catch (IOException | RuntimeException e) {
            LOG.warnf(
                    e,
                    "%s of %s after version %s failed; the table is whole, later commits try again",
                    type,
                    tablePath,
                    version);
        } finally {
            if (type == PostCommitHookType.CHECKSUM_FULL) {
                counting.remove(tablePath);
            }
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

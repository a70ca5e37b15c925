package io.tributary.pipeline;

import io.tributary.delta.CommitFacts;
import io.tributary.delta.CommitOutcome;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableBlockedException;
import io.tributary.delta.TableCommit;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Commits the tables of one intent side by side; used for new batches and for recovery alike. */
final class TableCommits implements AutoCloseable {
    private static final int THREADS = 4;

    private final DeltaLake lake;
    private final ExecutorService threads;

    TableCommits(DeltaLake lake) {
        this.lake = Objects.requireNonNull(lake);
        AtomicInteger count = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread created = new Thread(task, "tributary-commit-" + count.incrementAndGet());
            created.setDaemon(true);
            return created;
        });
    }

    /** What the tables' histories say of an intent. */
    private static CommitFacts factsOf(JournalEntry intent) {
        return new CommitFacts(intent.position().map(SourcePosition::text).orElse(""), intent.lastSequence());
    }

    /**
     * Commits these tables of an intent; one that fails doesn't keep the others from theirs.
     *
     * @throws TableBlockedException if a table can never take its commit, after all others are done
     * @throws IOException if the storage failed for at least one
     */
    Map<TableId, CommitOutcome> commitAll(JournalEntry intent, List<TableCommit> commits)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        Map<TableId, Future<CommitOutcome>> running = new LinkedHashMap<>();
        CommitFacts facts = factsOf(intent);
        for (TableCommit commit : commits) {
            long batch = intent.batchOf(commit);
            running.put(commit.table(), threads.submit(() -> lake.commit(batch, commit, facts)));
        }
        Map<TableId, CommitOutcome> outcomes = new LinkedHashMap<>();
        Throwable worst = null;
        for (Map.Entry<TableId, Future<CommitOutcome>> entry : running.entrySet()) {
            try {
                outcomes.put(entry.getKey(), entry.getValue().get());
            } catch (ExecutionException e) {
                worst = worse(worst, Objects.requireNonNull(e.getCause()));
            }
        }
        if (worst != null) {
            throw Failures.rethrow(worst);
        }
        return outcomes;
    }

    /** Trouble that passes hides trouble that stays: with it the batch is tried again, and the other shows then. */
    private static Throwable worse(@Nullable Throwable one, Throwable other) {
        return one == null || (one instanceof TableBlockedException && !(other instanceof TableBlockedException))
                ? other
                : one;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

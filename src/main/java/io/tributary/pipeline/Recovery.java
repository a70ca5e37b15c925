package io.tributary.pipeline;

import io.tributary.delta.DeltaLake;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableBlockedException;
import io.tributary.delta.TableCommit;
import io.tributary.event.TableId;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jboss.logging.Logger;

/** Finishes the newest intent from its own file list. Idempotent, so it doesn't matter whose intent it was. */
final class Recovery {
    private static final Logger LOG = Logger.getLogger(Recovery.class);

    private final DeltaLake lake;
    private final TableCommits tableCommits;

    Recovery(DeltaLake lake, TableCommits tableCommits) {
        this.lake = Objects.requireNonNull(lake);
        this.tableCommits = Objects.requireNonNull(tableCommits);
    }

    void finish(JournalEntry newest)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        if (unfinished(newest)) {
            finishFor(newest, newest.commits());
            lake.journal().markDone(newest.number());
        }
    }

    /** Finishes it for all tables but one, which can't take its commit; the intent is not done by this. */
    void finishWithout(JournalEntry newest, TableId blocked)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        if (unfinished(newest)) {
            finishFor(
                    newest,
                    newest.commits().stream()
                            .filter(commit -> !commit.table().equals(blocked))
                            .toList());
        }
    }

    private boolean unfinished(JournalEntry newest) throws IOException {
        return newest.kind() == JournalEntry.Kind.BATCH && !lake.journal().isDone(newest.number());
    }

    private void finishFor(JournalEntry newest, List<TableCommit> commits)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        LOG.infof("Finishing batch %d of writer %s: %d tables", newest.number(), newest.writer(), commits.size());
        tableCommits.commitAll(newest, commits);
    }
}

package io.tributary.pipeline;

import io.tributary.delta.DeltaLake;
import io.tributary.delta.Journal;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableBlockedException;
import java.io.IOException;
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
        Journal journal = lake.journal();
        if (newest.kind() != JournalEntry.Kind.BATCH || journal.isDone(newest.number())) {
            return;
        }
        LOG.infof(
                "Finishing batch %d of writer %s: %d tables",
                newest.number(), newest.writer(), newest.commits().size());
        tableCommits.commitAll(newest.number(), newest.commits(), TableCommits.factsOf(newest));
        journal.markDone(newest.number());
    }
}

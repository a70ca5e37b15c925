package io.tributary.delta;

import io.tributary.event.SourceIdentity;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One object of the intent journal (protocol 3): what its writer is about to do, and where the source is after it.
 *
 * @param format version of the object's form
 * @param number from 0, without holes
 * @param writer the process that wrote it; unique for each start
 * @param position the source position after it; empty before anything was delivered
 * @param lastSequence the last {@code _cdc_seq} that is given away
 * @param commits what the batch adds, one per table
 * @param tables every bronze table of the source as it is after this batch
 */
public record JournalEntry(
        int format,
        long number,
        String writer,
        Kind kind,
        SourceIdentity source,
        Optional<SourcePosition> position,
        long lastSequence,
        List<TableCommit> commits,
        Map<TableId, TableProgress> tables,
        long writtenAtMillis) {

    /** The form that this version writes; see {@link FormatVersion}. Fields that it doesn't know are passed over. */
    public static final int FORMAT = 1;

    /** Why the object was written. */
    public enum Kind {
        /** A source is taken for the first time, or with another identity. */
        CLAIM,
        /** Rows. */
        BATCH,
        /** A sign of life, or a position that moved without rows. */
        ALIVE,
        /** The writer gave up the source; anyone may take it at once. */
        RELEASE
    }

    /**
     * The batch under which a commit goes into its table: this object's own number, but for rows that are decoded again,
     * which take the place of those of the batch before.
     */
    public long batchOf(TableCommit commit) {
        TableProgress progress = tables.get(commit.table());
        return progress == null ? number : progress.lastBatch().orElse(number);
    }

    public JournalEntry {
        Objects.requireNonNull(writer);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(source);
        Objects.requireNonNull(position);
        commits = List.copyOf(commits);
        tables = Map.copyOf(tables);
        if (number < 0) {
            throw new IllegalArgumentException("journal objects count from 0, not " + number);
        }
    }
}

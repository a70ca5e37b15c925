package io.tributary.delta;

import io.delta.kernel.Snapshot;
import io.tributary.event.TableId;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Compares the tables with what the journal says of them (protocol 6). Tables, journal, or both may come back from copies of
 * different age, by a restore or a half-copied lake: then batches are missing in a table, or would go into it twice.
 * Thread-safe.
 */
final class TableAudit {

    private static final String REMEDY = ". Restore tables and journal from one copy of the lake. Where the table only"
            + " misses batches, redo decodes them again as long as the source has them; otherwise waive the table, it is"
            + " then read anew";

    private final BronzeTables tables;
    private final Journal journal;

    TableAudit(BronzeTables tables, Journal journal) {
        this.tables = tables;
        this.journal = journal;
    }

    /** What a table shows of itself. */
    private record Found(String deltaId, long version, OptionalLong lastBatch) {}

    /**
     * The table as its latest version has it.
     *
     * @throws TableBlockedException if it isn't as the journal left it; the message names all such tables
     */
    BronzeTable require(TableId table) throws IOException, TableBlockedException {
        Optional<BronzeTable> found = tables.load(table);
        requireAsLeft(table, found.map(TableAudit::found));
        return found.orElseThrow(() -> tables.blocked(table, -1, "it is gone", null));
    }

    /** @throws TableBlockedException if this version of the table isn't as the journal left it */
    void requireAsLeft(TableId table, Snapshot latest) throws IOException, TableBlockedException {
        Found found = new Found(KernelInternals.tableId(latest), latest.getVersion(), tables.lastBatch(table, latest));
        requireAsLeft(table, Optional.of(found));
    }

    /**
     * A table that holds a batch of a number that is still to come would take that one for done already.
     *
     * @throws TableBlockedException if it does
     */
    void requireNewNumbers(TableId table, Snapshot latest) throws IOException, TableBlockedException {
        long last = tables.lastBatch(table, latest).orElse(-1);
        Optional<JournalEntry> seen = journal.lastSeen();
        if (seen.isEmpty() || last <= seen.get().number()) {
            return;
        }
        long newest = journal.newest().orElse(seen.get()).number();
        if (last > newest) {
            throw tables.blocked(
                    table,
                    latest.getVersion(),
                    "it holds batch " + last + " and the journal ends with object " + newest
                            + ": the journal is an older copy. Restore tables and journal from one copy of the lake, or"
                            + " move the table away: it is then made and read anew",
                    null);
        }
    }

    /**
     * A batch goes into a table only after those that the journal committed to it before. Rows that were decoded again
     * stand for all that the table misses: they are staged for a later batch than the one that they go in as.
     *
     * @param last the newest batch that the table has, older than this one
     */
    void requireFollows(long batch, TableCommit commit, long version, OptionalLong last)
            throws IOException, TableBlockedException {
        boolean again = commit.files().stream()
                .flatMap(file -> StagedName.parse(file.path()).stream())
                .anyMatch(name -> name.batch() > batch);
        if (again || journal.lastSeen().isEmpty()) {
            return;
        }
        TableId table = commit.table();
        JournalEntry before = journal.require(batch - 1);
        TableProgress left = before.tables().get(table);
        OptionalLong expected = left == null ? OptionalLong.empty() : left.lastBatch();
        boolean waived = left != null && left.waived();
        if (!waived && !expected.equals(last)) {
            throw tables.blocked(
                    table,
                    version,
                    "it ends with " + text(last) + " and batch " + batch + " follows " + text(expected)
                            + ": the table was restored from an older copy" + REMEDY,
                    null);
        }
    }

    private void requireAsLeft(TableId table, Optional<Found> found) throws IOException, TableBlockedException {
        Optional<JournalEntry> seen = journal.lastSeen();
        if (seen.isEmpty() || disagreement(seen.get(), table, found).isEmpty()) {
            return;
        }
        JournalEntry newest = journal.newest().orElse(seen.get());
        TableProgress left = seen.get().tables().get(table);
        if (left == null || !left.equals(newest.tables().get(table))) {
            // another writer goes on with the table: the next journal object tells
            return;
        }
        Optional<String> why = disagreement(newest, table, found);
        if (why.isPresent()) {
            long version = found.map(Found::version).orElse(-1L);
            throw tables.blocked(table, version, why.get() + REMEDY + others(newest, table), null);
        }
    }

    /** How the other tables of the journal disagree, so that an operator sees the whole damage at once. */
    private String others(JournalEntry newest, TableId named) throws IOException {
        StringBuilder all = new StringBuilder();
        for (TableId table : new TreeSet<>(newest.tables().keySet())) {
            if (!table.equals(named)) {
                describe(newest, table).ifPresent(why -> all.append("; ").append(why));
            }
        }
        return all.isEmpty() ? "" : ". The same goes for" + all.substring(1);
    }

    private Optional<String> describe(JournalEntry newest, TableId table) throws IOException {
        try {
            return disagreement(newest, table, tables.load(table).map(TableAudit::found))
                    .map(why -> table + ": " + why);
        } catch (TableBlockedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Found found(BronzeTable table) {
        return new Found(table.deltaId(), table.version(), table.lastBatch());
    }

    private Optional<String> disagreement(JournalEntry entry, TableId table, Optional<Found> found) throws IOException {
        TableProgress left = entry.tables().get(table);
        if (left == null || left.waived()) {
            return Optional.empty();
        }
        String known = " (Delta id " + left.deltaId() + ", with " + text(left.lastBatch()) + " in journal object "
                + entry.number() + ")";
        if (found.isEmpty()) {
            return Optional.of("it is gone" + known);
        }
        String id = found.get().deltaId();
        if (!id.equals(left.deltaId())) {
            return Optional.of("it was replaced: its Delta id is " + id + ", and the journal knows another" + known);
        }
        long last = found.get().lastBatch().orElse(-1);
        long expected = left.lastBatch().orElse(-1);
        if (last > expected) {
            return Optional.of("it holds batch " + last + " and the journal, up to object " + entry.number() + ", "
                    + text(left.lastBatch()) + " of it only: journal objects are lost, or are older than the table"
                    + known);
        }
        if (last < expected && !underWay(entry, table)) {
            return Optional.of("it ends with " + text(found.get().lastBatch()) + " and the journal committed batch "
                    + expected + " to it: the table was restored from an older copy" + known);
        }
        return Optional.empty();
    }

    /** Whether the object is an intent that may still have to reach the table. */
    private boolean underWay(JournalEntry entry, TableId table) throws IOException {
        return entry.commits().stream().anyMatch(commit -> commit.table().equals(table))
                && !journal.isDone(entry.number());
    }

    private static String text(OptionalLong batch) {
        return batch.isPresent() ? "batch " + batch.getAsLong() : "no batch";
    }
}

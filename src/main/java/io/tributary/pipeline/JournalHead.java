package io.tributary.pipeline;

import io.tributary.delta.Journal;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableCommit;
import io.tributary.delta.TableProgress;
import io.tributary.event.SourceIdentity;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The newest journal object of an owner, and the only way to write the next one. Every write is a put-if-absent: it
 * succeeds for one writer, and the others learn that they are fenced. Guarded by its own lock: the committer writes,
 * others look.
 */
final class JournalHead {
    private final Journal journal;
    private final String writer;
    private final SourceIdentity identity;
    private final Clock clock;
    private JournalEntry newest;

    JournalHead(Journal journal, String writer, SourceIdentity identity, Clock clock, JournalEntry newest) {
        this.journal = Objects.requireNonNull(journal);
        this.writer = Objects.requireNonNull(writer);
        this.identity = Objects.requireNonNull(identity);
        this.clock = Objects.requireNonNull(clock);
        this.newest = Objects.requireNonNull(newest);
    }

    synchronized JournalEntry newest() {
        return newest;
    }

    /** Where the source resumes. */
    synchronized Optional<SourcePosition> position() {
        return newest.position();
    }

    synchronized Map<TableId, TableProgress> tables() {
        return newest.tables();
    }

    /** Takes the ownership: from here on every other writer's next object is refused. */
    JournalEntry claim(Optional<SourcePosition> position, Map<TableId, TableProgress> tables)
            throws JournalFencedException, IOException {
        return append(JournalEntry.Kind.CLAIM, position, newest().lastSequence(), List.of(), tables);
    }

    /** A sign of life that may also move the position. */
    JournalEntry alive(SourcePosition position) throws JournalFencedException, IOException {
        return append(JournalEntry.Kind.ALIVE, Optional.of(position), newest().lastSequence(), List.of(), tables());
    }

    /** Gives the ownership back: the next instance need not wait. */
    JournalEntry release() throws JournalFencedException, IOException {
        return append(JournalEntry.Kind.RELEASE, position(), newest().lastSequence(), List.of(), tables());
    }

    /** The point of no return of a batch. */
    JournalEntry intent(
            SourcePosition position, long lastSequence, List<TableCommit> commits, Map<TableId, TableProgress> marks)
            throws JournalFencedException, IOException {
        long number = newest().number() + 1;
        Map<TableId, TableProgress> tables = new LinkedHashMap<>(tables());
        tables.putAll(marks);
        for (TableCommit commit : commits) {
            TableProgress before = tables.get(commit.table());
            if (before == null) {
                throw new IllegalStateException("a commit of " + commit.table() + ", which the journal doesn't know");
            }
            tables.put(commit.table(), before.withLastBatch(number));
        }
        return append(JournalEntry.Kind.BATCH, Optional.of(position), lastSequence, commits, tables);
    }

    /** Rows of one table that stand for those of the batch at which the table is, decoded again; nothing else moves. */
    JournalEntry again(TableCommit commit) throws JournalFencedException, IOException {
        return append(JournalEntry.Kind.BATCH, position(), newest().lastSequence(), List.of(commit), tables());
    }

    void done(JournalEntry entry) throws IOException {
        journal.markDone(entry.number());
    }

    private synchronized JournalEntry append(
            JournalEntry.Kind kind,
            Optional<SourcePosition> position,
            long lastSequence,
            List<TableCommit> commits,
            Map<TableId, TableProgress> tables)
            throws JournalFencedException, IOException {
        JournalEntry next = new JournalEntry(
                JournalEntry.FORMAT,
                newest.number() + 1,
                writer,
                kind,
                identity,
                position,
                lastSequence,
                commits,
                tables,
                clock.millis());
        journal.append(next);
        newest = next;
        return next;
    }
}

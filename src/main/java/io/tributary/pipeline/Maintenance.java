package io.tributary.pipeline;

import io.tributary.batch.BatchBounds;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.Journal;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableBlockedException;
import io.tributary.delta.TableCommit;
import io.tributary.delta.TableProgress;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.source.ChannelState;
import io.tributary.source.Source;
import io.tributary.source.SourceGapException;
import java.io.IOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an operator decides when the bridge can't go on by itself. Each call claims the source as any writer does, so that
 * an instance that runs meanwhile is fenced, and gives it back: that instance, or the next start, goes on from there.
 * Answers are sentences for people. Not thread-safe.
 */
public final class Maintenance implements AutoCloseable {
    private static final int ATTEMPTS = 10;

    private final Source source;
    private final DeltaLake lake;
    private final BatchBounds bounds;
    private final BridgeOptions options;
    private final Clock clock;
    private final TableCommits tableCommits;
    private final Recovery recovery;
    private final GapRecords records;

    /** Takes over source and lake and closes them at its end. */
    public Maintenance(Source source, DeltaLake lake, BatchBounds bounds, BridgeOptions options, Clock clock) {
        this.source = Objects.requireNonNull(source);
        this.lake = Objects.requireNonNull(lake);
        this.bounds = Objects.requireNonNull(bounds);
        this.options = Objects.requireNonNull(options);
        this.clock = Objects.requireNonNull(clock);
        this.tableCommits = new TableCommits(lake);
        this.recovery = new Recovery(lake, tableCommits);
        this.records = new GapRecords(lake);
    }

    /** One attempt to do something from the newest journal object on. */
    @FunctionalInterface
    private interface Work {
        String from(JournalEntry newest)
                throws IOException, InterruptedException, JournalFencedException, TableBlockedException,
                        RefusedException;
    }

    /**
     * Closes a gap: a new channel, and the next start reads every table anew as its next generation.
     *
     * @param force also when nothing is known to be missing
     * @throws RefusedException if nothing is missing
     * @throws SourceGapException if the gap can't be closed so, as when another server answers
     */
    public String repair(boolean force)
            throws IOException, InterruptedException, TableBlockedException, RefusedException {
        return claiming(newest -> {
            source.inspect().requireUsable();
            Optional<SourceGapException> gap = gapAfter(newest);
            if (gap.isPresent() && !Repair.mends(gap.get())) {
                throw gap.get();
            }
            if (gap.isPresent()) {
                records.met(gap.get());
                return renewed(newest, Failures.message(gap.get()));
            }
            if (force) {
                return renewed(newest, "an operator asked for it");
            }
            return readAnew(newest);
        });
    }

    private String renewed(JournalEntry newest, String cause)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        recovery.finish(newest);
        JournalHead head = head(newest);
        head.claim(newest.position(), newest.tables());
        evictReader();
        SourcePosition position = new Repair(source, records).apply(head, cause);
        head.release();
        return "A new replication slot keeps every change from " + position.text() + " on; the next start reads "
                + newest.tables().size() + " tables anew, each as its next generation: "
                + new TreeSet<>(newest.tables().keySet());
    }

    /** Tables that were altered behind the stream, where the snapshot policy forbids to read them by itself. */
    private String readAnew(JournalEntry newest)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException, RefusedException {
        Map<TableId, String> relations = source.relations();
        Map<TableId, TableProgress> tables = new LinkedHashMap<>(newest.tables());
        relations.forEach((table, relation) -> tables.computeIfPresent(
                table, (same, known) -> known.relation().equals(relation) ? known : known.withoutSnapshot(relation)));
        if (tables.equals(newest.tables())) {
            throw new RefusedException("nothing is missing: the replication slot delivers everything after the stored"
                    + " position " + newest.position().map(SourcePosition::text).orElse("of the next start")
                    + ". To read every table anew nevertheless, add --force");
        }
        recovery.finish(newest);
        JournalHead head = head(newest);
        JournalEntry claim = head.claim(newest.position(), tables);
        Set<TableId> altered = new TreeSet<>(tables.keySet());
        altered.removeIf(
                table -> Objects.equals(tables.get(table), newest.tables().get(table)));
        records.repaired(claim, altered, "altered behind the stream");
        head.release();
        return "The next start reads anew what was altered behind the stream: " + altered;
    }

    /**
     * Takes a table out that can't take its commit, so that the others go on. It comes back by itself, read anew, at the
     * first start at which what stands in its place can take rows.
     */
    public String waive(TableId table)
            throws IOException, InterruptedException, TableBlockedException, RefusedException {
        return claiming(newest -> {
            TableProgress known = knownTable(newest, table);
            if (known.waived()) {
                // the call before may have died before it said so
                records.waived(newest, table, troubleOf(newest, table).orElse("no longer known"));
                throw new RefusedException(table + " is waived already");
            }
            String trouble = troubleOf(newest, table)
                    .orElseThrow(() -> new RefusedException(
                            table + " takes its commits, so there is nothing to waive; nothing was changed"));
            recovery.finishWithout(newest, table);
            Map<TableId, TableProgress> tables = new LinkedHashMap<>(newest.tables());
            tables.put(table, known.asWaived());
            JournalHead head = head(newest);
            records.waived(head.claim(newest.position(), tables), table, trouble);
            head.release();
            return table + " is waived: the others go on without it, and it is read anew at the first start at which it"
                    + " can take rows. What is wrong with it: " + trouble;
        });
    }

    /** Decodes again what a table misses since its staged files were lost or it was restored to an older version. */
    public String redo(TableId table)
            throws IOException, InterruptedException, TableBlockedException, RefusedException {
        return claiming(newest -> {
            TableProgress known = knownTable(newest, table);
            Redo.Range range = Redo.rangeOf(lake, newest, table, known);
            source.requireContinues(newest.source(), range.from());
            recovery.finishWithout(newest, table);
            evictReader();
            JournalHead head = head(newest);
            TableCommit again = new Redo(source, lake, bounds, clock).decode(table, known, range, head);
            lake.verifyAgain(again);
            JournalEntry intent = head.again(again);
            recovery.finish(intent);
            head.release();
            return table + " has what it missed: " + again.rows() + " rows up to "
                    + range.to().text();
        });
    }

    /**
     * Gives up the source: drops channel and publication. The lake stays readable, and a later start begins with a new
     * channel and new generations.
     *
     * @throws RefusedException if an instance still runs
     */
    public String retire() throws IOException, InterruptedException, TableBlockedException, RefusedException {
        return claiming(newest -> {
            if (source.otherInstancePresent()) {
                throw new RefusedException("an instance of this source is still running; stop it first");
            }
            source.requireSame(newest.source());
            recovery.finish(newest);
            Map<TableId, TableProgress> tables = new LinkedHashMap<>();
            newest.tables().forEach((table, progress) -> tables.put(table, progress.withoutSnapshot()));
            JournalHead head = head(newest);
            head.claim(Optional.empty(), tables);
            evictReader();
            Optional<String> left = source.dropChannel();
            head.release();
            return "The replication slot " + newest.source().channel() + " is dropped; everything up to "
                    + newest.position().map(SourcePosition::text).orElse("nothing")
                    + " stays in the lake"
                    + left.map(sql -> ". The publication is another role's, who may remove it: " + sql)
                            .orElse(" and the publication is dropped");
        });
    }

    /** Where the source's log ends now, after a mark of ours if one may be written. */
    public SourcePosition sourceEnd() {
        long end = source.status().currentLsn();
        if (options.idleMessage()) {
            source.emitIdleMessage();
        }
        return new SourcePosition.Wal(end, 0, 0);
    }

    @Override
    public void close() {
        tableCommits.close();
        lake.close();
        source.close();
    }

    private String claiming(Work work)
            throws IOException, InterruptedException, TableBlockedException, RefusedException {
        Journal journal = lake.journal();
        for (int attempt = 1; ; attempt++) {
            JournalEntry newest = journal.newest()
                    .orElseThrow(() -> new RefusedException(
                            "the lake has no journal of source " + options.source() + ", so nothing was captured yet"));
            try {
                return work.from(newest);
            } catch (JournalFencedException e) {
                if (attempt == ATTEMPTS) {
                    throw new RefusedException("another instance is at work: " + Failures.message(e));
                }
            }
        }
    }

    private JournalHead head(JournalEntry newest) {
        return new JournalHead(lake.journal(), options.writer(), source.identity(), clock, newest);
    }

    private Optional<SourceGapException> gapAfter(JournalEntry newest) {
        try {
            newest.position().ifPresent(position -> source.requireContinues(newest.source(), position));
            return Optional.empty();
        } catch (SourceGapException gap) {
            return Optional.of(gap);
        }
    }

    private static TableProgress knownTable(JournalEntry newest, TableId table) throws RefusedException {
        TableProgress known = newest.tables().get(table);
        if (known == null) {
            throw new RefusedException("the journal doesn't know " + table + "; it has "
                    + new TreeSet<>(newest.tables().keySet()));
        }
        return known;
    }

    /** Why the table can't go on; tries the pending commit, as the bridge would. */
    private Optional<String> troubleOf(JournalEntry newest, TableId table)
            throws IOException, InterruptedException, JournalFencedException {
        List<TableCommit> pending = newest.commits().stream()
                .filter(commit -> commit.table().equals(table))
                .toList();
        try {
            if (!pending.isEmpty() && !lake.journal().isDone(newest.number())) {
                tableCommits.commitAll(newest, pending);
            }
            lake.require(table);
            return Optional.empty();
        } catch (TableBlockedException e) {
            return Optional.of(Failures.message(e));
        }
    }

    private void evictReader() {
        if (source.channel() instanceof ChannelState.Present present && present.active()) {
            source.takeOver();
        }
    }
}

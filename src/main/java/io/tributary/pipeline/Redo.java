package io.tributary.pipeline;

import io.tributary.batch.BatchAccumulator;
import io.tributary.batch.BatchBounds;
import io.tributary.batch.FilledBatch;
import io.tributary.batch.FilledTable;
import io.tributary.batch.RowWriter;
import io.tributary.batch.RowWriters;
import io.tributary.batch.StagedFile;
import io.tributary.delta.BronzeTable;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableBlockedException;
import io.tributary.delta.TableCommit;
import io.tributary.delta.TableProgress;
import io.tributary.event.ChangeEvent;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.evolution.TableLayout;
import io.tributary.source.CaptureListener;
import io.tributary.source.CaptureRun;
import io.tributary.source.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Decodes a stretch of the source's log a second time, for one table. That it is the same stretch is proven, not assumed:
 * it must give away the same last {@code _cdc_seq} and hold as many rows of the table as the journal says.
 */
final class Redo {
    private static final Duration ENGINE_STOP = Duration.ofSeconds(15);

    private final Source source;
    private final DeltaLake lake;
    private final BatchBounds bounds;
    private final Clock clock;

    /**
     * What is decoded again.
     *
     * @param before the object before the first batch that the table misses
     * @param last the newest batch that it misses
     * @param rows of the table, over all those batches
     */
    record Range(JournalEntry before, JournalEntry last, long rows) {
        SourcePosition from() {
            return before.position().orElseThrow();
        }

        SourcePosition to() {
            return last.position().orElseThrow();
        }
    }

    Redo(Source source, DeltaLake lake, BatchBounds bounds, Clock clock) {
        this.source = Objects.requireNonNull(source);
        this.lake = Objects.requireNonNull(lake);
        this.bounds = Objects.requireNonNull(bounds);
        this.clock = Objects.requireNonNull(clock);
    }

    /** The stretch that a table misses, if it can be decoded again. */
    static Range rangeOf(DeltaLake lake, JournalEntry newest, TableId table, TableProgress known)
            throws IOException, TableBlockedException, RefusedException {
        BronzeTable found = lake.load(table)
                .orElseThrow(() -> new RefusedException("the Delta table of " + table
                        + " is gone, so there is nothing to go on from; restore it, or waive it"));
        if (!found.deltaId().equals(known.deltaId())) {
            throw new RefusedException(
                    "another table stands at " + found.path() + ", which can't go on from batch to batch; waive it");
        }
        long has = found.lastBatch().orElse(-1);
        Deque<JournalEntry> missed = new ArrayDeque<>();
        long rows = 0;
        for (JournalEntry entry : lake.journal().unbroken()) {
            for (TableCommit commit : entry.commits()) {
                if (commit.table().equals(table) && entry.batchOf(commit) > has) {
                    missed.addFirst(entry);
                    rows += commit.rows();
                }
            }
        }
        if (missed.isEmpty()) {
            throw new RefusedException(table + " has every batch that the journal names; nothing was changed");
        }
        JournalEntry first = missed.getFirst();
        JournalEntry before = lake.journal()
                .read(first.number() - 1)
                .filter(entry -> entry.position().isPresent())
                .orElseThrow(() -> new RefusedException("the journal no longer has what came before batch "
                        + first.number() + "; waive the table, it is then read anew"));
        TableProgress then = before.tables().get(table);
        if (then == null || then.generation() != known.generation()) {
            throw new RefusedException("what " + table
                    + " misses is a snapshot, which can't be decoded again; waive the table, it is then read anew");
        }
        return new Range(before, missed.getLast(), rows);
    }

    /** Decodes the stretch and stages the table's rows of it. */
    TableCommit decode(TableId table, TableProgress known, Range range, JournalHead head)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException, RefusedException {
        Map<TableId, TableLayout> layouts = new LinkedHashMap<>();
        for (TableId each : head.tables().keySet()) {
            lake.load(each).ifPresent(found -> layouts.put(each, found.layout()));
        }
        RowWriters writers =
                (batch, schema, generation) -> schema.layout().table().equals(table)
                        ? lake.writers().open(batch, schema, generation)
                        : new Unwritten();
        BatchAccumulator accumulator = new BatchAccumulator(
                bounds,
                writers,
                clock,
                layouts,
                OptionalLong.empty(),
                head.newest().number() + 1,
                range.before().lastSequence());
        Map<TableId, SnapshotPoint> snapshots = Epoch.overlapping(range.before().tables(), range.from());
        Listener listener = new Listener(accumulator, range.to());
        CaptureRun run = source.stream(range.from(), snapshots, listener);
        try {
            run.start();
            CompletableFuture.anyOf(run.ended(), listener.reached).get();
        } catch (ExecutionException e) {
            throw Failures.rethrow(e);
        } finally {
            run.stop(ENGINE_STOP);
            if (!listener.reached.isDone()) {
                accumulator.close();
            }
        }
        try (FilledBatch batch = accumulator.take(head.newest().number() + 1)) {
            return staged(batch, table, known, range);
        }
    }

    private static TableCommit staged(FilledBatch batch, TableId table, TableProgress known, Range range)
            throws IOException, RefusedException {
        FilledTable rows = batch.tables().stream()
                .filter(filled -> filled.layout().table().equals(table))
                .filter(filled -> filled.rows() == range.rows())
                .filter(filled -> batch.lastSequence() == range.last().lastSequence())
                .findFirst()
                .orElseThrow(() -> new RefusedException("decoded again, the log gives something else than before ("
                        + "last sequence " + batch.lastSequence() + ", the journal has "
                        + range.last().lastSequence() + "): the captured tables were changed meanwhile. Waive " + table
                        + ", it is then read anew"));
        List<StagedFile> files = new ArrayList<>();
        for (RowWriter writer : rows.writers()) {
            files.addAll(writer.finish());
        }
        return new TableCommit(table, known.path(), known.deltaId(), rows.layout(), rows.rows(), files);
    }

    /** Fills the batch up to a transaction end and acknowledges nothing. */
    private static final class Listener implements CaptureListener {
        private final BatchAccumulator accumulator;
        private final SourcePosition end;
        private final CompletableFuture<Void> reached = new CompletableFuture<>();

        Listener(BatchAccumulator accumulator, SourcePosition end) {
            this.accumulator = accumulator;
            this.end = end;
        }

        @Override
        public void event(ChangeEvent event) {
            if (reached.isDone()) {
                return;
            }
            try {
                accumulator.add(event);
            } catch (IOException e) {
                throw new UncheckedIOException("staging rows of " + event.table() + " failed: " + e.getMessage(), e);
            }
        }

        @Override
        public void transactionEnd(SourcePosition safe) {
            if (reached.isDone()) {
                return;
            }
            accumulator.transactionEnded(safe);
            if (!end.isAfter(safe)) {
                reached.complete(null);
            }
        }
    }

    /** Rows of other tables, which have them: they are only counted. */
    private static final class Unwritten implements RowWriter {
        @Override
        public void append(long sequence, ChangeEvent event) {}

        @Override
        public long bufferedBytes() {
            return 0;
        }

        @Override
        public void spill() {}

        @Override
        public List<StagedFile> finish() {
            return List.of();
        }

        @Override
        public void close() {}
    }
}

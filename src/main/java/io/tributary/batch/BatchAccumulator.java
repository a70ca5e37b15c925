package io.tributary.batch;

import io.tributary.event.ChangeEvent;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import io.tributary.evolution.TableLayout;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The batch that is being filled. It gives every event its {@code _cdc_seq}, hands rows to the encoder of their table,
 * and can be taken only where a source transaction has ended. Confined to one thread.
 */
public final class BatchAccumulator implements AutoCloseable {
    private static final int ROWS_BETWEEN_MEMORY_CHECKS = 1024;
    /** Share of the bound that may come in before memory is looked at anyway: a few rows can be large. */
    private static final int SHARE_BETWEEN_MEMORY_CHECKS = 4;

    private final BatchBounds bounds;
    private final RowWriters writers;
    private final Clock clock;
    private final OptionalLong generation;
    private final Map<TableId, TableLayout> layouts;

    /** The newest schema seen of each table, over all batches. */
    private final Map<TableId, TableSchema> schemas = new HashMap<>();

    private Map<TableId, FillingTable> tables = new LinkedHashMap<>();
    private long number;
    private long sequence;
    private long rows;
    private long grown;
    private long firstRowMillis;
    private @Nullable SourcePosition boundary;
    private boolean atBoundary = true;
    private @Nullable TableSchema lastSchema;
    private @Nullable FillingTable lastTable;

    /**
     * Begins the first batch.
     *
     * @param layouts of every table that may come, as pinned in the lake
     * @param generation the snapshot that the rows belong to; empty in the stream
     * @param number of the batch that is begun
     * @param lastSequence the last {@code _cdc_seq} that is taken
     */
    public BatchAccumulator(
            BatchBounds bounds,
            RowWriters writers,
            Clock clock,
            Map<TableId, TableLayout> layouts,
            OptionalLong generation,
            long number,
            long lastSequence) {
        this.bounds = Objects.requireNonNull(bounds);
        this.writers = Objects.requireNonNull(writers);
        this.clock = Objects.requireNonNull(clock);
        this.layouts = new HashMap<>(layouts);
        this.generation = Objects.requireNonNull(generation);
        this.number = number;
        this.sequence = lastSequence;
    }

    public void add(ChangeEvent event) throws IOException {
        FillingTable table = tableOf(event.schema());
        if (rows++ == 0) {
            firstRowMillis = clock.millis();
        }
        atBoundary = false;
        grown += table.append(++sequence, event);
        if (rows % ROWS_BETWEEN_MEMORY_CHECKS == 0 || grown > bounds.maxBytes() / SHARE_BETWEEN_MEMORY_CHECKS) {
            grown = 0;
            boundMemory();
        }
    }

    /** A transaction has ended: everything added so far is committed at the source at or before this position. */
    public void transactionEnded(SourcePosition position) {
        boundary = Objects.requireNonNull(position);
        atBoundary = true;
    }

    /** Whether the batch may end here and holds so many rows that it must. */
    public boolean full() {
        return atBoundary && bounds.full(rows);
    }

    /** Whether the batch may end here and is old enough. */
    public boolean aged() {
        return atBoundary && rows > 0 && bounds.aged(rows, Duration.ofMillis(clock.millis() - firstRowMillis));
    }

    /** Whether rows wait for their commit. */
    public boolean hasRows() {
        return rows > 0;
    }

    /** Whether the batch may end here: no transaction is half delivered. */
    public boolean atBoundary() {
        return atBoundary;
    }

    /** The newest transaction end that was seen. */
    public Optional<SourcePosition> boundary() {
        return Optional.ofNullable(boundary);
    }

    public long lastSequence() {
        return sequence;
    }

    /**
     * Takes the batch and begins the next one.
     *
     * @param next number of the batch that begins
     * @throws IllegalStateException inside a transaction
     */
    public FilledBatch take(long next) {
        if (!atBoundary || boundary == null) {
            throw new IllegalStateException("a batch ends only where a source transaction ends");
        }
        List<FilledTable> filled = new ArrayList<>();
        for (FillingTable table : tables.values()) {
            filled.add(table.filled());
            layouts.put(table.layout().table(), table.layout());
        }
        FilledBatch batch = new FilledBatch(number, boundary, sequence, filled);
        tables = new LinkedHashMap<>();
        lastSchema = null;
        lastTable = null;
        rows = 0;
        grown = 0;
        number = next;
        return batch;
    }

    @Override
    public void close() {
        tables.values().forEach(FillingTable::close);
        tables.clear();
    }

    @SuppressWarnings("ReferenceEquality")
    private FillingTable tableOf(TableSchema schema) throws IOException {
        // a decoder hands out the same instance until the schema changes, so identity decides nearly always
        if (schema == lastSchema && lastTable != null) {
            return lastTable;
        }
        FillingTable table = tables.get(schema.table());
        if (table == null) {
            TableLayout layout = layouts.get(schema.table());
            if (layout == null) {
                throw new IllegalStateException("an event of " + schema.table() + ", which has no bronze table here");
            }
            table = new FillingTable(writers, number, generation, layout, schema);
            TableSchema before = schemas.get(schema.table());
            if (before != null && !before.equals(schema)) {
                table.noteDropped(before);
            }
            tables.put(schema.table(), table);
        } else if (!table.schema().equals(schema)) {
            table.changeSchema(schema);
        }
        schemas.put(schema.table(), schema);
        lastSchema = schema;
        lastTable = table;
        return table;
    }

    private void boundMemory() throws IOException {
        long held = 0;
        for (FillingTable table : tables.values()) {
            held += table.bufferedBytes();
        }
        List<FillingTable> largestFirst = new ArrayList<>(tables.values());
        largestFirst.sort(Comparator.comparingLong(FillingTable::bufferedBytes).reversed());
        for (FillingTable table : largestFirst) {
            if (held <= bounds.maxBytes()) {
                return;
            }
            held -= table.bufferedBytes();
            table.spill();
        }
    }
}

package io.tributary.batch;

import io.tributary.event.ChangeEvent;
import io.tributary.event.TableSchema;
import io.tributary.evolution.Drift;
import io.tributary.evolution.FollowedSchema;
import io.tributary.evolution.LayoutEvolution;
import io.tributary.evolution.TableLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** One table's part of the batch that is being filled: an encoder for each schema that came. */
final class FillingTable implements AutoCloseable {
    private final RowWriters writers;
    private final long batch;
    private final OptionalLong generation;
    private final List<RowWriter> opened = new ArrayList<>();
    private final List<Drift> drift = new ArrayList<>();
    private FollowedSchema followed;
    private RowWriter current;
    private long rows;
    /** As of the newest row: asking an encoder costs a walk through its columns. */
    private long bufferedBytes;

    private long newestSourceTimeMicros = Long.MIN_VALUE;

    FillingTable(RowWriters writers, long batch, OptionalLong generation, TableLayout layout, TableSchema schema)
            throws IOException {
        this.writers = writers;
        this.batch = batch;
        this.generation = generation;
        this.followed = LayoutEvolution.follow(layout, schema);
        this.drift.addAll(followed.drift());
        this.current = writers.open(batch, followed, generation);
        this.opened.add(current);
    }

    /** Adds a row; answers by how many bytes what is held in memory has grown. */
    long append(long sequence, ChangeEvent event) throws IOException {
        current.append(sequence, event);
        rows++;
        long before = bufferedBytes;
        bufferedBytes = current.bufferedBytes();
        newestSourceTimeMicros = Math.max(newestSourceTimeMicros, event.origin().sourceTimeMicros());
        return Math.max(0, bufferedBytes - before);
    }

    /** Notes what left the table since a schema that an earlier batch ended with. */
    void noteDropped(TableSchema before) {
        drift.addAll(LayoutEvolution.dropped(before, followed.schema()));
    }

    void changeSchema(TableSchema schema) throws IOException {
        drift.addAll(LayoutEvolution.dropped(followed.schema(), schema));
        followed = LayoutEvolution.follow(followed.layout(), schema);
        drift.addAll(followed.drift());
        // the encoder before goes to its file now: only one at a time holds memory
        spill();
        current = writers.open(batch, followed, generation);
        opened.add(current);
    }

    TableSchema schema() {
        return followed.schema();
    }

    TableLayout layout() {
        return followed.layout();
    }

    long bufferedBytes() {
        return bufferedBytes;
    }

    void spill() throws IOException {
        current.spill();
        bufferedBytes = current.bufferedBytes();
    }

    FilledTable filled() {
        return new FilledTable(followed.layout(), rows, newestSourceTimeMicros, drift, opened);
    }

    @Override
    public void close() {
        opened.forEach(RowWriter::close);
    }
}

package io.tributary.delta;

import io.tributary.batch.RowWriter;
import io.tributary.batch.RowWriters;
import io.tributary.evolution.FollowedSchema;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Opens the encoders of one writer. Files are named {@code <batch>-<writer>-<counter>.parquet}: the counter rises over all
 * of the writer's life, so that a batch that is encoded again never meets the files of its first try. Thread-safe.
 */
final class StagedRowWriters implements RowWriters {

    private final LakeStorage storage;
    private final TablePaths paths;
    private final String writer;
    private final StagedRowWriter.Limits limits;
    private final AtomicLong counter = new AtomicLong();

    StagedRowWriters(LakeStorage storage, TablePaths paths, String writer, StagedRowWriter.Limits limits) {
        this.storage = storage;
        this.paths = paths;
        this.writer = writer;
        this.limits = limits;
    }

    @Override
    public RowWriter open(long batch, FollowedSchema schema, OptionalLong generation) {
        return new StagedRowWriter(
                storage,
                paths.of(schema.layout().table()),
                () -> StagedName.of(batch, writer, counter.incrementAndGet()),
                limits,
                schema,
                generation);
    }
}

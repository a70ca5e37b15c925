package io.tributary.delta;

import io.tributary.event.SnapshotPoint;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a table is, as of a journal object.
 *
 * @param path the table's folder, relative to the lake's root
 * @param deltaId Delta's id of the table
 * @param generation its newest snapshot, counted from 1; 0 before any
 * @param snapshot what that snapshot shows; empty as long as the rows from before the capture must still be read
 * @param lastBatch the newest batch that has rows of the table; empty before any
 */
public record TableProgress(
        String path, String deltaId, long generation, Optional<SnapshotPoint> snapshot, OptionalLong lastBatch) {
    public TableProgress {
        Objects.requireNonNull(path);
        Objects.requireNonNull(deltaId);
        Objects.requireNonNull(snapshot);
        Objects.requireNonNull(lastBatch);
    }

    /** The same with a batch more. */
    public TableProgress withLastBatch(long batch) {
        return new TableProgress(path, deltaId, generation, snapshot, OptionalLong.of(batch));
    }

    /** The same after a snapshot was read. */
    public TableProgress withSnapshot(long read, SnapshotPoint point) {
        return new TableProgress(path, deltaId, read, Optional.of(point), lastBatch);
    }

    /** The same after changes went by unseen: it must be read anew. */
    public TableProgress withoutSnapshot() {
        return new TableProgress(path, deltaId, generation, Optional.empty(), lastBatch);
    }
}

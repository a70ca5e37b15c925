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
 * @param relation which table of the source it follows, and its place in the publication; opaque
 * @param generation its newest snapshot, counted from 1; 0 before any
 * @param snapshot what that snapshot shows; empty as long as the rows from before the capture must still be read
 * @param lastBatch the newest batch that has rows of the table; empty before any
 * @param waived whether an operator took it out of the capture because it could not take its rows
 */
public record TableProgress(
        String path,
        String deltaId,
        String relation,
        long generation,
        Optional<SnapshotPoint> snapshot,
        OptionalLong lastBatch,
        boolean waived) {
    public TableProgress {
        Objects.requireNonNull(path);
        Objects.requireNonNull(deltaId);
        Objects.requireNonNull(relation);
        Objects.requireNonNull(snapshot);
        Objects.requireNonNull(lastBatch);
    }

    /** The same with a batch more. */
    public TableProgress withLastBatch(long batch) {
        return new TableProgress(path, deltaId, relation, generation, snapshot, OptionalLong.of(batch), waived);
    }

    /** The same after a snapshot was read. */
    public TableProgress withSnapshot(long read, SnapshotPoint point) {
        return new TableProgress(path, deltaId, relation, read, Optional.of(point), lastBatch, waived);
    }

    /** The same after changes went by unseen: it must be read anew. */
    public TableProgress withoutSnapshot() {
        return withoutSnapshot(relation);
    }

    /** The same for another relation of the source, which must be read from the start. */
    public TableProgress withoutSnapshot(String other) {
        return new TableProgress(path, deltaId, other, generation, Optional.empty(), lastBatch, waived);
    }

    /** The same, taken out of the capture until the table that stands there then can be read anew. */
    public TableProgress asWaived() {
        return new TableProgress(path, deltaId, relation, generation, Optional.empty(), lastBatch, true);
    }

    /** The same for what stands in the lake now, captured again and to be read anew. */
    public TableProgress resumed(String foundId, OptionalLong foundBatch) {
        return new TableProgress(path, foundId, relation, generation, Optional.empty(), foundBatch, false);
    }
}

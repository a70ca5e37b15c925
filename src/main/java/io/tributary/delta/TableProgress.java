package io.tributary.delta;

import io.tributary.event.SourcePosition;
import java.util.Objects;

/**
 * How far a table is, as of a journal object.
 *
 * @param path the table's folder, relative to the lake's root
 * @param deltaId Delta's id of the table
 * @param generation its newest snapshot
 * @param snapshotPosition where that snapshot was consistent: older transactions are in it already
 * @param lastBatch the newest batch that has rows of the table
 */
public record TableProgress(
        String path, String deltaId, long generation, SourcePosition snapshotPosition, long lastBatch) {
    public TableProgress {
        Objects.requireNonNull(path);
        Objects.requireNonNull(deltaId);
        Objects.requireNonNull(snapshotPosition);
    }
}

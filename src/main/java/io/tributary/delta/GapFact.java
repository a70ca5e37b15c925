package io.tributary.delta;

import io.tributary.event.TableId;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What there is to know about changes that are missing, or about what was done about them.
 *
 * @param table the table concerned; empty where all of the source are
 * @param channel where the changes were to come from: the replication slot
 * @param stored the position up to which the lake has everything, as text
 * @param available the oldest position that the source still has, as text; empty where it has none
 * @param cause in a sentence
 * @param generation the snapshot that repairs it; empty where none does
 */
public record GapFact(
        Kind kind,
        Optional<TableId> table,
        String channel,
        String stored,
        String available,
        String cause,
        OptionalLong generation) {

    /** What happened. */
    public enum Kind {
        /** Changes are missing, and going on was refused. */
        GAP,
        /** The tables are read anew, so that folding them equals the source again. */
        REPAIR,
        /** An operator goes on without the changes. */
        WAIVE
    }

    public GapFact {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(table);
        Objects.requireNonNull(channel);
        Objects.requireNonNull(stored);
        Objects.requireNonNull(available);
        Objects.requireNonNull(cause);
        Objects.requireNonNull(generation);
    }
}

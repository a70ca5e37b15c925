package io.tributary.delta;

import io.tributary.event.TableId;
import io.tributary.evolution.TableLayout;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A bronze table as its latest version has it.
 *
 * @param path its folder, relative to the lake's root
 * @param deltaId Delta's id of the table; another one means that the table was replaced
 * @param version Delta's version
 * @param lastBatch the newest batch of this source that the table has; empty if none
 */
public record BronzeTable(
        TableId table,
        String path,
        String deltaId,
        long version,
        TableLayout layout,
        OptionalLong lastBatch,
        TableOwner owner) {
    public BronzeTable {
        Objects.requireNonNull(table);
        Objects.requireNonNull(path);
        Objects.requireNonNull(deltaId);
        Objects.requireNonNull(layout);
        Objects.requireNonNull(lastBatch);
        Objects.requireNonNull(owner);
    }
}

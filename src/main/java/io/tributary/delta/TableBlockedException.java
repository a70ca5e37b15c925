package io.tributary.delta;

import io.tributary.event.TableId;
import org.jspecify.annotations.Nullable;

/** A bronze table can't take rows as it is now, and trying again won't help: someone has to look at it. */
public final class TableBlockedException extends Exception {

    private final transient TableId table;
    private final long version;

    /** @param version the version at which this was found; -1 if the table has none */
    public TableBlockedException(TableId table, String path, long version, String why, @Nullable Throwable cause) {
        super(
                "bronze table " + table + " (" + path + ")" + (version < 0 ? "" : " at version " + version)
                        + " can't take rows: " + why,
                cause);
        this.table = table;
        this.version = version;
    }

    public TableId table() {
        return table;
    }

    /** The Delta version at which this was found; -1 if the table has none. */
    public long version() {
        return version;
    }
}

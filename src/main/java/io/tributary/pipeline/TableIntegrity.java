package io.tributary.pipeline;

import io.tributary.delta.BronzeTable;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.TableBlockedException;
import io.tributary.delta.TableProgress;
import io.tributary.event.TableId;
import java.io.IOException;

/** Whether a bronze table is still the one that the journal knows, with every batch that it committed. */
final class TableIntegrity {
    private TableIntegrity() {}

    /** The table as it stands in the lake. */
    static BronzeTable require(DeltaLake lake, TableId table, TableProgress known)
            throws IOException, TableBlockedException {
        BronzeTable found = load(lake, table, "restore it from a backup");
        if (!found.deltaId().equals(known.deltaId())) {
            throw blocked(
                    found,
                    "another table stands at " + found.path() + " (id " + found.deltaId() + ", the journal knows "
                            + known.deltaId() + ")");
        }
        long has = found.lastBatch().orElse(-1);
        if (known.lastBatch().isPresent() && has < known.lastBatch().getAsLong()) {
            throw blocked(
                    found,
                    "it ends with batch " + has + ", the journal committed batch "
                            + known.lastBatch().getAsLong() + ": it was restored to an older version");
        }
        return found;
    }

    /** The table, which must be there. */
    static BronzeTable load(DeltaLake lake, TableId table, String remedy) throws IOException, TableBlockedException {
        return lake.load(table)
                .orElseThrow(() -> new TableBlockedException(
                        table, "in the lake", -1, "its Delta table is gone; " + remedy, null));
    }

    private static TableBlockedException blocked(BronzeTable found, String why) {
        return new TableBlockedException(found.table(), found.path(), found.version(), why, null);
    }
}

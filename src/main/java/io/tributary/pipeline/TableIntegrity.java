package io.tributary.pipeline;

import io.tributary.delta.BronzeTable;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.TableBlockedException;
import io.tributary.event.TableId;
import java.io.IOException;

/** Whether a bronze table is there at all; whether it is as the journal left it, the lake knows. */
final class TableIntegrity {
    private TableIntegrity() {}

    /** The table, which must be there. */
    static BronzeTable load(DeltaLake lake, TableId table, String remedy) throws IOException, TableBlockedException {
        return lake.load(table)
                .orElseThrow(() -> new TableBlockedException(
                        table, "in the lake", -1, "its Delta table is gone; " + remedy, null));
    }
}

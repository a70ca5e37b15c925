package io.tributary.batch;

import io.tributary.evolution.Drift;
import io.tributary.evolution.TableLayout;
import java.util.List;
import java.util.Objects;

/**
 * What one batch holds of one table.
 *
 * @param layout the layout that takes all its files
 * @param rows how many, over all writers
 * @param newestSourceTimeMicros the latest commit time among them, microseconds since epoch
 * @param writers in the order in which the rows came; more than one when the schema changed within the batch
 */
public record FilledTable(
        TableLayout layout, long rows, long newestSourceTimeMicros, List<Drift> drift, List<RowWriter> writers) {
    public FilledTable {
        Objects.requireNonNull(layout);
        drift = List.copyOf(drift);
        writers = List.copyOf(writers);
    }
}

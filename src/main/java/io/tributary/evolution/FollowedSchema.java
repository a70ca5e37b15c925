package io.tributary.evolution;

import io.tributary.event.TableSchema;
import java.util.List;
import java.util.Objects;

/**
 * A layout that can take rows of a schema, and how.
 *
 * @param layout the table's layout from here on
 * @param schema the source schema that it follows
 * @param projection for each column of the layout the index of its value in a row of the schema, or -1 for null
 * @param drift what changed since the layout before; empty when nothing did
 */
public record FollowedSchema(TableLayout layout, TableSchema schema, List<Integer> projection, List<Drift> drift) {
    public FollowedSchema {
        Objects.requireNonNull(layout);
        Objects.requireNonNull(schema);
        projection = List.copyOf(projection);
        drift = List.copyOf(drift);
        if (projection.size() != layout.columns().size()) {
            throw new IllegalArgumentException("one projection for each column of " + layout.table());
        }
    }
}

package io.tributary.evolution;

import io.tributary.event.Column;
import io.tributary.event.TableSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a bronze table follows its source: a new column is added, a dropped one stays and is null from then on, a column
 * whose type changes continues in a new column {@code name__v2}. Nothing that stands in bronze is ever re-read as
 * another type.
 */
public final class LayoutEvolution {

    private LayoutEvolution() {}

    /** The first layout of a table. */
    public static FollowedSchema begin(TableSchema schema) {
        FollowedSchema followed = follow(new TableLayout(schema.table(), 1, List.of()), schema);
        TableLayout first = new TableLayout(schema.table(), 1, followed.layout().columns());
        return new FollowedSchema(first, schema, followed.projection(), List.of());
    }

    /**
     * The layout after a schema was seen. It is the current one when every column of the schema has its place there;
     * else one version further.
     */
    public static FollowedSchema follow(TableLayout current, TableSchema schema) {
        List<BronzeColumn> columns = new ArrayList<>(current.columns());
        List<Drift> drift = new ArrayList<>();
        int[] place = new int[schema.columns().size()];
        for (int i = 0; i < place.length; i++) {
            Column column = schema.columns().get(i);
            place[i] = find(columns, column);
            if (place[i] < 0) {
                place[i] = columns.size();
                columns.add(added(columns, column, drift));
            }
        }
        boolean grown = columns.size() > current.columns().size();
        TableLayout layout = grown ? new TableLayout(current.table(), current.version() + 1, columns) : current;
        return new FollowedSchema(layout, schema, projection(columns.size(), place), drift);
    }

    /**
     * What left the table between two schemas of it. A layout alone can't tell: it keeps every column that ever was.
     */
    public static List<Drift> dropped(TableSchema before, TableSchema after) {
        Set<String> names = new HashSet<>();
        after.columns().forEach(column -> names.add(column.name()));
        return before.columns().stream()
                .filter(column -> !names.contains(column.name()))
                .map(column -> new Drift(
                        Drift.Kind.COLUMN_DROPPED, column.name(), column.sourceType(), "", "kept, null from now on"))
                .toList();
    }

    private static int find(List<BronzeColumn> columns, Column column) {
        // from the newest: a column may have several versions, and the last of its type is the one in use
        for (int i = columns.size() - 1; i >= 0; i--) {
            BronzeColumn candidate = columns.get(i);
            if (candidate.sourceName().equals(column.name()) && candidate.type().equals(column.type())) {
                return i;
            }
        }
        return -1;
    }

    private static BronzeColumn added(List<BronzeColumn> columns, Column column, List<Drift> drift) {
        Set<String> taken = new HashSet<>();
        columns.forEach(existing -> taken.add(ColumnNames.lower(existing.name())));
        Optional<BronzeColumn> older = columns.stream()
                .filter(existing -> existing.sourceName().equals(column.name()))
                .findFirst();
        String name = older.map(existing -> ColumnNames.nextVersion(existing.name(), taken))
                .orElseGet(() -> ColumnNames.choose(column.name(), taken));
        drift.add(new Drift(
                older.isPresent() ? Drift.Kind.COLUMN_RETYPED : Drift.Kind.COLUMN_ADDED,
                column.name(),
                older.map(BronzeColumn::sourceType).orElse(""),
                column.sourceType(),
                "new column " + name));
        return new BronzeColumn(name, column.type(), column.name(), column.sourceType(), column.key());
    }

    private static List<Integer> projection(int width, int[] place) {
        Integer[] projection = new Integer[width];
        Arrays.fill(projection, -1);
        for (int i = 0; i < place.length; i++) {
            projection[place[i]] = i;
        }
        return List.of(projection);
    }
}

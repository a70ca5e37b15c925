package io.tributary.source;

import io.tributary.event.Column;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the database's catalog says about tables and their columns now. Confined to one thread. */
final class Catalog {
    private static final String TABLES = "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c"
            + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition"
            + " AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'";

    private static final String DETAILS = "SELECT c.relkind = 'p', c.relpersistence = 'p', c.relreplident,"
            + " c.reltuples::bigint, pg_catalog.pg_table_size(c.oid),"
            + " pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT'),"
            + " pg_catalog.pg_has_role(c.relowner, 'USAGE'), pg_catalog.row_security_active(c.oid)"
            + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname = ? AND c.relname = ?";

    private static final String COLUMNS = "SELECT a.attname, a.atttypid, a.atttypmod, %s"
            + " FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid"
            + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname = ? AND c.relname = ? AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

    /** The columns that a change's old image holds at least: those of the replica identity, which is the primary key. */
    private static final String KEY = "SELECT a.attname FROM pg_catalog.pg_index i"
            + " JOIN pg_catalog.pg_class c ON c.oid = i.indrelid"
            + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
            + " CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k(attnum, place)"
            + " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum"
            + " WHERE n.nspname = ? AND c.relname = ? AND k.place <= %s"
            + " AND CASE c.relreplident WHEN 'i' THEN i.indisreplident ELSE i.indisprimary END";

    private static final String UNIDENTIFIED = "SELECT DISTINCT n.nspname, r.relname"
            + " FROM unnest(?::text[], ?::text[]) AS wanted (nspname, relname)"
            + " JOIN pg_catalog.pg_namespace n ON n.nspname = wanted.nspname"
            + " JOIN pg_catalog.pg_class r ON r.relnamespace = n.oid AND r.relname = wanted.relname"
            + " CROSS JOIN LATERAL (SELECT r.oid UNION %s) AS member (id)"
            + " JOIN pg_catalog.pg_class c ON c.oid = member.id"
            + " WHERE c.relkind IN ('r', 'p') AND (c.relreplident = 'n' OR c.relreplident IN ('d', 'i') AND NOT EXISTS"
            + " (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid"
            + " AND CASE c.relreplident WHEN 'i' THEN i.indisreplident ELSE i.indisprimary END))";

    private final Database database;
    private final TypeCatalog types;

    Catalog(Database database) {
        this.database = database;
        this.types = new TypeCatalog(database);
    }

    TypeCatalog types() {
        return types;
    }

    /** Every table that could be captured; a partitioned one stands for its partitions. */
    Set<TableId> tables() {
        return database
                .list("listing the tables", TABLES, row -> new TableId(row.getString(1), row.getString(2)))
                .stream()
                .collect(Collectors.toSet());
    }

    /**
     * A table's own properties.
     *
     * @param logged whether its changes are in the WAL at all
     * @param identity PostgreSQL's letter: d, n, f, i
     * @param rowSecurity whether policies hide rows from us
     */
    record Details(
            boolean partitioned,
            boolean logged,
            char identity,
            long rowEstimate,
            long bytes,
            boolean readable,
            boolean owned,
            boolean rowSecurity) {}

    Details details(TableId table) {
        return database.one(
                "reading table " + table,
                DETAILS,
                row -> new Details(
                        row.getBoolean(1),
                        row.getBoolean(2),
                        row.getString(3).charAt(0),
                        row.getLong(4),
                        row.getLong(5),
                        row.getBoolean(6),
                        row.getBoolean(7),
                        row.getBoolean(8)),
                table.schema(),
                table.table());
    }

    /** A column of the catalog; a generated one is computed by the server and may be missing in the stream. */
    record CatalogColumn(String name, DeclaredType type, boolean generated) {}

    List<CatalogColumn> columns(TableId table) {
        return database
                .list(
                        "reading the columns of " + table,
                        COLUMNS.formatted(database.version().generated()),
                        row -> new RawColumn(row.getString(1), row.getLong(2), row.getInt(3), row.getBoolean(4)),
                        table.schema(),
                        table.table())
                .stream()
                .map(raw -> new CatalogColumn(
                        raw.name(),
                        DeclaredType.ofModifier(
                                types.type(raw.type()).orElseGet(() -> PgType.base("unknown")), raw.modifier()),
                        raw.generated()))
                .toList();
    }

    private record RawColumn(String name, long type, int modifier, boolean generated) {}

    Set<String> key(TableId table) {
        return Set.copyOf(database.list(
                "reading the key of " + table,
                KEY.formatted(database.version().keyColumns()),
                row -> row.getString(1),
                table.schema(),
                table.table()));
    }

    /**
     * Those of the tables on which the server refuses UPDATE and DELETE once they are published, or on a partition of
     * which it does: there is nothing that identifies a row.
     */
    SortedSet<TableId> unidentified(Collection<TableId> tables) {
        return new TreeSet<>(database.list(
                "reading replica identities",
                UNIDENTIFIED.formatted(database.version().partitions("r.oid")),
                row -> new TableId(row.getString(1), row.getString(2)),
                tables.stream().map(TableId::schema).toArray(String[]::new),
                tables.stream().map(TableId::table).toArray(String[]::new)));
    }

    /** The schema as the stream sends it: without generated columns. */
    TableSchema schema(TableId table, int moneyScale) {
        Set<String> key = key(table);
        List<Column> columns = columns(table).stream()
                .filter(column -> !column.generated())
                .map(column -> column(column.name(), column.type(), moneyScale, key))
                .toList();
        return new TableSchema(table, columns);
    }

    static Column column(String name, DeclaredType type, int moneyScale, Set<String> key) {
        return new Column(name, type.columnType(moneyScale), type.text(), key.contains(name));
    }
}

package io.tributary.source;

import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The replication slot and the publication that it reads. */
final class Channel {
    /** The end of the WAL; on a standby, of what it has replayed. */
    static final String CURRENT_LSN =
            "CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn()"
                    + " ELSE pg_catalog.pg_current_wal_lsn() END";

    /** How long a reader that has gone may still count as one. */
    static final Duration READER_GONE = Duration.ofSeconds(5);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Database database;
    private final ConnectionSettings settings;
    private final Failures failures;
    private final String slot;
    private final String publication;

    Channel(Database database, ConnectionSettings settings, Failures failures, String slot, String publication) {
        this.database = database;
        this.settings = settings;
        this.failures = failures;
        this.slot = slot;
        this.publication = publication;
    }

    String slot() {
        return slot;
    }

    String publication() {
        return publication;
    }

    ChannelState state() {
        return database.first(
                        "reading slot " + slot,
                        "SELECT confirmed_flush_lsn, restart_lsn, active_pid, "
                                + database.version().walStatus() + ", plugin, database,"
                                + " pg_catalog.pg_wal_lsn_diff(" + CURRENT_LSN + ", restart_lsn)::bigint, "
                                + database.version().safeWalSize()
                                + " FROM pg_catalog.pg_replication_slots WHERE slot_name = ?",
                        Channel::present,
                        slot)
                .orElseGet(ChannelState.Absent::new);
    }

    /** Why the server invalidated the slot, in its own word; empty if it didn't or doesn't say. */
    String invalidation() {
        if (!database.version().explainsInvalidation()) {
            return "";
        }
        return slotColumn("coalesce(invalidation_reason, '')").orElse("");
    }

    /** Whether a standby that is promoted has the slot too; true where the server knows no such thing. */
    boolean copiedToStandbys() {
        return !database.version().copiesSlots()
                || slotColumn("failover::text").map("true"::equals).orElse(true);
    }

    private Optional<String> slotColumn(String column) {
        return database.first(
                "reading slot " + slot,
                "SELECT " + column + " FROM pg_catalog.pg_replication_slots WHERE slot_name = ?",
                row -> row.getString(1),
                slot);
    }

    private static ChannelState present(ResultSet row) throws SQLException {
        int pid = row.getInt(3);
        OptionalInt activePid = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(pid);
        long safe = row.getLong(8);
        OptionalLong safeBytes = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(safe);
        return new ChannelState.Present(
                lsn(row.getString(1)),
                lsn(row.getString(2)),
                activePid,
                Optional.ofNullable(row.getString(4)).orElse("lost"),
                Optional.ofNullable(row.getString(5)).orElse("physical"),
                Optional.ofNullable(row.getString(6)).orElse(""),
                row.getLong(7),
                safeBytes);
    }

    private static long lsn(@org.jspecify.annotations.Nullable String text) {
        return text == null ? 0 : Lsn.parse(text);
    }

    /** The end of the WAL. */
    long currentLsn() {
        return database.one("reading the WAL's end", "SELECT " + CURRENT_LSN, row -> Lsn.parse(row.getString(1)));
    }

    /**
     * What the publication sends.
     *
     * @param complete whether it sends inserts, updates, deletes and truncates
     * @param filtered tables of which it leaves out rows or columns
     */
    record Publication(
            boolean allTables,
            boolean viaRoot,
            boolean complete,
            boolean owned,
            Set<TableId> tables,
            Set<TableId> filtered) {}

    Optional<Publication> readPublication() {
        ServerVersion version = database.version();
        String filters = version.filtersPublications()
                ? "pt.rowfilter IS NOT NULL OR cardinality(pt.attnames) < (SELECT count(*) FROM pg_catalog.pg_attribute a"
                        + " JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n"
                        + " ON n.oid = c.relnamespace WHERE n.nspname = pt.schemaname AND c.relname = pt.tablename"
                        + " AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')"
                : "false";
        Set<TableId> tables = new TreeSet<>();
        Set<TableId> filtered = new TreeSet<>();
        database.list(
                "reading publication " + publication,
                "SELECT pt.schemaname, pt.tablename, " + filters
                        + " FROM pg_catalog.pg_publication_tables pt WHERE pt.pubname = ?",
                row -> {
                    TableId table = new TableId(row.getString(1), row.getString(2));
                    tables.add(table);
                    return row.getBoolean(3) && filtered.add(table);
                },
                publication);
        return database.first(
                "reading publication " + publication,
                "SELECT puballtables, " + (version.publishesPartitioned() ? "pubviaroot" : "true")
                        + ", pubinsert AND pubupdate AND pubdelete"
                        + (version.publishesTruncate() ? " AND pubtruncate" : "")
                        + ", pg_catalog.pg_has_role(pubowner, 'USAGE') FROM pg_catalog.pg_publication WHERE pubname = ?",
                row -> new Publication(
                        row.getBoolean(1),
                        row.getBoolean(2),
                        row.getBoolean(3),
                        row.getBoolean(4),
                        Set.copyOf(tables),
                        Set.copyOf(filtered)),
                publication);
    }

    String createPublicationSql(Collection<TableId> tables) {
        return "CREATE PUBLICATION " + Identifier.quoted(publication) + " FOR TABLE " + list(tables)
                + (database.version().publishesPartitioned() ? " WITH (publish_via_partition_root = true)" : "");
    }

    String addTablesSql(Collection<TableId> tables) {
        return "ALTER PUBLICATION " + Identifier.quoted(publication) + " ADD TABLE " + list(tables);
    }

    private static String list(Collection<TableId> tables) {
        return tables.stream().map(Identifier::quoted).collect(Collectors.joining(", "));
    }

    void ensurePublication(Set<TableId> tables) {
        Optional<Publication> existing = readPublication();
        if (existing.isEmpty()) {
            change(createPublicationSql(tables));
            return;
        }
        Set<TableId> missing = new TreeSet<>(tables);
        missing.removeAll(existing.get().tables());
        if (!missing.isEmpty()) {
            change(addTablesSql(missing));
        }
    }

    /**
     * The oid of each table, and the transactions that last wrote the publication and the table's entry in it: altering
     * one and altering it back leaves a trace there, and nowhere else. Where TRUNCATE isn't in the stream, also the table's
     * file, which that changes.
     */
    Map<TableId, String> relations(Set<TableId> tables) {
        Map<TableId, String> relations = new TreeMap<>();
        database.list(
                "reading publication " + publication,
                "SELECT n.nspname, c.relname, c.oid::text || '/' || p.xmin::text || '/' || coalesce(pr.xmin::text, '-')"
                        + (database.version().publishesTruncate()
                                ? ""
                                : " || '/' || pg_catalog.pg_relation_filenode(c.oid)")
                        + " FROM pg_catalog.pg_publication p CROSS JOIN pg_catalog.pg_class c"
                        + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
                        + " LEFT JOIN pg_catalog.pg_publication_rel pr ON pr.prpubid = p.oid AND pr.prrelid = c.oid"
                        + " WHERE p.pubname = ? AND c.relkind IN ('r', 'p')",
                row -> {
                    relations.put(new TableId(row.getString(1), row.getString(2)), row.getString(3));
                    return true;
                },
                publication);
        relations.keySet().retainAll(tables);
        return relations;
    }

    private void change(String sql) {
        try {
            database.execute("preparing publication " + publication, sql);
        } catch (SourceConfigurationException e) {
            throw new SourceConfigurationException(e.getMessage() + "; or let the tables' owner run: " + sql, e);
        }
    }

    /** Waits for every transaction that is running now to end: the server can't find a consistent point before. */
    SourcePosition.Wal createSlot() {
        String doing = "creating replication slot " + slot;
        try (Connection connection = settings.open(Duration.ZERO);
                SessionWatch watch = SessionWatch.over(database, connection);
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT lsn FROM pg_catalog.pg_create_logical_replication_slot(?, 'pgoutput'"
                                // costs nothing until standbys are set up to copy it
                                + (database.version().copiesSlots() ? ", failover => true" : "") + ")")) {
            statement.setString(1, slot);
            watch.start();
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new SourcePosition.Wal(Lsn.parse(row.getString(1)), 0, 0);
            }
        } catch (SQLException e) {
            throw failures.of(doing, e);
        }
    }

    /**
     * Waits until nobody reads the slot: the server takes a moment to notice that a reader has gone.
     *
     * @throws SourceUnavailableException if somebody still does after {@code bound}
     */
    void awaitFree(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (state() instanceof ChannelState.Present present && present.active()) {
            if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                throw new SourceUnavailableException("replication slot " + slot + " is active: pid "
                        + present.activePid().getAsInt() + " reads it");
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    void dropSlot() {
        if (state() instanceof ChannelState.Present) {
            awaitFree(READER_GONE);
            database.execute(
                    "dropping replication slot " + slot, "SELECT pg_catalog.pg_drop_replication_slot(?)", slot);
        }
    }

    /** The SQL for whoever owns the publication, where that is somebody else. */
    Optional<String> dropPublication() {
        Optional<Publication> existing = readPublication();
        String sql = "DROP PUBLICATION IF EXISTS " + Identifier.quoted(publication);
        if (existing.isPresent() && !existing.get().owned()) {
            return Optional.of(sql);
        }
        database.execute("dropping publication " + publication, sql);
        return Optional.empty();
    }

    void terminateReader() {
        database.execute(
                "ending the session that reads slot " + slot,
                "SELECT pg_catalog.pg_terminate_backend(active_pid) FROM pg_catalog.pg_replication_slots"
                        + " WHERE slot_name = ? AND active_pid IS NOT NULL",
                slot);
    }
}

package io.tributary.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A fresh database with a schema {@code shop}, an empty lake, and the means to run the packaged bridge between them.
 * Arrival is known by marker rows that are read back from the lake, never by what the bridge says of itself.
 */
public final class Scenario implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private TestPostgres server;
    private final Path folder;
    private final String database;
    private final String name = "s" + UUID.randomUUID().toString().substring(0, 8);
    private final List<BridgeProcess> started = new ArrayList<>();
    private final AtomicInteger markers = new AtomicInteger();
    private List<String> captured = List.of();

    public Scenario(TestPostgres server, Path folder) {
        this.server = server;
        this.folder = folder;
        this.database = server.createDatabase();
        sql("create schema shop", "create table shop.marker(id int primary key)");
    }

    /** Runs statements on one connection, each in its own transaction unless they say otherwise. */
    public void sql(String... statements) {
        String[] all = Stream.concat(Stream.of("set search_path = shop, public"), Arrays.stream(statements))
                .toArray(String[]::new);
        server.execute(database, all);
    }

    public List<String> query(String sql) {
        return server.query(database, sql);
    }

    /** A connection that finds the tables of the schema by themselves. */
    public Connection connect() throws SQLException {
        Connection connection = server.connect(database);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set search_path = shop, public");
        }
        return connection;
    }

    /** From now on the database is that of another server, as after a failover. */
    public void moveTo(TestPostgres other) {
        server = other;
    }

    public TestPostgres server() {
        return server;
    }

    public String database() {
        return database;
    }

    public String name() {
        return name;
    }

    public Path lake() {
        return folder.resolve("lake");
    }

    /** A set-up with small, fast batches over these tables of schema {@code shop}. */
    public BridgeProcess.Setup setup(String... tables) {
        captured = Stream.concat(Stream.of("marker"), Arrays.stream(tables)).toList();
        return new BridgeProcess.Setup(folder)
                .with("tributary.source.name", name)
                .with("tributary.source.kind", "postgres")
                .with("tributary.source.hostname", "localhost")
                .with("tributary.source.port", Integer.toString(server.port()))
                .with("tributary.source.database", database)
                .with("tributary.source.username", server.user())
                .environment("TRIBUTARY_SOURCE_PASSWORD", server.password())
                .with(
                        "tributary.source.tables",
                        captured.stream().map(table -> "shop." + table).collect(Collectors.joining(",")))
                .with("tributary.lake.path", "halt:" + lake().toAbsolutePath())
                .with("tributary.batch.max-age", "200ms")
                .with("tributary.batch.quiet-age", "200ms")
                .with("tributary.batch.min-rows", "1");
    }

    public BridgeProcess start(String... tables) {
        return start(setup(tables));
    }

    public BridgeProcess start(BridgeProcess.Setup setup) {
        BridgeProcess process = setup.start();
        started.add(process);
        return process;
    }

    /** Writes a marker row and waits until the lake shows it: everything committed before it has arrived. */
    public void awaitMarker(BridgeProcess bridge) {
        awaitMarker(bridge, PATIENCE);
    }

    public void awaitMarker(BridgeProcess bridge, Duration patience) {
        // one that a snapshot reads says nothing of other tables, which may still wait for theirs; one in the stream
        // does
        while (!awaitOneMarker(bridge, patience).equals("c")) {
            assertThat(bridge.isAlive()).as(bridge::output).isTrue();
        }
        // the tables of a batch are committed side by side: only the next batch proves that all are done
        awaitOneMarker(bridge, patience);
    }

    /** How the marker arrived. */
    private String awaitOneMarker(BridgeProcess bridge, Duration patience) {
        Integer marker = markers.incrementAndGet();
        sql("insert into marker values (" + marker + ")");
        return Awaitility.await()
                .atMost(patience)
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () -> {
                            assertThat(bridge.isAlive()).as(bridge::output).isTrue();
                            return operationOf(marker);
                        },
                        operation -> !operation.isEmpty());
    }

    /** Empty as long as the marker isn't there. */
    private String operationOf(Integer marker) {
        List<Map<String, Object>> arrived = hasTable("marker") ? rows("marker") : List.of();
        return arrived.stream()
                .filter(row -> marker.equals(row.get("id")))
                .map(row -> String.valueOf(row.get("_cdc_op")))
                .findFirst()
                .orElse("");
    }

    public boolean hasTable(String table) {
        return Files.exists(path(table).resolve("_delta_log").resolve("00000000000000000000.json"));
    }

    public Path path(String table) {
        return lake().resolve("shop").resolve(table);
    }

    /** Every row of a bronze table in the order of {@code _cdc_seq}. */
    public List<Map<String, Object>> rows(String table) {
        try {
            return DeltaReader.rows(path(table)).stream()
                    .sorted(Comparator.comparing(row -> (Long) row.get("_cdc_seq")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One column of every row, in the order of {@code _cdc_seq}. */
    public List<Object> column(String table, String column) {
        return rows(table).stream().map(row -> row.get(column)).toList();
    }

    /** {@code op:key} of every row, in the order of {@code _cdc_seq}. */
    public List<String> history(String table, String key) {
        return rows(table).stream()
                .map(row -> row.get("_cdc_op") + ":" + row.get(key))
                .toList();
    }

    /** What folding the rows by key leaves, as text, by key. */
    public Map<String, Map<String, String>> fold(String table, String key) {
        Map<String, Map<String, String>> state = new TreeMap<>();
        for (Map<String, Object> row : rows(table)) {
            String id = String.valueOf(row.get(key));
            switch (String.valueOf(row.get("_cdc_op"))) {
                case "t" -> state.clear();
                case "d" -> state.remove(id);
                default -> state.put(id, dataOf(row, state.getOrDefault(id, Map.of())));
            }
        }
        return state;
    }

    private static Map<String, String> dataOf(Map<String, Object> row, Map<String, String> before) {
        Object unchanged = row.get("_cdc_unchanged");
        List<?> kept = unchanged instanceof List<?> list ? list : List.of();
        Map<String, String> data = new LinkedHashMap<>();
        row.forEach((column, value) -> {
            if (!column.startsWith("_cdc_")) {
                data.put(column, kept.contains(column) ? before.get(column) : String.valueOf(value));
            }
        });
        return data;
    }

    /** {@code table:op:id} of every row that isn't from a snapshot, over all tables but the markers', in the order of {@code _cdc_seq}. */
    public List<String> streamHistory() {
        Map<Long, String> bySequence = new TreeMap<>();
        for (String table : captured.subList(1, captured.size())) {
            for (Map<String, Object> row : rows(table)) {
                if (row.get("_cdc_snapshot") == null) {
                    bySequence.put((Long) row.get("_cdc_seq"), table + ":" + row.get("_cdc_op") + ":" + row.get("id"));
                }
            }
        }
        return List.copyOf(bySequence.values());
    }

    /** Folding a bronze table of integers and texts gives exactly what the source holds. */
    public void assertFoldsToSource(String table, String key, String... columns) {
        String list = Arrays.stream(columns)
                .map(column -> "coalesce(" + column + "::text, 'null')")
                .collect(Collectors.joining(" || '|' || "));
        List<String> source = query("select " + list + " from shop." + table + " order by 1");
        List<String> folded = fold(table, key).values().stream()
                .map(row -> Arrays.stream(columns).map(row::get).collect(Collectors.joining("|")))
                .sorted()
                .toList();
        assertThat(folded).containsExactlyInAnyOrderElementsOf(source);
    }

    /** The log of every table is sound and {@code _cdc_seq} rises strictly over all of them. */
    public void assertLakeIsSound() throws IOException {
        List<Long> sequences = new ArrayList<>();
        for (String table : captured) {
            if (hasTable(table)) {
                DeltaReader.assertLogIsSound(path(table));
                rows(table).forEach(row -> sequences.add((Long) row.get("_cdc_seq")));
            }
        }
        assertThat(sequences).doesNotHaveDuplicates();
    }

    /** Slots that are left on the server for this source. */
    public List<String> slots() {
        return query("select slot_name from pg_replication_slots where slot_name like '%" + name + "%'");
    }

    @Override
    public void close() {
        started.forEach(BridgeProcess::close);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> query("select pid from pg_stat_replication where application_name like '%" + name + "%'")
                        .isEmpty());
        query("select pg_drop_replication_slot(slot_name)::text from pg_replication_slots where not active"
                + " and database = '" + database + "'");
    }
}

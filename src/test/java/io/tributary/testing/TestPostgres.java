package io.tributary.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real PostgreSQL server, logical replication on, that ends with the JVM. Works as root too. {@link #shared} servers are
 * started once; a test that stops or configures its server takes one of its own with {@link #start}.
 */
public final class TestPostgres implements AutoCloseable {

    /** The servers that the tests run on: the oldest and the newest. */
    public enum Version {
        V14,
        V18
    }

    /** Set by the profile {@code containers}: the official images instead of the embedded binaries. */
    private static final boolean CONTAINERS = Boolean.getBoolean("tributary.test.containers");

    private static final Map<Version, TestPostgres> SHARED = new HashMap<>();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final int port = freePort();
    private final PostgresServer server;
    private boolean running;

    private TestPostgres(Version version, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "wal_level", "logical",
                // a crash must not lose what a client was told of
                "synchronous_commit", "on",
                "max_replication_slots", "50",
                "max_wal_senders", "50",
                "max_connections", "200",
                "max_prepared_transactions", "10"));
        all.putAll(settings);
        this.server = CONTAINERS ? new ContainerPostgres(version, port, all) : new EmbeddedServer(version, port, all);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "postgres-" + version + "-closer"));
        startAgain();
    }

    /** The server of this version that all tests of this JVM share. */
    public static TestPostgres shared(Version version) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(version, v -> new TestPostgres(v, Map.of()));
        }
    }

    /** A server of its own; {@code settings} as pairs of name and value override the defaults. */
    public static TestPostgres start(Version version, String... settings) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            map.put(settings[i], settings[i + 1]);
        }
        return new TestPostgres(version, map);
    }

    public int port() {
        return port;
    }

    public String user() {
        return "postgres";
    }

    /** What the server accepts; it trusts local connections. */
    public String password() {
        return "postgres";
    }

    public String jdbcUrl(String database) {
        return "jdbc:postgresql://localhost:" + port + "/" + database;
    }

    /** A fresh, empty database; its name is returned. */
    public String createDatabase() {
        String name = "t" + DATABASES.incrementAndGet() + "_"
                + ProcessHandle.current().pid();
        execute("postgres", "CREATE DATABASE " + name);
        return name;
    }

    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(database), user(), password());
    }

    /** Runs each statement in a transaction of its own. */
    public void execute(String database, String... statements) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** The first column of every row, as text. */
    public List<String> query(String database, String sql) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(String.valueOf(rows.getString(1)));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Stops the server at once, without a checkpoint, as a crash would, and starts it again on the same port. */
    public void restart() {
        stop();
        startAgain();
    }

    /** Stops the server at once, without a checkpoint; recovery happens at {@link #startAgain()}. */
    public synchronized void stop() {
        if (running) {
            running = false;
            server.stop();
        }
    }

    public synchronized void startAgain() {
        server.start();
        running = true;
    }

    @Override
    public void close() {
        stop();
        server.remove();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

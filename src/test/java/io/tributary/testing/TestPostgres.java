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

    /** The servers that most tests run on; {@link #ofMajor} starts others. */
    public enum Version {
        V14(14),
        V18(18);

        private final int major;

        Version(int major) {
            this.major = major;
        }
    }

    /** How a server is stopped. */
    public enum Shutdown {
        /** Sessions are ended, then it waits for the receivers of replication streams. */
        FAST("INT"),
        /** At once, without a checkpoint, as a crash would. */
        IMMEDIATE("QUIT");

        private final String signal;

        Shutdown(String signal) {
            this.signal = signal;
        }

        String signal() {
            return signal;
        }
    }

    /** Set by the profile {@code containers}: the official images instead of the embedded binaries. */
    private static final boolean CONTAINERS = Boolean.getBoolean("tributary.test.containers");

    private static final Map<Version, TestPostgres> SHARED = new HashMap<>();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final int port = freePort();
    private final PostgresServer server;
    private boolean running;

    private TestPostgres(int major, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(standard());
        all.putAll(settings);
        this.server = CONTAINERS ? new ContainerPostgres(major, port, all) : new EmbeddedServer(major, port, all);
        closeAtExit();
        startAgain();
    }

    private TestPostgres(EmbeddedServer original) {
        this.server = original.copy(port);
        closeAtExit();
    }

    private void closeAtExit() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "postgres-" + port + "-closer"));
    }

    private static Map<String, String> standard() {
        return Map.of(
                "wal_level", "logical",
                // a crash must not lose what a client was told of
                "synchronous_commit", "on",
                "max_replication_slots", "50",
                "max_wal_senders", "50",
                "max_connections", "200",
                "max_prepared_transactions", "10");
    }

    /** The server of this version that all tests of this JVM share. */
    public static TestPostgres shared(Version version) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(version, v -> new TestPostgres(v.major, Map.of()));
        }
    }

    /** A server of its own; {@code settings} as pairs of name and value override the defaults. */
    public static TestPostgres start(Version version, String... settings) {
        return ofMajor(version.major, settings);
    }

    /** The same of any version that the build brings. */
    public static TestPostgres ofMajor(int major, String... settings) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            map.put(settings[i], settings[i + 1]);
        }
        return new TestPostgres(major, map);
    }

    /**
     * A second server on a cold copy of this one's files, not started yet: a backup put back elsewhere, or with
     * {@link #standbyOf} a standby. This one must be stopped.
     */
    public TestPostgres coldCopy() {
        if (server instanceof EmbeddedServer embedded) {
            return new TestPostgres(embedded);
        }
        throw new UnsupportedOperationException(
                "a container's files are out of reach: run this test without -Pcontainers");
    }

    /** Makes a copy follow its original through the physical slot of that name, also in what {@code settings} say. */
    public TestPostgres standbyOf(TestPostgres primary, String slot, String... settings) {
        List<String> lines = new ArrayList<>(List.of(
                "primary_conninfo = 'host=localhost port=" + primary.port + " user=postgres dbname=postgres'",
                "primary_slot_name = '" + slot + "'",
                "hot_standby_feedback = on"));
        lines.addAll(List.of(settings));
        ((EmbeddedServer) server).configureStandby(lines);
        return this;
    }

    /** Puts the files of a stopped copy in the place of this stopped server's: a restored backup. */
    public void restore(TestPostgres backup) {
        ((EmbeddedServer) server).restore((EmbeddedServer) backup.server);
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
    public void stop() {
        stop(Shutdown.IMMEDIATE);
    }

    /** Stops the server and returns when it is gone. */
    public synchronized void stop(Shutdown how) {
        if (running) {
            running = false;
            server.stop(how);
        }
    }

    /** Starts it unless it runs. */
    public synchronized void startAgain() {
        if (!running) {
            server.start();
            running = true;
        }
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

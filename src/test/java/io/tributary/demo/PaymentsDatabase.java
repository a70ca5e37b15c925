package io.tributary.demo;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A real PostgreSQL with the tables of a small payments business, and a role for the bridge with least privileges. */
final class PaymentsDatabase implements AutoCloseable {
    private static final Path TABLES = Path.of("deploy/compose/payments.sql");

    static final String USER = "tributary";
    static final String PASSWORD = "tributary";

    private final EmbeddedPostgres server;

    private PaymentsDatabase(EmbeddedPostgres server) {
        this.server = server;
    }

    static PaymentsDatabase start(Path folder) throws IOException, SQLException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                .setCleanDataDirectory(true)
                // a hook of its own would stop the server under the bridge that still drains
                .setRegisterShutdownHook(false)
                .setServerConfig("wal_level", "logical")
                .start();
        PaymentsDatabase database = new PaymentsDatabase(server);
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(Files.readString(TABLES));
        }
        return database;
    }

    int port() {
        return server.getPort();
    }

    Connection connect() throws SQLException {
        return server.getPostgresDatabase().getConnection();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}

package io.tributary.source;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Our own session with the database, for questions and commands; it is opened when first needed and again when it broke.
 * Safe for use by several threads, which take turns.
 */
final class Database implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private final ConnectionSettings settings;
    private final Failures failures;
    private @Nullable Connection connection;

    Database(ConnectionSettings settings, Failures failures) {
        this.settings = settings;
        this.failures = failures;
    }

    /** Reads one row's columns. */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Uses a connection. */
    @FunctionalInterface
    interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    <T> List<T> list(String doing, String sql, Reader<T> reader, Object... parameters) {
        return call(doing, c -> {
            try (PreparedStatement statement = prepared(c, sql, parameters);
                    ResultSet rows = statement.executeQuery()) {
                List<T> values = new ArrayList<>();
                while (rows.next()) {
                    values.add(reader.read(rows));
                }
                return values;
            }
        });
    }

    <T> Optional<T> first(String doing, String sql, Reader<T> reader, Object... parameters) {
        return list(doing, sql, reader, parameters).stream().findFirst();
    }

    <T> T one(String doing, String sql, Reader<T> reader, Object... parameters) {
        return first(doing, sql, reader, parameters)
                .orElseThrow(() -> new SourceUnavailableException(doing + ": the server gave no row"));
    }

    void execute(String doing, String sql, Object... parameters) {
        call(doing, c -> {
            try (PreparedStatement statement = prepared(c, sql, parameters)) {
                return statement.execute();
            }
        });
    }

    /** The version of the server that answers now. */
    ServerVersion version() {
        return call(
                "reading the server's version",
                c -> new ServerVersion(c.getMetaData().getDatabaseMajorVersion()));
    }

    synchronized <T> T call(String doing, Work<T> work) {
        boolean reused = connection != null;
        try {
            return work.with(connection());
        } catch (SQLException e) {
            boolean broken = isBroken(e);
            if (broken) {
                close();
            }
            if (!broken || !reused) {
                throw failures.of(doing, e);
            }
        }
        // the session had died since it was last used: that says nothing about the server as it is now
        try {
            return work.with(connection());
        } catch (SQLException e) {
            close();
            throw failures.of(doing, e);
        }
    }

    private Connection connection() throws SQLException {
        Connection open = connection;
        if (open == null || open.isClosed()) {
            open = settings.open(SILENCE);
            connection = open;
        }
        return open;
    }

    private static boolean isBroken(SQLException e) {
        String state = Optional.ofNullable(e.getSQLState()).orElse("");
        return state.startsWith("08") || state.startsWith("57P");
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    @Override
    public synchronized void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                // it is gone either way
                return;
            }
        }
    }
}

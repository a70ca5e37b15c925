package io.tributary.source;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/**
 * How to connect to the database.
 *
 * @param application what the server shows as the session's name
 * @param driver further properties of the JDBC driver, such as {@code sslmode}
 */
record ConnectionSettings(
        String host,
        int port,
        String database,
        String user,
        Password password,
        String application,
        Map<String, String> driver) {
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    ConnectionSettings {
        driver = Map.copyOf(driver);
    }

    String address() {
        return host + ":" + port + "/" + database;
    }

    /** @param silence how long the server may say nothing before the connection counts as dead; zero for ever */
    Connection open(Duration silence) throws SQLException {
        return open(properties(silence));
    }

    /** A connection that takes replication commands only. */
    Connection openReplication(Duration silence) throws SQLException {
        Properties properties = properties(silence);
        properties.setProperty("replication", "database");
        properties.setProperty("preferQueryMode", "simple");
        properties.setProperty("assumeMinServerVersion", Integer.toString(ServerVersion.OLDEST));
        return open(properties);
    }

    private Connection open(Properties properties) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + host + ":" + port + "/" + encoded(database), properties);
    }

    private Properties properties(Duration silence) {
        Properties properties = new Properties();
        driver.forEach(properties::setProperty);
        properties.setProperty("user", user);
        password.current().ifPresent(p -> properties.setProperty("password", p));
        properties.setProperty("ApplicationName", application);
        properties.setProperty("connectTimeout", Long.toString(CONNECT_TIMEOUT.toSeconds()));
        properties.setProperty("loginTimeout", Long.toString(CONNECT_TIMEOUT.toSeconds()));
        properties.setProperty("socketTimeout", Long.toString(silence.toSeconds()));
        properties.setProperty("tcpKeepAlive", "true");
        return properties;
    }

    private static String encoded(String name) {
        return java.net.URLEncoder.encode(name, java.nio.charset.StandardCharsets.UTF_8);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return user + "@" + address();
    }
}

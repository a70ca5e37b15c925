package io.tributary.source;

import io.tributary.testing.TestPostgres;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A configuration that tests fill by hand. */
final class TestConfig implements SourceConfig {
    Optional<String> name = Optional.of("shop");
    Optional<Kind> kind = Optional.of(Kind.POSTGRES);
    String hostname = "localhost";
    Optional<Integer> port = Optional.empty();
    Optional<String> database = Optional.empty();
    Optional<String> username = Optional.of("postgres");
    Optional<String> password = Optional.of("postgres");
    Optional<String> passwordFile = Optional.empty();
    Optional<List<String>> tables = Optional.empty();
    Optional<List<String>> insertOnlyTables = Optional.empty();
    Optional<String> slot = Optional.empty();
    Optional<String> publication = Optional.empty();
    final Map<String, String> debezium = new HashMap<>();

    static TestConfig of(TestPostgres server, String database, String... tables) {
        TestConfig config = new TestConfig();
        config.port = Optional.of(server.port());
        config.database = Optional.of(database);
        // slots belong to the server, so tests that share one need names of their own
        config.slot = Optional.of("slot_" + database);
        config.username = Optional.of(server.user());
        config.password = Optional.of(server.password());
        config.tables = Optional.of(new ArrayList<>(List.of(tables)));
        return config;
    }

    @Override
    public Optional<String> name() {
        return name;
    }

    @Override
    public Optional<Kind> kind() {
        return kind;
    }

    @Override
    public String hostname() {
        return hostname;
    }

    @Override
    public Optional<Integer> port() {
        return port;
    }

    @Override
    public Optional<String> database() {
        return database;
    }

    @Override
    public Optional<String> username() {
        return username;
    }

    @Override
    public Optional<String> password() {
        return password;
    }

    @Override
    public Optional<String> passwordFile() {
        return passwordFile;
    }

    @Override
    public Optional<List<String>> tables() {
        return tables;
    }

    @Override
    public GapPolicy onGap() {
        return GapPolicy.EXIT;
    }

    @Override
    public Optional<List<String>> insertOnlyTables() {
        return insertOnlyTables;
    }

    @Override
    public SnapshotPolicy snapshot() {
        return SnapshotPolicy.INITIAL;
    }

    @Override
    public Optional<String> slot() {
        return slot;
    }

    @Override
    public Optional<String> publication() {
        return publication;
    }

    @Override
    public boolean idleMessage() {
        return true;
    }

    @Override
    public Map<String, String> debezium() {
        return debezium;
    }
}

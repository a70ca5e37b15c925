package io.tributary.source;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Makes the source that a configuration describes. */
public final class Sources {
    private static final int POSTGRES_PORT = 5432;
    /** PostgreSQL cuts names of sessions and slots there. */
    private static final int MAX_NAME = 63;

    private static final Pattern SOURCE_NAME = Pattern.compile("[a-z0-9][a-z0-9_-]*");
    private static final Pattern SLOT_NAME = Pattern.compile("[a-z0-9_]{1,63}");

    private Sources() {}

    /**
     * The source that is configured; nothing is connected yet.
     *
     * @param writerId unique for this instance, seen in the name of its sessions
     * @throws SourceConfigurationException naming the property that is missing or wrong
     */
    public static Source open(SourceConfig config, String writerId, Clock clock) {
        String name = required(config.name(), "name", "a logical name such as shop");
        if (!SOURCE_NAME.matcher(name).matches()) {
            throw new SourceConfigurationException("tributary.source.name is '" + name
                    + "'; use lower-case letters, digits, _ and - and begin with a letter or digit");
        }
        SourceConfig.Kind kind = required(config.kind(), "kind", "postgres");
        return switch (kind) {
            case POSTGRES -> postgres(config, name, writerId, clock);
        };
    }

    private static Source postgres(SourceConfig config, String name, String writerId, Clock clock) {
        Map<String, String> passThrough = PassThrough.checked(config.debezium());
        List<TablePattern> patterns =
                required(config.tables(), "tables", "the tables to capture, such as shop.orders").stream()
                        .filter(entry -> !entry.isBlank())
                        .map(TablePattern::parse)
                        .toList();
        if (patterns.isEmpty()) {
            throw new SourceConfigurationException(
                    "tributary.source.tables is empty; list the tables to capture, such as shop.orders or shop.*");
        }
        ConnectionSettings settings = new ConnectionSettings(
                config.hostname(),
                config.port().orElse(POSTGRES_PORT),
                required(config.database(), "database", "the database to capture"),
                required(config.username(), "username", "the user that connects"),
                password(config),
                applicationName(name, writerId),
                PassThrough.driver(passThrough));
        String standard = "tributary_" + name.replace('-', '_');
        return new PostgresSource(
                name,
                settings,
                patterns,
                config.insertOnlyTables().orElse(List.of()).stream()
                        .filter(entry -> !entry.isBlank())
                        .map(TablePattern::parse)
                        .toList(),
                slot(config.slot().orElse(standard)),
                config.publication().orElse(standard),
                passThrough,
                clock);
    }

    private static <T> T required(Optional<T> value, String key, String meaning) {
        return value.orElseThrow(
                () -> new SourceConfigurationException("tributary.source." + key + " is not set; it is " + meaning));
    }

    private static String slot(String name) {
        if (!SLOT_NAME.matcher(name).matches()) {
            throw new SourceConfigurationException("tributary.source.slot is '" + name
                    + "'; PostgreSQL allows lower-case letters, digits and _ in a slot's name, at most " + MAX_NAME);
        }
        return name;
    }

    private static Password password(SourceConfig config) {
        if (config.password().isPresent() && config.passwordFile().isPresent()) {
            throw new SourceConfigurationException(
                    "both tributary.source.password and tributary.source.password-file are set; keep one");
        }
        Password password = config.passwordFile()
                .map(file -> Password.in(Path.of(file)))
                .orElseGet(() -> Password.of(config.password()));
        // a file that isn't there is a wrong configuration, whatever it becomes later
        Optional<String> unused = password.current();
        return password;
    }

    /** What the sessions' names of every instance of a source begin with; leaves room for a writer's id. */
    static String applicationPrefix(String name) {
        String prefix = "tributary/" + name;
        return prefix.substring(0, Math.min(prefix.length(), MAX_NAME - 38)) + "/";
    }

    private static String applicationName(String name, String writerId) {
        String full = applicationPrefix(name) + writerId;
        return full.substring(0, Math.min(full.length(), MAX_NAME));
    }
}

package io.tributary.ops.config;

import io.smallrye.config.SmallRyeConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What must be set, and what values must be besides convertible. */
final class SettingRules {
    private static final String TABLES = "tributary.source.tables";
    private static final Map<String, String> REQUIRED = new LinkedHashMap<>();

    static {
        REQUIRED.put("tributary.source.name", "a short name for this database, such as shop");
        REQUIRED.put("tributary.source.kind", "the database product, such as postgres");
        REQUIRED.put("tributary.source.database", "the database to capture");
        REQUIRED.put("tributary.source.username", "the user that connects");
        REQUIRED.put(
                TABLES, "the tables to capture, such as shop.orders,shop.p*; none means none, there is no default");
        REQUIRED.put("tributary.lake.path", "where the tables go, such as file:///data/lake");
    }

    private final SmallRyeConfig config;
    private final UnaryOperator<String> origin;
    private final Map<String, String> broken = new LinkedHashMap<>();

    /** @param origin of a key, for people */
    SettingRules(SmallRyeConfig config, UnaryOperator<String> origin) {
        this.config = config;
        this.origin = origin;
    }

    /** Broken rules by the key that breaks them. */
    Map<String, String> broken() {
        broken.clear();
        REQUIRED.forEach((key, what) -> {
            if (text(key).isEmpty() && (!key.equals(TABLES) || tables().isEmpty())) {
                broken.put(key, key + " is not set: " + what);
            }
        });
        requireForm(
                "tributary.source.name",
                "[a-z0-9][a-z0-9_-]{0,62}",
                "lower-case letters, digits, _ and -, at most 63, beginning with a letter or digit");
        requireForm(
                "tributary.source.slot",
                "[a-z0-9_]{1,63}",
                "lower-case letters, digits and _, at most 63, which is PostgreSQL's rule for slots");
        requireForm("tributary.lake.path", "[A-Za-z][A-Za-z0-9+.-]*:/.*", "a location such as file:///data/lake");
        requireForm("tributary.source.port", "0*[1-9]\\d{0,4}", "a port from 1 to 65535");
        requireTables();
        requireOnePassword();
        for (String key : List.of(
                "tributary.batch.max-age",
                "tributary.batch.quiet-age",
                "tributary.batch.max-rows",
                "tributary.batch.max-bytes",
                "tributary.guard.max-lag",
                "tributary.guard.max-retained-wal",
                "tributary.shutdown.drain-for")) {
            requireForm(key, ".*[1-9].*", "more than nothing");
        }
        return broken;
    }

    private Optional<String> text(String key) {
        return Optional.ofNullable(config.getConfigValue(key).getValue())
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    private void requireForm(String key, String pattern, String form) {
        text(key)
                .filter(text -> !text.matches(pattern))
                .ifPresent(text -> broken.putIfAbsent(
                        key, "%s=%s (%s) is not valid: expected %s".formatted(key, text, origin.apply(key), form)));
    }

    private void requireTables() {
        for (String entry : tables()) {
            if (!entry.strip().matches("[^.]+\\.[^.].*")) {
                broken.putIfAbsent(
                        TABLES,
                        "%s (%s) has the entry '%s': expected schema.table, where * and ? match any letters"
                                .formatted(TABLES, origin.apply(TABLES), entry));
            }
        }
    }

    private List<String> tables() {
        return config.getOptionalValues(TABLES, String.class).orElse(List.of());
    }

    private void requireOnePassword() {
        String password = "tributary.source.password";
        String file = "tributary.source.password-file";
        if (text(password).isPresent() && text(file).isPresent()) {
            broken.put(
                    password,
                    "%s (%s) and %s (%s) are both set; keep one"
                            .formatted(password, origin.apply(password), file, origin.apply(file)));
        }
    }
}

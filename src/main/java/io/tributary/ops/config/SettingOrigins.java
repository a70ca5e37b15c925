package io.tributary.ops.config;

import io.smallrye.config.ConfigValue;
import java.util.List;
import java.util.Locale;

/** Says for people where a setting comes from. */
final class SettingOrigins {
    static final String FILE = "config/application.properties";

    private final PropertiesLines lines;

    SettingOrigins(PropertiesLines lines) {
        this.lines = lines;
    }

    /** Such as {@code config/application.properties, line 7}. */
    String of(String key, ConfigValue value) {
        String source = String.valueOf(value.getConfigSourceName());
        if (source.contains("EnvConfigSource")) {
            return source.contains(".env")
                    ? ".env"
                    : "environment variable "
                            + key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
        }
        if (source.contains("SysPropConfigSource")) {
            return "system property";
        }
        if (source.replace('\\', '/').contains(FILE)) {
            List<Integer> set = lines.of(key);
            return set.isEmpty() ? FILE : FILE + ", line " + set.get(set.size() - 1);
        }
        return source;
    }
}

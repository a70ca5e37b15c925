package io.tributary.source;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The native connector properties of {@code tributary.source.debezium}, refused where they would break a promise. */
final class PassThrough {
    private static final String EXACTLY_ONCE = "it would break the exactly-once protocol";
    private static final String OWN_KEY = "tributary.source has a key of its own for it";
    private static final String VALUES = "values are decoded by the bridge, the same in snapshot and stream";

    private static final Map<Pattern, String> REFUSED = refused();

    private PassThrough() {}

    private static Map<Pattern, String> refused() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("errors\\..*|retriable\\..*", "the engine's own retries deliver rows again without saying so");
        keys.put(".*failure\\.handling\\.mode", "a record that can't be read must stop the run, not vanish");
        keys.put("lsn\\.flush\\..*|offset\\..*|offsets\\..*", EXACTLY_ONCE);
        keys.put("slot\\..*|publication\\..*|plugin\\.name", OWN_KEY);
        keys.put("replica\\.identity\\..*", "it would change the application's tables");
        keys.put("snapshot\\..*|incremental\\..*|signal\\..*", "snapshots are taken by the bridge itself");
        keys.put("heartbeat\\..*|provide\\.transaction\\.metadata", "transaction ends are found with it");
        keys.put("skipped\\.operations|message\\.prefix\\..*|skip\\.messages\\..*", "events would vanish");
        keys.put("tombstones\\.on\\.delete", EXACTLY_ONCE);
        keys.put("max\\.queue\\..*", "memory would not be bounded");
        keys.put(
                "transforms.*|predicates.*|converters|post\\.processors.*|.*\\.handling\\.mode|time\\.precision\\.mode",
                VALUES);
        keys.put(
                "column\\..*|.*name\\.adjustment\\.mode|include\\.unknown\\.datatypes|unavailable\\.value\\..*",
                VALUES);
        keys.put("(table|schema)\\.(include|exclude)\\.list", "tributary.source.tables selects the tables");
        keys.put("name|topic\\..*|connector\\..*|tasks\\.max|tributary\\..*", "it belongs to the bridge");
        keys.put("database\\.(hostname|port|dbname|user|password)", OWN_KEY);
        keys.put(
                "(database|driver)\\.(options|ApplicationName|socketTimeout|connectTimeout|loginTimeout)",
                "it belongs to the bridge");
        Map<Pattern, String> patterns = new LinkedHashMap<>();
        keys.forEach((key, why) -> patterns.put(Pattern.compile(key), why));
        return Map.copyOf(patterns);
    }

    static Map<String, String> checked(Map<String, String> properties) {
        for (String key : properties.keySet()) {
            REFUSED.forEach((pattern, why) -> {
                if (pattern.matcher(key).matches()) {
                    throw new SourceConfigurationException(
                            "tributary.source.debezium.\"" + key + "\" is refused: " + why + "; remove it");
                }
            });
        }
        return Map.copyOf(properties);
    }

    /** The properties of the JDBC driver among them, without their prefix: our own sessions connect the same way. */
    static Map<String, String> driver(Map<String, String> properties) {
        Map<String, String> driver = new LinkedHashMap<>();
        properties.forEach((key, value) -> {
            if (key.startsWith("database.") || key.startsWith("driver.")) {
                driver.put(key.substring(key.indexOf('.') + 1), value);
            }
        });
        return driver;
    }
}

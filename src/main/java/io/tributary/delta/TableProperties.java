package io.tributary.delta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.delta.kernel.exceptions.KernelException;
import io.tributary.event.TableId;
import io.tributary.evolution.TableLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** The table properties of a bronze table: what a new one gets, and what an existing one says about itself. */
final class TableProperties {

    static final String FORMAT = "tributary.format";
    static final String FORMAT_VERSION = "1";
    static final String SOURCE = "tributary.source";
    static final String OWNER = "tributary.owner";
    static final String TABLE = "tributary.table";
    static final String LAYOUT_VERSION = "tributary.layout.version";
    /** How many data columns the layout has: a schema alone doesn't show that one was taken out of it. */
    static final String LAYOUT_COLUMNS = "tributary.layout.columns";

    static final String STATISTICS = "delta.dataSkippingStatsColumns";
    /** An expired transaction id would let a batch in a second time. */
    static final String TRANSACTION_RETENTION = "delta.setTransactionRetentionDuration";

    private static final String CHECKPOINT_INTERVAL = "50";

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, String> REFUSED = Map.of(
            TRANSACTION_RETENTION.toLowerCase(Locale.ROOT),
            "a forgotten transaction id would let a batch in a second time",
            "delta.columnmapping",
            "bronze tables keep the source's names",
            "delta.enableiceberg",
            "it needs column mapping, and bronze tables keep the source's names",
            "delta.universalformat",
            "it needs column mapping, and bronze tables keep the source's names",
            "delta.dataskipping",
            "Tributary sets it to the columns that it keeps statistics of",
            "delta.coordinatedcommits",
            "commits are put-if-absent in the table's own log",
            "delta.feature.catalogmanaged",
            "commits are put-if-absent in the table's own log",
            "tributary.",
            "this prefix is Tributary's own");

    private final Map<String, String> configured;

    /** @param configured {@code tributary.delta.properties} */
    TableProperties(Map<String, String> configured) {
        configured.keySet().forEach(TableProperties::requireAllowed);
        try {
            this.configured = KernelInternals.checkedProperties(configured);
        } catch (KernelException | IllegalArgumentException e) {
            throw new LakeConfigurationException(
                    "tributary.delta.properties: " + e.getMessage() + " Mend or remove the property.", e);
        }
    }

    private static void requireAllowed(String key) {
        REFUSED.forEach((prefix, why) -> {
            if (key.toLowerCase(Locale.ROOT).startsWith(prefix)) {
                throw new LakeConfigurationException(
                        "tributary.delta.properties: " + key + " can't be set: " + why + ". Remove it");
            }
        });
    }

    /** The properties of a new table. */
    Map<String, String> forNew(TableLayout layout, TableOwner owner) {
        Map<String, String> properties = new HashMap<>();
        properties.put("delta.enableChangeDataFeed", "true");
        properties.put("delta.checkpointInterval", CHECKPOINT_INTERVAL);
        properties.putAll(configured);
        properties.putAll(forGrown(layout));
        properties.put(FORMAT, FORMAT_VERSION);
        properties.put(SOURCE, owner.source());
        properties.put(
                OWNER,
                text(JSON.createObjectNode()
                        .put("kind", owner.kind())
                        .put("server", owner.server())
                        .put("database", owner.database())));
        properties.put(TABLE, text(LayoutJson.write(layout.table())));
        return properties;
    }

    /** The properties of a new control table: what holds of bronze without its rows' meaning. */
    static Map<String, String> forControl(String source) {
        return Map.of(
                "delta.enableChangeDataFeed",
                "true",
                "delta.checkpointInterval",
                CHECKPOINT_INTERVAL,
                FORMAT,
                FORMAT_VERSION,
                SOURCE,
                source);
    }

    /** Why a table with these properties isn't the source's control table; empty if it is. */
    static Optional<String> foreignControl(Map<String, String> properties, String source) {
        if (!properties.containsKey(FORMAT) || !source.equals(properties.get(SOURCE))) {
            return Optional.of("it was not made by Tributary for the source " + source + ". Move it away");
        }
        return unknownFormat(properties);
    }

    private static Optional<String> unknownFormat(Map<String, String> properties) {
        if (FORMAT_VERSION.equals(properties.get(FORMAT))) {
            return Optional.empty();
        }
        return Optional.of("its property " + FORMAT + " is " + properties.get(FORMAT)
                + ", which no Tributary wrote. Set it" + " to " + FORMAT_VERSION + " again");
    }

    /** The properties that follow the layout. */
    static Map<String, String> forGrown(TableLayout layout) {
        return Map.of(
                LAYOUT_VERSION,
                Integer.toString(layout.version()),
                LAYOUT_COLUMNS,
                Integer.toString(layout.columns().size()),
                STATISTICS,
                FileStatistics.columnsProperty(layout));
    }

    /** Why a table with these properties isn't the bronze table that it should be; empty if it is. */
    static Optional<String> foreign(Map<String, String> properties, TableId table, String source) {
        for (String needed : List.of(FORMAT, SOURCE, OWNER, TABLE, LAYOUT_VERSION)) {
            if (!properties.containsKey(needed)) {
                return Optional.of("it was not made by Tributary (it has no property " + needed
                        + "). Move it away, or choose another tributary.lake.path or tributary.lake.table-path");
            }
        }
        Optional<String> unknown = unknownFormat(properties);
        if (unknown.isPresent()) {
            return unknown;
        }
        if (!source.equals(properties.get(SOURCE))) {
            return Optional.of("it belongs to the source " + properties.get(SOURCE) + " and not to " + source
                    + ". Choose another tributary.lake.path, or put {source} into tributary.lake.table-path");
        }
        if (!text(LayoutJson.write(table)).equals(properties.get(TABLE))) {
            return Optional.of("it belongs to the source table " + properties.get(TABLE)
                    + ", whose folder differs in case only. Choose a storage that keeps case apart");
        }
        if (properties.containsKey(TRANSACTION_RETENTION)) {
            return Optional.of(
                    "its property " + TRANSACTION_RETENTION + " would let a batch in a second time. Unset it");
        }
        return Optional.empty();
    }

    /** The owner that a bronze table names. */
    static TableOwner owner(Map<String, String> properties) {
        try {
            JsonNode identity = JSON.readTree(required(properties, OWNER));
            return new TableOwner(
                    required(properties, SOURCE),
                    identity.required("kind").textValue(),
                    identity.required("server").textValue(),
                    identity.required("database").textValue());
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IllegalStateException("the table property " + OWNER + " was changed by hand", e);
        }
    }

    /** How many data columns a bronze table was given; empty where it doesn't say. */
    static OptionalInt layoutColumns(Map<String, String> properties) {
        String columns = properties.get(LAYOUT_COLUMNS);
        return columns == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(columns));
    }

    static int layoutVersion(Map<String, String> properties) {
        return Integer.parseInt(required(properties, LAYOUT_VERSION));
    }

    private static String required(Map<String, String> properties, String key) {
        return Objects.requireNonNull(properties.get(key), key);
    }

    private static String text(ObjectNode json) {
        try {
            return JSON.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values always has a JSON form", e);
        }
    }
}

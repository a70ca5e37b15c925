package io.tributary.source;

import io.tributary.event.Column;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

/** The layouts in use, by the Connect schema that Debezium makes anew whenever a table's columns change. */
final class RowLayouts {
    /** Debezium keeps one schema per table alive: old ones are only garbage here. */
    private static final int FORGET_AT = 10_000;

    private final Catalog catalog;
    private final int moneyScale;
    private final ValueDecoders decoders;
    private final IdentityHashMap<Schema, RowLayout> layouts = new IdentityHashMap<>();
    private final Map<TableId, TableSchema> latest = new HashMap<>();

    RowLayouts(Catalog catalog) {
        this.catalog = catalog;
        this.moneyScale = catalog.types().moneyScale();
        this.decoders = new ValueDecoders(moneyScale);
    }

    /** @param key the schema of Debezium's key, null if it found none */
    RowLayout layout(TableId table, Schema row, @Nullable Schema key) {
        RowLayout known = layouts.get(row);
        if (known != null) {
            return known;
        }
        if (layouts.size() >= FORGET_AT) {
            layouts.clear();
        }
        RowLayout made = make(table, row, key);
        layouts.put(row, made);
        return made;
    }

    private RowLayout make(TableId table, Schema row, @Nullable Schema key) {
        Set<String> keyNames = keyNames(table, row, key);
        List<DeclaredType> types = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (Field field : row.fields()) {
            DeclaredType type = RowLayout.declaredType(field, catalog.types());
            types.add(type);
            columns.add(Catalog.column(field.name(), type, moneyScale, keyNames));
        }
        TableSchema schema = new TableSchema(table, columns);
        // one instance for equal schemas: whoever compares them later does so by reference first
        TableSchema before = latest.get(table);
        if (before == null || !before.equals(schema)) {
            latest.put(table, schema);
            before = schema;
        }
        return RowLayout.of(before, row, types, decoders);
    }

    /** The catalog is ahead of the stream: when it names columns that the row doesn't have, Debezium knows better. */
    private Set<String> keyNames(TableId table, Schema row, @Nullable Schema key) {
        Set<String> names = catalog.key(table);
        if (RowLayout.names(row).containsAll(names)) {
            return names;
        }
        return key == null ? Set.of() : RowLayout.names(key);
    }
}

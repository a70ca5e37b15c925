package io.tributary.source;

import io.tributary.event.Column;
import io.tributary.event.RowImage;
import io.tributary.event.RowImage.Extent;
import io.tributary.event.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** How rows of one version of a table's schema are read; made once per version, used for every row. */
final class RowLayout {
    private final TableSchema schema;
    private final Field[] fields;
    private final ValueDecoder[] decoders;

    private RowLayout(TableSchema schema, Field[] fields, ValueDecoder[] decoders) {
        this.schema = schema;
        this.fields = fields;
        this.decoders = decoders;
    }

    /** @param row the Connect schema of the table's rows, made by {@link CellConverter} */
    static RowLayout of(TableSchema schema, Schema row, List<DeclaredType> types, ValueDecoders decoders) {
        return new RowLayout(
                schema,
                row.fields().toArray(Field[]::new),
                types.stream().map(decoders::of).toArray(ValueDecoder[]::new));
    }

    /** The declared type that {@link CellConverter} wrote beside a column. */
    static DeclaredType declaredType(Field field, TypeCatalog types) {
        String name = parameter(field, CellConverter.TYPE_NAME);
        PgType type = types.type(Long.parseLong(parameter(field, CellConverter.TYPE_OID)))
                .orElseGet(() -> PgType.base(name));
        return DeclaredType.ofLength(
                named(type, name),
                Integer.parseInt(parameter(field, CellConverter.LENGTH)),
                Integer.parseInt(parameter(field, CellConverter.SCALE)));
    }

    private static String parameter(Field field, String name) {
        return Objects.requireNonNull(field.schema().parameters().get(name), name);
    }

    /** The stream names a domain but gives the oid of its base. */
    private static PgType named(PgType type, String name) {
        return type.name().equals(name)
                ? type
                : new PgType(
                        name, PgType.Kind.DOMAIN, Optional.empty(), Optional.of(type.root()), -1, type.delimiter());
    }

    TableSchema schema() {
        return schema;
    }

    /** An image that the source sent whole, but for columns that an update left alone. */
    RowImage after(Struct row, RawTexts raw) {
        @Nullable Object[] values = new @Nullable Object[fields.length];
        List<String> unchanged = List.of();
        for (int i = 0; i < fields.length; i++) {
            Cell cell = (Cell) row.get(fields[i]);
            if (cell.isUnchanged()) {
                if (unchanged.isEmpty()) {
                    unchanged = new ArrayList<>();
                }
                unchanged.add(fields[i].name());
            } else {
                values[i] = decoded(cell, i, raw);
            }
        }
        return new RowImage(values, unchanged.isEmpty() ? Extent.FULL : Extent.PARTIAL, unchanged, raw.take());
    }

    /**
     * An image of before a change. The stream doesn't say whether the source sent it whole or only the key with nulls
     * around it: one value outside the key proves the former, without one only the key is sure.
     */
    RowImage before(Struct row, RawTexts raw) {
        @Nullable Object[] values = new @Nullable Object[fields.length];
        Extent extent = Extent.KEY;
        for (int i = 0; i < fields.length; i++) {
            Cell cell = (Cell) row.get(fields[i]);
            values[i] = decoded(cell, i, raw);
            if (!cell.isNull() && !schema.columns().get(i).key()) {
                extent = Extent.FULL;
            }
        }
        return new RowImage(values, extent, List.of(), raw.take());
    }

    private @Nullable Object decoded(Cell cell, int column, RawTexts raw) {
        if (cell.isNull()) {
            return null;
        }
        raw.column(fields[column].name());
        return decoders[column].decode(cell.value(), raw);
    }

    /** Whether the key differs; the key is what the catalog says, which may be another one than Debezium's. */
    boolean keyChanged(Struct before, Struct after) {
        List<Column> columns = schema.columns();
        for (int i = 0; i < fields.length; i++) {
            if (columns.get(i).key() && !before.get(fields[i]).equals(after.get(fields[i]))) {
                return true;
            }
        }
        return false;
    }

    /** Names of the columns in the Connect schema of rows. */
    static Set<String> names(Schema row) {
        return row.fields().stream().map(Field::name).collect(Collectors.toSet());
    }
}

package io.tributary.delta;

import io.delta.kernel.types.DataType;
import io.delta.kernel.types.FieldMetadata;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.tributary.event.ColumnType;
import io.tributary.event.TableId;
import io.tributary.evolution.BronzeColumn;
import io.tributary.evolution.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The Delta schema of a bronze table. Each data column carries what its {@link BronzeColumn} knows as field metadata, so
 * that the layout can be read back from the table alone.
 */
final class BronzeSchema {

    private static final String SOURCE_NAME = "tributary.name";
    private static final String SOURCE_TYPE = "tributary.type";
    private static final String KEY = "tributary.key";
    /** The layout version that brought the column. */
    private static final String SINCE = "tributary.since";

    private static final String TO_GET_BACK = "Restore the version before (RESTORE TABLE … TO VERSION AS OF), or waive"
            + " the table and move it away: it is then read anew";

    private BronzeSchema() {}

    static StructType of(TableLayout layout) {
        List<StructField> fields = new ArrayList<>();
        for (BronzeColumn column : layout.columns()) {
            fields.add(dataField(column, layout.version()));
        }
        for (MetadataColumn column : MetadataColumn.values()) {
            fields.add(new StructField(column.columnName(), DeltaTypes.toDelta(column.type()), true));
        }
        return new StructType(fields);
    }

    /** The data columns of a table's schema, as a layout. */
    static TableLayout layout(TableId table, int version, StructType schema) {
        List<BronzeColumn> columns = new ArrayList<>();
        for (StructField field : schema.fields()) {
            FieldMetadata facts = field.getMetadata();
            // columns that someone else added to the table are none of ours
            if (facts.contains(SOURCE_NAME)) {
                ColumnType type = DeltaTypes.fromDelta(field.getDataType())
                        .orElseThrow(() -> new IllegalStateException("column " + field.getName() + " of " + table
                                + " has the type " + field.getDataType() + ", which Tributary never gave it"));
                columns.add(new BronzeColumn(
                        field.getName(),
                        type,
                        facts.getString(SOURCE_NAME),
                        facts.getString(SOURCE_TYPE),
                        facts.getBoolean(KEY)));
            }
        }
        return new TableLayout(table, version, columns);
    }

    /** Why a schema no longer has every data column that the table was given; empty if it has. */
    static Optional<String> lost(StructType schema, OptionalInt given) {
        List<String> left = schema.fields().stream()
                .filter(field -> field.getMetadata().contains(SOURCE_NAME))
                .map(StructField::getName)
                .toList();
        return given.isEmpty() || left.size() >= given.getAsInt()
                ? Optional.empty()
                : Optional.of("of the " + given.getAsInt() + " columns that Tributary gave it only " + left
                        + " are left: another writer dropped or renamed the others. " + TO_GET_BACK);
    }

    /**
     * What in a table's schema can never take rows of the layout; empty if nothing does.
     *
     * @param given how many of the layout's columns the table has been given so far; empty if nobody knows
     */
    static Optional<String> conflict(StructType schema, TableLayout layout, OptionalInt given) {
        List<String> absent = layout.columns().stream()
                .map(BronzeColumn::name)
                .filter(name -> !schema.fieldNames().contains(name))
                .toList();
        int fresh = layout.columns().size() - given.orElse(0);
        if (absent.size() > Math.max(0, fresh)) {
            return Optional.of("its columns " + absent.subList(0, absent.size() - Math.max(0, fresh))
                    + " are gone: another writer dropped or renamed them. " + TO_GET_BACK);
        }
        for (BronzeColumn column : layout.columns()) {
            Optional<String> conflict = conflict(schema, column.name(), DeltaTypes.toDelta(column.type()));
            if (conflict.isPresent()) {
                return conflict;
            }
        }
        for (MetadataColumn column : MetadataColumn.values()) {
            if (!schema.fieldNames().contains(column.columnName())) {
                return Optional.of("its column " + column.columnName() + " is gone");
            }
            Optional<String> conflict = conflict(schema, column.columnName(), DeltaTypes.toDelta(column.type()));
            if (conflict.isPresent()) {
                return conflict;
            }
        }
        for (StructField field : schema.fields()) {
            boolean written = layout.columns().stream().anyMatch(c -> c.name().equals(field.getName()))
                    || isMetadata(field.getName());
            if (!written && !field.isNullable()) {
                return Optional.of("its column " + field.getName() + " is NOT NULL and the source has no such column");
            }
        }
        return Optional.empty();
    }

    /** The schema with the layout's new columns after the data columns that it has; the same if there are none. */
    static StructType grown(StructType schema, TableLayout layout) {
        List<StructField> added = new ArrayList<>();
        for (BronzeColumn column : layout.columns()) {
            if (!schema.fieldNames().contains(column.name())) {
                added.add(dataField(column, layout.version()));
            }
        }
        if (added.isEmpty()) {
            return schema;
        }
        List<StructField> fields = new ArrayList<>(schema.fields());
        int firstMetadata = 0;
        while (firstMetadata < fields.size()
                && !isMetadata(fields.get(firstMetadata).getName())) {
            firstMetadata++;
        }
        fields.addAll(firstMetadata, added);
        return new StructType(fields);
    }

    private static Optional<String> conflict(StructType schema, String name, DataType type) {
        for (StructField field : schema.fields()) {
            if (field.getName().equals(name)) {
                if (!field.getDataType().equals(type)) {
                    return Optional.of(
                            "its column " + name + " is " + field.getDataType() + " and the rows have " + type);
                }
                return field.isNullable() ? Optional.empty() : Optional.of("its column " + name + " is NOT NULL");
            }
            if (field.getName().equalsIgnoreCase(name)) {
                return Optional.of("its column " + field.getName() + " differs from " + name + " in case only");
            }
        }
        return Optional.empty();
    }

    private static boolean isMetadata(String name) {
        for (MetadataColumn column : MetadataColumn.values()) {
            if (column.columnName().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static StructField dataField(BronzeColumn column, int version) {
        FieldMetadata facts = FieldMetadata.builder()
                .putString(SOURCE_NAME, column.sourceName())
                .putString(SOURCE_TYPE, column.sourceType())
                .putBoolean(KEY, column.key())
                .putLong(SINCE, version)
                .build();
        return new StructField(column.name(), DeltaTypes.toDelta(column.type()), true, facts);
    }
}

package io.tributary.source;

import io.debezium.connector.postgresql.UnchangedToastedReplicationMessageColumn;
import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import java.util.Properties;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/** Debezium's converter for every column, public because the engine makes it by name: hands each value on in a {@link Cell}, its declared type in the schema. */
public final class CellConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {
    static final String TYPE_NAME = "tributary.type";
    static final String TYPE_OID = "tributary.oid";
    static final String LENGTH = "tributary.length";
    static final String SCALE = "tributary.scale";

    @Override
    public void configure(Properties properties) {
        // nothing to choose: what a value becomes is decided by the decoder
    }

    @Override
    public void converterFor(RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
        SchemaBuilder schema = SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA)
                .optional()
                .parameter(TYPE_NAME, column.typeName())
                .parameter(TYPE_OID, Integer.toUnsignedString(column.nativeType()))
                .parameter(LENGTH, Integer.toString(column.length().orElse(0)))
                .parameter(SCALE, Integer.toString(column.scale().orElse(0)));
        registration.register(schema, CellConverter::cell);
    }

    private static Cell cell(@Nullable Object value) {
        if (value == null) {
            // never null itself: Struct.get would answer with the column's default
            return Cell.NULL;
        }
        return UnchangedToastedReplicationMessageColumn.isUnchangedToastedValue(value)
                ? Cell.UNCHANGED
                : new Cell(value);
    }
}

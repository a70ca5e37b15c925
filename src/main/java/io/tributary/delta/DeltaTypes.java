package io.tributary.delta;

import io.delta.kernel.types.ArrayType;
import io.delta.kernel.types.BinaryType;
import io.delta.kernel.types.BooleanType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DateType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.FloatType;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.ShortType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampNTZType;
import io.delta.kernel.types.TimestampType;
import io.tributary.event.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Column types as Delta's, and back. */
final class DeltaTypes {

    private DeltaTypes() {}

    static DataType toDelta(ColumnType type) {
        if (type instanceof ColumnType.Simple simple) {
            return toDelta(simple);
        }
        if (type instanceof ColumnType.Decimal decimal) {
            return new DecimalType(decimal.precision(), decimal.scale());
        }
        if (type instanceof ColumnType.Array array) {
            return new ArrayType(toDelta(array.element()), true);
        }
        ColumnType.Struct struct = (ColumnType.Struct) type;
        return new StructType(struct.fields().stream()
                .map(field -> new StructField(field.name(), toDelta(field.type()), true))
                .toList());
    }

    private static DataType toDelta(ColumnType.Simple type) {
        return switch (type) {
            case BOOLEAN -> BooleanType.BOOLEAN;
            case SMALLINT -> ShortType.SHORT;
            case INT -> IntegerType.INTEGER;
            case BIGINT -> LongType.LONG;
            case FLOAT -> FloatType.FLOAT;
            case DOUBLE -> DoubleType.DOUBLE;
            case STRING -> StringType.STRING;
            case BINARY -> BinaryType.BINARY;
            case DATE -> DateType.DATE;
            case TIMESTAMP -> TimestampType.TIMESTAMP;
            case TIMESTAMP_NTZ -> TimestampNTZType.TIMESTAMP_NTZ;
        };
    }

    /** Empty for a type that no column of ours has. */
    static Optional<ColumnType> fromDelta(DataType type) {
        for (ColumnType.Simple simple : ColumnType.Simple.values()) {
            if (toDelta(simple).equals(type)) {
                return Optional.of(simple);
            }
        }
        if (type instanceof DecimalType decimal) {
            return Optional.of(new ColumnType.Decimal(decimal.getPrecision(), decimal.getScale()));
        }
        if (type instanceof ArrayType array) {
            return fromDelta(array.getElementType()).map(ColumnType.Array::new);
        }
        if (type instanceof StructType struct) {
            List<ColumnType.Field> fields = new ArrayList<>();
            for (StructField field : struct.fields()) {
                Optional<ColumnType> fieldType = fromDelta(field.getDataType());
                if (fieldType.isEmpty()) {
                    return Optional.empty();
                }
                fields.add(new ColumnType.Field(field.getName(), fieldType.get()));
            }
            return Optional.of(new ColumnType.Struct(fields));
        }
        return Optional.empty();
    }
}

package io.tributary.delta;

import static org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit.MICROS;
import static org.apache.parquet.schema.LogicalTypeAnnotation.dateType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.decimalType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.listType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.stringType;
import static org.apache.parquet.schema.LogicalTypeAnnotation.timestampType;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BINARY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.BOOLEAN;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.DOUBLE;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.FLOAT;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT32;
import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT64;
import static org.apache.parquet.schema.Types.optional;

import io.tributary.event.ColumnType;
import io.tributary.evolution.TableLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;

/** Column types as Parquet stores them, after the format's logical types; everything is optional. */
final class ParquetTypes {

    static final int MAX_INT_DIGITS = 9;
    static final int MAX_LONG_DIGITS = 18;
    /** The names inside a three-level list. */
    static final String LIST = "list";

    static final String ELEMENT = "element";

    private ParquetTypes() {}

    /** The message of a bronze table's files: data columns, then metadata columns. */
    static MessageType message(TableLayout layout) {
        List<Type> fields = new ArrayList<>();
        layout.columns().forEach(column -> fields.add(field(column.name(), column.type())));
        for (MetadataColumn column : MetadataColumn.values()) {
            fields.add(field(column.columnName(), column.type()));
        }
        return new MessageType("bronze", fields);
    }

    /** Bytes of the smallest two's complement number that holds every decimal of a precision. */
    static int fixedBytes(int precision) {
        return BigInteger.TEN.pow(precision).bitLength() / 8 + 1;
    }

    private static Type field(String name, ColumnType type) {
        if (type instanceof ColumnType.Simple simple) {
            return simpleField(name, simple);
        }
        if (type instanceof ColumnType.Decimal decimal) {
            LogicalTypeAnnotation logical = decimalType(decimal.scale(), decimal.precision());
            if (decimal.precision() <= MAX_INT_DIGITS) {
                return optional(INT32).as(logical).named(name);
            }
            if (decimal.precision() <= MAX_LONG_DIGITS) {
                return optional(INT64).as(logical).named(name);
            }
            return optional(FIXED_LEN_BYTE_ARRAY)
                    .length(fixedBytes(decimal.precision()))
                    .as(logical)
                    .named(name);
        }
        if (type instanceof ColumnType.Array array) {
            Type elements = new GroupType(Repetition.REPEATED, LIST, field(ELEMENT, array.element()));
            return Types.optionalGroup().as(listType()).addField(elements).named(name);
        }
        ColumnType.Struct struct = (ColumnType.Struct) type;
        return new GroupType(
                Repetition.OPTIONAL,
                name,
                struct.fields().stream().map(f -> field(f.name(), f.type())).toList());
    }

    private static Type simpleField(String name, ColumnType.Simple type) {
        return switch (type) {
            case BOOLEAN -> plain(BOOLEAN, name);
            case SMALLINT ->
                optional(INT32).as(LogicalTypeAnnotation.intType(16, true)).named(name);
            case INT -> plain(INT32, name);
            case BIGINT -> plain(INT64, name);
            case FLOAT -> plain(FLOAT, name);
            case DOUBLE -> plain(DOUBLE, name);
            case STRING -> optional(BINARY).as(stringType()).named(name);
            case BINARY -> plain(BINARY, name);
            case DATE -> optional(INT32).as(dateType()).named(name);
            case TIMESTAMP -> optional(INT64).as(timestampType(true, MICROS)).named(name);
            case TIMESTAMP_NTZ ->
                optional(INT64).as(timestampType(false, MICROS)).named(name);
        };
    }

    private static Type plain(PrimitiveTypeName physical, String name) {
        return optional(physical).named(name);
    }
}

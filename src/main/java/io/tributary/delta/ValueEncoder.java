package io.tributary.delta;

import io.tributary.event.ColumnType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/** Writes one value of a type, in the Java form that {@link ColumnType} names, to Parquet; never null. */
@FunctionalInterface
interface ValueEncoder {

    /** Writes the value and returns the bytes that it takes, roughly. */
    int write(Object value, RecordConsumer out);

    static ValueEncoder of(ColumnType type) {
        if (type instanceof ColumnType.Simple simple) {
            return simple(simple);
        }
        if (type instanceof ColumnType.Decimal decimal) {
            return decimal(decimal);
        }
        if (type instanceof ColumnType.Array array) {
            return array(of(array.element()));
        }
        return struct((ColumnType.Struct) type);
    }

    private static ValueEncoder simple(ColumnType.Simple type) {
        return switch (type) {
            case BOOLEAN ->
                (value, out) -> {
                    out.addBoolean((Boolean) value);
                    return 1;
                };
            case SMALLINT ->
                (value, out) -> {
                    out.addInteger((Short) value);
                    return Integer.BYTES;
                };
            case INT, DATE ->
                (value, out) -> {
                    out.addInteger((Integer) value);
                    return Integer.BYTES;
                };
            case BIGINT, TIMESTAMP, TIMESTAMP_NTZ ->
                (value, out) -> {
                    out.addLong((Long) value);
                    return Long.BYTES;
                };
            case FLOAT ->
                (value, out) -> {
                    out.addFloat((Float) value);
                    return Float.BYTES;
                };
            case DOUBLE ->
                (value, out) -> {
                    out.addDouble((Double) value);
                    return Double.BYTES;
                };
            case STRING -> (value, out) -> bytes(((String) value).getBytes(StandardCharsets.UTF_8), out);
            case BINARY -> (value, out) -> bytes((byte[]) value, out);
        };
    }

    private static int bytes(byte[] value, RecordConsumer out) {
        out.addBinary(Binary.fromConstantByteArray(value));
        return Integer.BYTES + value.length;
    }

    private static ValueEncoder decimal(ColumnType.Decimal type) {
        int precision = type.precision();
        if (precision <= ParquetTypes.MAX_INT_DIGITS) {
            return (value, out) -> {
                out.addInteger((int) exact(value, type).unscaledValue().longValueExact());
                return Integer.BYTES;
            };
        }
        if (precision <= ParquetTypes.MAX_LONG_DIGITS) {
            return (value, out) -> {
                out.addLong(exact(value, type).unscaledValue().longValueExact());
                return Long.BYTES;
            };
        }
        int length = ParquetTypes.fixedBytes(precision);
        return (value, out) -> {
            byte[] digits = exact(value, type).unscaledValue().toByteArray();
            byte[] fixed = new byte[length];
            Arrays.fill(fixed, 0, length - digits.length, (byte) (digits[0] < 0 ? -1 : 0));
            System.arraycopy(digits, 0, fixed, length - digits.length, digits.length);
            out.addBinary(Binary.fromConstantByteArray(fixed));
            return length;
        };
    }

    /** A decimal that doesn't fit was let through by whoever made the event: better no row than a wrong one. */
    private static BigDecimal exact(Object value, ColumnType.Decimal type) {
        BigDecimal decimal = (BigDecimal) value;
        if (decimal.scale() != type.scale() || decimal.precision() > type.precision()) {
            throw new IllegalArgumentException("a decimal of precision " + decimal.precision() + " and scale "
                    + decimal.scale() + " for a column of DECIMAL(" + type.precision() + "," + type.scale() + ")");
        }
        return decimal;
    }

    private static ValueEncoder array(ValueEncoder element) {
        return (value, out) -> {
            @Nullable Object[] elements = (Object[]) value;
            int size = Integer.BYTES;
            out.startGroup();
            if (elements.length > 0) {
                out.startField(ParquetTypes.LIST, 0);
                for (Object e : elements) {
                    out.startGroup();
                    size += 1 + field(ParquetTypes.ELEMENT, 0, element, e, out);
                    out.endGroup();
                }
                out.endField(ParquetTypes.LIST, 0);
            }
            out.endGroup();
            return size;
        };
    }

    private static ValueEncoder struct(ColumnType.Struct type) {
        List<String> names = type.fields().stream().map(ColumnType.Field::name).toList();
        List<ValueEncoder> encoders = new ArrayList<>();
        type.fields().forEach(f -> encoders.add(of(f.type())));
        return (value, out) -> {
            @Nullable Object[] fields = (Object[]) value;
            if (fields.length != names.size()) {
                throw new IllegalArgumentException("a struct of " + fields.length + " fields for " + names);
            }
            int size = 0;
            out.startGroup();
            for (int i = 0; i < fields.length; i++) {
                size += 1 + field(names.get(i), i, encoders.get(i), fields[i], out);
            }
            out.endGroup();
            return size;
        };
    }

    /** Writes a field, or nothing for null; returns the bytes, roughly. */
    static int field(String name, int index, ValueEncoder encoder, @Nullable Object value, RecordConsumer out) {
        if (value == null) {
            return 0;
        }
        out.startField(name, index);
        int size = encoder.write(value, out);
        out.endField(name, index);
        return size;
    }
}

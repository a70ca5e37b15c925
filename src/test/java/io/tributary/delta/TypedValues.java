package io.tributary.delta;

import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Simple;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Arbitrary types and values of them, leaning to the edges; and the form in which a reader gives them back. */
final class TypedValues {

    private TypedValues() {}

    static Arbitrary<ColumnType> types() {
        Arbitrary<ColumnType> flat = flatTypes();
        return Arbitraries.lazyOf(
                () -> flat,
                () -> flat,
                () -> flat,
                () -> types().map(ColumnType.Array::new),
                () -> types().list().ofMinSize(1).ofMaxSize(3).map(TypedValues::struct));
    }

    static Arbitrary<ColumnType> flatTypes() {
        Arbitrary<ColumnType> simple = Arbitraries.of(Simple.values()).map(type -> type);
        Arbitrary<ColumnType> decimal = Arbitraries.integers()
                .between(1, 38)
                .flatMap(precision -> Arbitraries.integers()
                        .between(0, precision)
                        .map(scale -> new ColumnType.Decimal(precision, scale)));
        return Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(3, simple),
                net.jqwik.api.Tuple.of(1, decimal),
                net.jqwik.api.Tuple.of(1, Arbitraries.just(Simple.STRING)));
    }

    private static ColumnType struct(List<ColumnType> types) {
        List<ColumnType.Field> fields = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            fields.add(new ColumnType.Field("f" + i, types.get(i)));
        }
        return new ColumnType.Struct(fields);
    }

    /** Values of a type in the Java form that ColumnType names; now and then null. */
    static Arbitrary<@Nullable Object> values(ColumnType type) {
        return present(type).injectNull(0.15);
    }

    private static Arbitrary<Object> present(ColumnType type) {
        if (type instanceof Simple simple) {
            return simple(simple);
        }
        if (type instanceof ColumnType.Decimal decimal) {
            BigInteger limit = BigInteger.TEN.pow(decimal.precision()).subtract(BigInteger.ONE);
            return Arbitraries.bigIntegers()
                    .between(limit.negate(), limit)
                    .map(unscaled -> new BigDecimal(unscaled, decimal.scale()));
        }
        if (type instanceof ColumnType.Array array) {
            return values(array.element()).list().ofMaxSize(4).map(List::toArray);
        }
        List<Arbitrary<@Nullable Object>> fields = ((ColumnType.Struct) type)
                .fields().stream().map(f -> values(f.type())).toList();
        return Combinators.combine(fields).as(List::toArray);
    }

    private static Arbitrary<Object> simple(Simple type) {
        return switch (type) {
            case BOOLEAN -> any(Arbitraries.of(true, false));
            case SMALLINT -> any(Arbitraries.shorts());
            case INT, DATE -> any(Arbitraries.integers());
            case BIGINT -> any(Arbitraries.longs());
            case FLOAT ->
                any(Arbitraries.oneOf(
                        Arbitraries.floats(),
                        Arbitraries.of(0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE, 0.1f)));
            case DOUBLE ->
                any(Arbitraries.oneOf(
                        Arbitraries.doubles(),
                        Arbitraries.of(0d, -0d, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 0.1d)));
            case STRING -> any(strings());
            case BINARY -> any(Arbitraries.bytes().array(byte[].class).ofMaxSize(40));
            case TIMESTAMP, TIMESTAMP_NTZ ->
                any(Arbitraries.oneOf(
                        Arbitraries.longs(),
                        // around the first and the last time that statistics can say, and today
                        Arbitraries.longs().between(-62_135_596_800_001_001L, -62_135_596_799_998_999L),
                        Arbitraries.longs().between(253_402_300_799_990_000L, 253_402_300_800_000_000L),
                        Arbitraries.longs().between(1_700_000_000_000_000L, 1_700_000_000_002_000L)));
        };
    }

    /** Few characters from all over Unicode, so that long common prefixes come up. */
    private static Arbitrary<String> strings() {
        Arbitrary<Integer> points = Arbitraries.of(
                0, 0x61, 0x62, 0x7F, 0xE9, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, Character.MAX_CODE_POINT);
        Arbitrary<Integer> ends = Arbitraries.oneOf(points, Arbitraries.just(Character.MAX_CODE_POINT));
        return Arbitraries.oneOf(
                points.list().ofMaxSize(5).map(TypedValues::text),
                points.list().ofMinSize(28).ofMaxSize(40).map(TypedValues::text),
                ends.list().ofMinSize(1).ofMaxSize(4).map(end -> "\uDBFF\uDFFF".repeat(30) + text(end)),
                ends.list().ofMinSize(1).ofMaxSize(4).map(end -> "x".repeat(30) + text(end)));
    }

    private static String text(List<Integer> points) {
        StringBuilder text = new StringBuilder();
        points.forEach(text::appendCodePoint);
        return text.toString();
    }

    private static Arbitrary<Object> any(Arbitrary<?> values) {
        return values.map(value -> value);
    }

    /** What a reader must give back, with byte arrays as text so that it can be compared. */
    static @Nullable Object expected(ColumnType type, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        if (type instanceof ColumnType.Array array) {
            List<@Nullable Object> list = new ArrayList<>();
            for (@Nullable Object element : (Object[]) value) {
                list.add(expected(array.element(), element));
            }
            return list;
        }
        if (type instanceof ColumnType.Struct struct) {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            for (int i = 0; i < struct.fields().size(); i++) {
                ColumnType.Field field = struct.fields().get(i);
                fields.put(field.name(), expected(field.type(), ((Object[]) value)[i]));
            }
            return fields;
        }
        return comparable(value);
    }

    static @Nullable Object comparable(@Nullable Object read) {
        if (read instanceof byte[] bytes) {
            return "0x" + HexFormat.of().formatHex(bytes);
        }
        if (read instanceof List<?> list) {
            List<@Nullable Object> elements = new ArrayList<>();
            list.forEach(element -> elements.add(comparable(element)));
            return elements;
        }
        if (read instanceof Map<?, ?> map) {
            Map<Object, @Nullable Object> fields = new LinkedHashMap<>();
            map.forEach((key, value) -> fields.put(key, comparable(value)));
            return fields;
        }
        return read;
    }
}

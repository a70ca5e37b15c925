package io.tributary.source;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.geometric.PGbox;
import org.postgresql.geometric.PGcircle;
import org.postgresql.geometric.PGline;
import org.postgresql.geometric.PGlseg;
import org.postgresql.geometric.PGpath;
import org.postgresql.geometric.PGpolygon;
import org.postgresql.util.PGobject;

/** Chooses the decoder of a declared type; agrees with {@link DeclaredType#columnType}. */
final class ValueDecoders {
    private final int moneyScale;

    /** @param moneyScale digits after the point of the database's money */
    ValueDecoders(int moneyScale) {
        this.moneyScale = moneyScale;
    }

    ValueDecoder of(DeclaredType type) {
        if (type.isArray()) {
            return array(type.type().root().delimiter(), of(type.element()));
        }
        PgType root = type.type().root();
        if (root.kind() != PgType.Kind.BASE) {
            return ScalarDecoders::string;
        }
        return switch (root.name()) {
            case "bool" -> ScalarDecoders::bool;
            case "int2" -> ScalarDecoders::smallint;
            case "int4" -> ScalarDecoders::integer;
            case "int8", "oid" -> ScalarDecoders::bigint;
            case "float4" -> ScalarDecoders::real;
            case "float8" -> ScalarDecoders::doublePrecision;
            case "numeric" ->
                type.columnType(moneyScale) instanceof io.tributary.event.ColumnType.Decimal decimal
                        ? ScalarDecoders.decimal(decimal.scale())
                        : ScalarDecoders::numericText;
            case "money" -> ScalarDecoders.money(moneyScale);
            case "bytea" -> ScalarDecoders::bytes;
            case "bit" -> type.precision() <= 1 ? ScalarDecoders::bool : ScalarDecoders::string;
            case "date" -> ScalarDecoders::date;
            case "timestamp" -> ScalarDecoders::timestamp;
            case "timestamptz" -> ScalarDecoders::timestampWithZone;
            case "timetz" -> ScalarDecoders::timeWithZone;
            case "interval" -> ScalarDecoders::interval;
            case "point" -> ScalarDecoders::point;
            case "geometry", "geography" -> ScalarDecoders::geometry;
            case "vector", "halfvec" -> ValueDecoders::vector;
            case "hstore" -> HstoreText::json;
            case "box" -> geometric(PGbox::new);
            case "circle" -> geometric(PGcircle::new);
            case "line" -> geometric(PGline::new);
            case "lseg" -> geometric(PGlseg::new);
            case "path" -> geometric(PGpath::new);
            case "polygon" -> geometric(PGpolygon::new);
            default -> ScalarDecoders::string;
        };
    }

    /** Through the driver's class on both ways: the stream comes through it already, and it prints {@code 1.0} for 1. */
    private static ValueDecoder geometric(ScalarDecoders.Parser<? extends PGobject> parser) {
        return (value, raw) ->
                ScalarDecoders.text(value instanceof String text ? ScalarDecoders.parsed(parser, text) : value);
    }

    private static ValueDecoder array(char delimiter, ValueDecoder element) {
        return (value, raw) -> {
            String text = ScalarDecoders.text(value);
            Optional<List<@Nullable String>> texts = ArrayText.elements(text, delimiter);
            if (texts.isEmpty()) {
                raw.keep(text);
                return null;
            }
            return elements(texts.get(), element, raw);
        };
    }

    private static Object elements(List<@Nullable String> texts, ValueDecoder element, RawTexts raw) {
        @Nullable Object[] values = new @Nullable Object[texts.size()];
        for (int i = 0; i < values.length; i++) {
            String text = texts.get(i);
            if (text != null) {
                raw.element(i + 1);
                values[i] = element.decode(text, raw);
            }
        }
        raw.element(0);
        return values;
    }

    /** pgvector's {@code [1,2.5,3]}. */
    private static Object vector(Object value, RawTexts raw) {
        String text = ScalarDecoders.text(value);
        String[] numbers = text.substring(1, text.length() - 1).split(",", -1);
        Object[] values = new Object[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            values[i] = Float.parseFloat(numbers[i]);
        }
        return values;
    }
}

package io.tributary.source;

import io.debezium.connector.postgresql.PostgresValueConverter;
import io.debezium.data.SpecialValueDecimal;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.postgresql.geometric.PGpoint;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGobject;

/** The decoders of values that hold no other values. */
final class ScalarDecoders {
    private static final String INFINITY = "infinity";
    private static final String MINUS_INFINITY = "-infinity";

    private ScalarDecoders() {}

    static Object bool(Object value, RawTexts raw) {
        return value instanceof Boolean b
                ? b
                : (Object) (text(value).equals("t") || text(value).equals("1"));
    }

    static Object smallint(Object value, RawTexts raw) {
        return value instanceof Number n ? n.shortValue() : Short.parseShort(text(value));
    }

    static Object integer(Object value, RawTexts raw) {
        return value instanceof Number n ? n.intValue() : Integer.parseInt(text(value));
    }

    static Object bigint(Object value, RawTexts raw) {
        return value instanceof Number n ? n.longValue() : Long.parseLong(text(value));
    }

    static Object real(Object value, RawTexts raw) {
        return value instanceof Number n ? n.floatValue() : Float.parseFloat(text(value));
    }

    static Object doublePrecision(Object value, RawTexts raw) {
        return value instanceof Number n ? n.doubleValue() : Double.parseDouble(text(value));
    }

    /** Text as it is; the geometric types in one spelling, because Debezium has parsed them already. */
    static Object string(Object value, RawTexts raw) {
        return text(value);
    }

    static Object bytes(Object value, RawTexts raw) {
        return value instanceof byte[] b
                ? b
                : (Object) HexFormat.of().parseHex(text(value), 2, text(value).length());
    }

    /** A numeric that stands as text: every digit, and NaN and the infinities too. */
    static Object numericText(Object value, RawTexts raw) {
        return value instanceof SpecialValueDecimal special ? text(special) : value.toString();
    }

    static ValueDecoder decimal(int scale) {
        return (value, raw) -> {
            BigDecimal number = number(value);
            if (number == null) {
                raw.keep(value instanceof SpecialValueDecimal special ? text(special) : text(value));
                return null;
            }
            try {
                return number.setScale(scale);
            } catch (ArithmeticException e) {
                raw.keep(number.toPlainString());
                return null;
            }
        };
    }

    private static @Nullable BigDecimal number(Object value) {
        if (value instanceof SpecialValueDecimal special) {
            return special.getDecimalValue().orElse(null);
        }
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        String text = text(value);
        return text.equals("NaN") || text.endsWith("Infinity") ? null : new BigDecimal(text);
    }

    private static String text(SpecialValueDecimal value) {
        return value.getDecimalValue()
                .map(BigDecimal::toPlainString)
                .orElseGet(() -> Double.toString(value.toDouble()));
    }

    static ValueDecoder money(int scale) {
        return (value, raw) -> {
            try {
                return (value instanceof BigDecimal number ? number : amount(text(value))).setScale(scale);
            } catch (ArithmeticException | NumberFormatException e) {
                raw.keep(value.toString());
                return null;
            }
        };
    }

    /** {@code -$1,234.50} or {@code ($1,234.50)}. */
    private static BigDecimal amount(String text) {
        boolean negative = text.startsWith("-") || text.startsWith("(");
        BigDecimal amount = new BigDecimal(text.replaceAll("[^0-9.]", ""));
        return negative ? amount.negate() : amount;
    }

    static @Nullable Object date(Object value, RawTexts raw) {
        if (value instanceof LocalDate date) {
            if (date.equals(PostgresValueConverter.POSITIVE_INFINITY_LOCAL_DATE)) {
                return kept(INFINITY, raw);
            }
            return date.equals(PostgresValueConverter.NEGATIVE_INFINITY_LOCAL_DATE)
                    ? kept(MINUS_INFINITY, raw)
                    : (Object) Math.toIntExact(date.toEpochDay());
        }
        String text = text(value);
        return TimeText.isInfinite(text) ? kept(text, raw) : (Object) TimeText.epochDay(text);
    }

    static @Nullable Object timestamp(Object value, RawTexts raw) {
        if (value instanceof Instant instant) {
            if (instant.equals(PostgresValueConverter.POSITIVE_INFINITY_INSTANT)) {
                return kept(INFINITY, raw);
            }
            return instant.equals(PostgresValueConverter.NEGATIVE_INFINITY_INSTANT)
                    ? kept(MINUS_INFINITY, raw)
                    : micros(instant, "", raw);
        }
        return micros(text(value), raw);
    }

    static @Nullable Object timestampWithZone(Object value, RawTexts raw) {
        if (value instanceof OffsetDateTime time) {
            if (time.equals(PostgresValueConverter.POSITIVE_INFINITY_OFFSET_DATE_TIME)) {
                return kept(INFINITY, raw);
            }
            return time.equals(PostgresValueConverter.NEGATIVE_INFINITY_OFFSET_DATE_TIME)
                    ? kept(MINUS_INFINITY, raw)
                    : micros(time.toInstant(), "+00", raw);
        }
        return micros(text(value), raw);
    }

    private static @Nullable Object micros(Instant instant, String offset, RawTexts raw) {
        try {
            return TimeText.epochMicros(instant);
        } catch (ArithmeticException e) {
            return kept(TimeText.format(instant) + offset, raw);
        }
    }

    private static @Nullable Object micros(String text, RawTexts raw) {
        if (TimeText.isInfinite(text)) {
            return kept(text, raw);
        }
        try {
            return TimeText.epochMicros(text);
        } catch (ArithmeticException e) {
            return kept(text, raw);
        }
    }

    static Object timeWithZone(Object value, RawTexts raw) {
        return value instanceof OffsetTime time ? TimeText.timeInUtc(time) : TimeText.timeInUtc(text(value));
    }

    static Object interval(Object value, RawTexts raw) {
        if (value instanceof PGInterval interval) {
            return IntervalText.iso(interval);
        }
        String text = text(value);
        return TimeText.isInfinite(text) ? text : IntervalText.iso(parsed(PGInterval::new, text));
    }

    static Object point(Object value, RawTexts raw) {
        PGpoint point = value instanceof PGpoint p ? p : parsed(PGpoint::new, text(value));
        return new Object[] {point.x, point.y};
    }

    static Object geometry(Object value, RawTexts raw) {
        return ExtendedWkb.parse(HexFormat.of().parseHex(text(value)));
    }

    private static @Nullable Object kept(String text, RawTexts raw) {
        raw.keep(text);
        return null;
    }

    static String text(Object value) {
        if (value instanceof String string) {
            return string;
        }
        if (value instanceof PGobject object) {
            String text = object.getValue();
            return text == null ? "" : text;
        }
        return value.toString();
    }

    /** Something that the driver parses. */
    @FunctionalInterface
    interface Parser<T> {
        T parse(String text) throws SQLException;
    }

    static <T> T parsed(Parser<T> parser, String text) {
        try {
            return parser.parse(text);
        } catch (SQLException e) {
            throw new IllegalArgumentException("a text that the driver can't read: " + e.getMessage(), e);
        }
    }
}

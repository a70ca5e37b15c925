package io.tributary.delta;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tributary.event.ColumnType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The smallest and largest value that one column of one file has. Said only where it is true for every reader: what a
 * reader could take for a narrower range than the data has would hide rows.
 */
sealed interface ColumnBounds {

    /** Takes a value that is not null, in the Java form that {@link ColumnType} names. */
    void add(Object value);

    /** Empty when there was no value, or one that Delta's statistics can't say. */
    Optional<Range> range();

    /** Both bounds as they stand in an add action's statistics. */
    record Range(JsonNode min, JsonNode max) {}

    /** Whether Delta keeps minimum and maximum for a type; {@code delta.dataSkippingStatsColumns} refuses the others. */
    static boolean possible(ColumnType type) {
        if (type instanceof ColumnType.Simple simple) {
            return simple != ColumnType.Simple.BOOLEAN && simple != ColumnType.Simple.BINARY;
        }
        return type instanceof ColumnType.Decimal;
    }

    static ColumnBounds of(ColumnType type) {
        if (type instanceof ColumnType.Simple simple) {
            return switch (simple) {
                case SMALLINT, INT, BIGINT -> new OfIntegers();
                case FLOAT, DOUBLE -> new OfFloats(simple == ColumnType.Simple.FLOAT);
                case DATE -> new OfDates();
                case TIMESTAMP -> new OfTimestamps("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'");
                case TIMESTAMP_NTZ -> new OfTimestamps("yyyy-MM-dd'T'HH:mm:ss.SSS");
                case STRING -> new OfStrings();
                case BOOLEAN, BINARY -> throw new IllegalArgumentException("Delta keeps no bounds of " + type);
            };
        }
        if (type instanceof ColumnType.Decimal) {
            return new OfDecimals();
        }
        throw new IllegalArgumentException("Delta keeps no bounds of " + type);
    }

    /** Whole numbers. */
    final class OfIntegers implements ColumnBounds {
        private long min = Long.MAX_VALUE;
        private long max = Long.MIN_VALUE;

        @Override
        public void add(Object value) {
            long number = ((Number) value).longValue();
            min = Math.min(min, number);
            max = Math.max(max, number);
        }

        @Override
        public Optional<Range> range() {
            return min > max ? Optional.empty() : Optional.of(new Range(LongNode.valueOf(min), LongNode.valueOf(max)));
        }
    }

    /** Floating point numbers; NaN and infinities have no place in JSON, and readers disagree where NaN sorts. */
    final class OfFloats implements ColumnBounds {
        private final boolean single;
        private double min = Double.POSITIVE_INFINITY;
        private double max = Double.NEGATIVE_INFINITY;
        private boolean unsayable;

        OfFloats(boolean single) {
            this.single = single;
        }

        @Override
        public void add(Object value) {
            double number = ((Number) value).doubleValue();
            unsayable |= !Double.isFinite(number);
            // Math.min and max know that -0.0 is below 0.0
            min = Math.min(min, number);
            max = Math.max(max, number);
        }

        @Override
        public Optional<Range> range() {
            if (unsayable || !(min <= max)) {
                return Optional.empty();
            }
            // some readers keep the zeros apart, some don't: the range holds both
            return Optional.of(new Range(node(min == 0 ? -0.0 : min), node(max == 0 ? 0.0 : max)));
        }

        private JsonNode node(double bound) {
            return single ? FloatNode.valueOf((float) bound) : DoubleNode.valueOf(bound);
        }
    }

    /** Exact decimals. */
    final class OfDecimals implements ColumnBounds {
        private @Nullable BigDecimal min;
        private @Nullable BigDecimal max;

        @Override
        public void add(Object value) {
            BigDecimal number = (BigDecimal) value;
            min = min == null ? number : min.min(number);
            max = max == null ? number : max.max(number);
        }

        @Override
        public Optional<Range> range() {
            return min == null || max == null
                    ? Optional.empty()
                    : Optional.of(new Range(DecimalNode.valueOf(min), DecimalNode.valueOf(max)));
        }
    }

    /** Days; years outside 1 to 9999 can't be said. */
    final class OfDates implements ColumnBounds {
        private static final long FIRST = LocalDate.of(1, 1, 1).toEpochDay();
        private static final long LAST = LocalDate.of(9999, 12, 31).toEpochDay();

        private final OfIntegers days = new OfIntegers();

        @Override
        public void add(Object value) {
            days.add(value);
        }

        @Override
        public Optional<Range> range() {
            if (days.min > days.max || days.min < FIRST || days.max > LAST) {
                return Optional.empty();
            }
            return Optional.of(new Range(text(days.min), text(days.max)));
        }

        private static JsonNode text(long day) {
            return TextNode.valueOf(LocalDate.ofEpochDay(day).toString());
        }
    }

    /**
     * Points in time or on a wall clock. Statistics have milliseconds: the minimum is rounded down and the maximum up, not
     * cut as Spark does, because not every reader adds the lost millisecond again. Years outside 1 to 9999 can't be said.
     */
    final class OfTimestamps implements ColumnBounds {
        private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
        private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

        private final OfIntegers micros = new OfIntegers();
        private final DateTimeFormatter format;

        OfTimestamps(String pattern) {
            this.format = DateTimeFormatter.ofPattern(pattern.replace("yyyy", "uuuu"));
        }

        @Override
        public void add(Object value) {
            micros.add(value);
        }

        @Override
        public Optional<Range> range() {
            if (micros.min > micros.max) {
                return Optional.empty();
            }
            Instant min = Instant.EPOCH.plusMillis(Math.floorDiv(micros.min, 1000L));
            Instant max = Instant.EPOCH.plusMillis(-Math.floorDiv(-micros.max, 1000L));
            if (micros.min == Long.MIN_VALUE || min.isBefore(FIRST) || max.isAfter(LAST)) {
                return Optional.empty();
            }
            return Optional.of(new Range(text(min), text(max)));
        }

        private JsonNode text(Instant bound) {
            LocalDateTime utc = LocalDateTime.ofInstant(bound, ZoneOffset.UTC).truncatedTo(ChronoUnit.MILLIS);
            return TextNode.valueOf(format.format(utc));
        }
    }

    /** Texts in the order of their UTF-8 bytes, which is that of code points and not that of {@code String}. */
    final class OfStrings implements ColumnBounds {
        /** As Spark: longer bounds are cut. */
        private static final int MAX_CODE_POINTS = 32;

        private @Nullable String min;
        private @Nullable String max;

        @Override
        public void add(Object value) {
            String text = (String) value;
            if (min == null || compare(text, min) < 0) {
                min = text;
            }
            if (max == null || compare(text, max) > 0) {
                max = text;
            }
        }

        @Override
        public Optional<Range> range() {
            if (min == null || max == null) {
                return Optional.empty();
            }
            String start = prefix(min);
            return above(max).map(end -> new Range(TextNode.valueOf(start), TextNode.valueOf(end)));
        }

        private static String prefix(String text) {
            return text.codePointCount(0, text.length()) <= MAX_CODE_POINTS
                    ? text
                    : text.substring(0, text.offsetByCodePoints(0, MAX_CODE_POINTS));
        }

        /** The text itself if it is short, else a short one that sorts after everything with its prefix. */
        private static Optional<String> above(String text) {
            String prefix = prefix(text);
            if (prefix.length() == text.length()) {
                return Optional.of(text);
            }
            int[] points = prefix.codePoints().toArray();
            for (int last = points.length - 1; last >= 0; last--) {
                if (points[last] < Character.MAX_CODE_POINT) {
                    int next = points[last] + 1;
                    points[last] = next == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : next;
                    return Optional.of(new String(points, 0, last + 1));
                }
            }
            return Optional.empty();
        }

        private static int compare(String a, String b) {
            int common = Math.min(a.length(), b.length());
            for (int i = 0; i < common; i++) {
                char x = a.charAt(i);
                char y = b.charAt(i);
                if (x != y) {
                    boolean aboveBmp = Character.isSurrogate(x);
                    return aboveBmp == Character.isSurrogate(y) ? Character.compare(x, y) : aboveBmp ? 1 : -1;
                }
            }
            return Integer.compare(a.length(), b.length());
        }
    }
}

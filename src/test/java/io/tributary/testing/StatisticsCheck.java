package io.tributary.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DateType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.FloatType;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.ShortType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampNTZType;
import io.delta.kernel.types.TimestampType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares a file's statistics with its rows, the way that the strictest reader would. */
public final class StatisticsCheck {

    private StatisticsCheck() {}

    /** Fails if some row lies outside the bounds of a column, or if nulls are miscounted. */
    public static void assertNothingHidden(
            Path file, StructType schema, JsonNode statistics, List<Map<String, @Nullable Object>> rows) {
        for (Iterator<String> names = statistics.get("nullCount").fieldNames(); names.hasNext(); ) {
            String name = names.next();
            long nulls = rows.stream().filter(row -> row.get(name) == null).count();
            assertThat(statistics.get("nullCount").get(name).longValue())
                    .as("nullCount of %s in %s", name, file)
                    .isEqualTo(nulls);
        }
        for (String side : List.of("minValues", "maxValues")) {
            for (Iterator<String> names = statistics.get(side).fieldNames(); names.hasNext(); ) {
                String name = names.next();
                JsonNode bound = statistics.get(side).get(name);
                DataType type = schema.get(name).getDataType();
                for (Map<String, @Nullable Object> row : rows) {
                    Object value = row.get(name);
                    if (value != null) {
                        int order = compare(type, value, bound);
                        assertThat(side.equals("minValues") ? order >= 0 : order <= 0)
                                .as("%s of %s in %s, %s, holds %s", side, name, file, bound, value)
                                .isTrue();
                    }
                }
            }
        }
    }

    private static int compare(DataType type, Object value, JsonNode bound) {
        if (type instanceof ShortType || type instanceof IntegerType || type instanceof LongType) {
            return Long.compare(((Number) value).longValue(), Long.parseLong(bound.asText()));
        } else if (type instanceof FloatType) {
            // + 0 makes one zero of two
            return Float.compare((Float) value + 0f, bound.floatValue() + 0f);
        } else if (type instanceof DoubleType) {
            return Double.compare((Double) value + 0d, bound.doubleValue() + 0d);
        } else if (type instanceof DecimalType) {
            return ((BigDecimal) value).compareTo(bound.decimalValue());
        } else if (type instanceof DateType) {
            return Long.compare(
                    (Integer) value, LocalDate.parse(bound.textValue()).toEpochDay());
        } else if (type instanceof TimestampType) {
            return Long.compare((Long) value, micros(Instant.parse(bound.textValue())));
        } else if (type instanceof TimestampNTZType) {
            return Long.compare(
                    (Long) value, micros(LocalDateTime.parse(bound.textValue()).toInstant(ZoneOffset.UTC)));
        } else if (type instanceof StringType) {
            return Arrays.compareUnsigned(
                    ((String) value).getBytes(StandardCharsets.UTF_8),
                    bound.textValue().getBytes(StandardCharsets.UTF_8));
        }
        throw new AssertionError("no statistics are kept of " + type);
    }

    private static long micros(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
    }
}

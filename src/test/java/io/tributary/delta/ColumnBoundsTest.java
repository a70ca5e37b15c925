package io.tributary.delta;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Simple;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bounds computed by hand. */
class ColumnBoundsTest {

    private static final String TOP = "\uDBFF\uDFFF";

    @Test
    void wholeNumbersAreExact() {
        assertThat(range(Simple.BIGINT, Long.MAX_VALUE, Long.MIN_VALUE, 0L))
                .containsExactly("-9223372036854775808", "9223372036854775807");
        assertThat(range(Simple.SMALLINT, (short) -3, (short) 5)).containsExactly("-3", "5");
    }

    @Test
    void noValueMeansNoBounds() {
        assertThat(range(Simple.BIGINT)).isEmpty();
        assertThat(range(Simple.STRING)).isEmpty();
        assertThat(range(Simple.DOUBLE)).isEmpty();
        assertThat(range(Simple.DATE)).isEmpty();
        assertThat(range(Simple.TIMESTAMP)).isEmpty();
        assertThat(range(new ColumnType.Decimal(5, 2))).isEmpty();
    }

    @Test
    void decimalsKeepTheirDigits() {
        assertThat(range(
                        new ColumnType.Decimal(38, 10),
                        new BigDecimal("-9999999999999999999999999999.9999999999"),
                        new BigDecimal("0E-10")))
                .containsExactly("-9999999999999999999999999999.9999999999", "0E-10");
    }

    @Test
    void zerosAreNotKeptApart() {
        assertThat(range(Simple.DOUBLE, 0d)).containsExactly("-0.0", "0.0");
        assertThat(range(Simple.FLOAT, -0f)).containsExactly("-0.0", "0.0");
        assertThat(range(Simple.FLOAT, 0.1f, 3e38f)).containsExactly("0.1", "3.0E38");
    }

    @Test
    void nanAndInfinityAreNotSaid() {
        assertThat(range(Simple.DOUBLE, 1d, Double.NaN)).isEmpty();
        assertThat(range(Simple.FLOAT, Float.NaN)).isEmpty();
        assertThat(range(Simple.DOUBLE, 1d, Double.POSITIVE_INFINITY)).isEmpty();
        assertThat(range(Simple.DOUBLE, 1d, Double.NEGATIVE_INFINITY)).isEmpty();
    }

    @Test
    void yearsOutsideOneTo9999AreNotSaid() {
        int first = (int) LocalDate.of(1, 1, 1).toEpochDay();
        int last = (int) LocalDate.of(9999, 12, 31).toEpochDay();
        assertThat(range(Simple.DATE, first, last)).containsExactly("0001-01-01", "9999-12-31");
        assertThat(range(Simple.DATE, first - 1, 0)).isEmpty();
        assertThat(range(Simple.DATE, 0, last + 1)).isEmpty();
    }

    @Test
    void timestampsAreRoundedOutwards() {
        // 2023-11-14T22:13:20.123456Z
        assertThat(range(Simple.TIMESTAMP, 1_700_000_000_123_456L))
                .containsExactly("2023-11-14T22:13:20.123Z", "2023-11-14T22:13:20.124Z");
        assertThat(range(Simple.TIMESTAMP_NTZ, 1_700_000_000_000_000L))
                .containsExactly("2023-11-14T22:13:20.000", "2023-11-14T22:13:20.000");
        assertThat(range(Simple.TIMESTAMP, -1L))
                .containsExactly("1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z");
        // 9999-12-31T23:59:59.999001Z would be rounded to the year 10000
        assertThat(range(Simple.TIMESTAMP, 253_402_300_799_999_001L)).isEmpty();
        assertThat(range(Simple.TIMESTAMP, 253_402_300_799_999_000L))
                .containsExactly("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z");
        assertThat(range(Simple.TIMESTAMP, Long.MIN_VALUE)).isEmpty();
        assertThat(range(Simple.TIMESTAMP, Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void longTextsAreCutAndTheMaximumIsRaised() {
        assertThat(range(Simple.STRING, "x".repeat(32))).containsExactly("x".repeat(32), "x".repeat(32));
        assertThat(range(Simple.STRING, "x".repeat(33))).containsExactly("x".repeat(32), "x".repeat(31) + "y");
    }

    @Test
    void textsAreOrderedByCodePointAndCutBetweenThem() {
        // in UTF-16 order the emoji would come before U+FFFD
        assertThat(range(Simple.STRING, "\uFFFD", "\uD83D\uDE00")).containsExactly("\uFFFD", "\uD83D\uDE00");
        String emojis = "\uD83D\uDE00".repeat(40);
        assertThat(range(Simple.STRING, emojis))
                .containsExactly("\uD83D\uDE00".repeat(32), "\uD83D\uDE00".repeat(31) + "\uD83D\uDE01");
        // the code point after U+D7FF that is no surrogate
        assertThat(range(Simple.STRING, "\uD7FF".repeat(33)))
                .containsExactly("\uD7FF".repeat(32), "\uD7FF".repeat(31) + "\uE000");
    }

    @Test
    void whatNothingSortsAfterIsNotSaid() {
        assertThat(range(Simple.STRING, "a" + TOP.repeat(40))).containsExactly("a" + TOP.repeat(31), "b");
        assertThat(range(Simple.STRING, TOP.repeat(33))).isEmpty();
    }

    private static List<String> range(ColumnType type, Object... values) {
        ColumnBounds bounds = ColumnBounds.of(type);
        for (Object value : values) {
            bounds.add(value);
        }
        return bounds.range()
                .map(range -> List.of(text(range.min()), text(range.max())))
                .orElse(List.of());
    }

    private static String text(JsonNode bound) {
        return bound.isTextual() ? bound.textValue() : bound.asText();
    }
}

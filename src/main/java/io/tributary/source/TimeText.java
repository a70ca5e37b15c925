package io.tributary.source;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;

/** Reads and writes PostgreSQL's ISO text forms of dates and times, years before 1 and beyond 9999 included. */
final class TimeText {
    private static final long SECONDS_PER_DAY = 86_400;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final String BEFORE_CHRIST = " BC";

    private final String text;
    private int at;

    private TimeText(String text) {
        this.text = text;
    }

    static boolean isInfinite(String text) {
        return text.equals("infinity") || text.equals("-infinity");
    }

    /** Days since 1970-01-01 of {@code 0044-03-15 BC}. */
    static int epochDay(String text) {
        return Math.toIntExact(new TimeText(text).date());
    }

    /**
     * Microseconds since 1970-01-01T00:00 of {@code 2024-02-29 12:00:00.5+01}; without an offset as if in UTC.
     *
     * @throws ArithmeticException if they don't fit
     */
    static long epochMicros(String text) {
        TimeText reader = new TimeText(text);
        long day = reader.date();
        reader.expect(' ');
        long secondOfDay = reader.secondOfDay();
        long micros = reader.fraction();
        long seconds = day * SECONDS_PER_DAY + secondOfDay - reader.offset();
        return micros(seconds, micros);
    }

    static long epochMicros(Instant instant) {
        return micros(instant.getEpochSecond(), instant.getNano() / 1_000);
    }

    private static long micros(long seconds, long micros) {
        // the lowest second times a million overflows before its fraction is added: count from the next second
        return seconds < 0
                ? Math.addExact(Math.multiplyExact(seconds + 1, MICROS_PER_SECOND), micros - MICROS_PER_SECOND)
                : Math.addExact(Math.multiplyExact(seconds, MICROS_PER_SECOND), micros);
    }

    /** {@code 10:00:00.25+01} in UTC, as PostgreSQL would print it there. */
    static String timeInUtc(String text) {
        TimeText reader = new TimeText(text);
        long second = reader.secondOfDay();
        long micros = reader.fraction();
        long utc = Math.floorMod(second - reader.offset(), SECONDS_PER_DAY);
        return format(LocalTime.ofSecondOfDay(utc).plusNanos(micros * 1_000)) + "+00";
    }

    static String timeInUtc(OffsetTime time) {
        return format(time.withOffsetSameInstant(ZoneOffset.UTC).toLocalTime()) + "+00";
    }

    /** As PostgreSQL prints a timestamp. */
    static String format(Instant instant) {
        var moment = instant.atOffset(ZoneOffset.UTC);
        return format(moment.toLocalDate(), " " + format(moment.toLocalTime()));
    }

    private static String format(LocalDate date, String rest) {
        int year = date.getYear();
        return "%04d-%02d-%02d%s%s"
                .formatted(
                        year > 0 ? year : 1 - year,
                        date.getMonthValue(),
                        date.getDayOfMonth(),
                        rest,
                        year > 0 ? "" : BEFORE_CHRIST);
    }

    private static String format(LocalTime time) {
        String whole = "%02d:%02d:%02d".formatted(time.getHour(), time.getMinute(), time.getSecond());
        int micros = time.getNano() / 1_000;
        if (micros == 0) {
            return whole;
        }
        String fraction = "%06d".formatted(micros);
        int end = fraction.length();
        while (fraction.charAt(end - 1) == '0') {
            end--;
        }
        return whole + "." + fraction.substring(0, end);
    }

    private long date() {
        int year = number();
        expect('-');
        int month = number();
        expect('-');
        int day = number();
        return LocalDate.of(text.endsWith(BEFORE_CHRIST) ? 1 - year : year, month, day)
                .toEpochDay();
    }

    private long secondOfDay() {
        long hour = number();
        expect(':');
        long minute = number();
        expect(':');
        return hour * 3_600 + minute * 60 + number();
    }

    private long fraction() {
        if (at == text.length() || text.charAt(at) != '.') {
            return 0;
        }
        at++;
        int start = at;
        long value = number();
        for (int digits = at - start; digits < 6; digits++) {
            value *= 10;
        }
        return value;
    }

    private long offset() {
        if (at == text.length() || text.charAt(at) == ' ') {
            return 0;
        }
        long sign = text.charAt(at++) == '-' ? -1 : 1;
        long seconds = number() * 3_600L;
        for (long unit = 60; at < text.length() && text.charAt(at) == ':'; unit = 1) {
            at++;
            seconds += number() * unit;
        }
        return sign * seconds;
    }

    private int number() {
        int start = at;
        int value = 0;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            value = value * 10 + (text.charAt(at++) - '0');
        }
        if (at == start) {
            throw new IllegalArgumentException("no digit at " + at + " of a date or time");
        }
        return value;
    }

    private void expect(char c) {
        if (at >= text.length() || text.charAt(at++) != c) {
            throw new IllegalArgumentException("no '" + c + "' at " + (at - 1) + " of a date or time");
        }
    }
}

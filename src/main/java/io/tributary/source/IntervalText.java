package io.tributary.source;

import org.postgresql.util.PGInterval;

/** PostgreSQL intervals in ISO 8601; months, days and seconds stay apart, because none is a fixed number of another. */
final class IntervalText {
    private IntervalText() {}

    static String iso(PGInterval interval) {
        StringBuilder text = new StringBuilder("P");
        append(text, interval.getYears(), 'Y');
        append(text, interval.getMonths(), 'M');
        append(text, interval.getDays(), 'D');
        int date = text.length();
        text.append('T');
        append(text, interval.getHours(), 'H');
        append(text, interval.getMinutes(), 'M');
        seconds(text, interval.getWholeSeconds(), interval.getMicroSeconds());
        if (text.length() == date + 1) {
            text.setLength(date);
        }
        return text.length() == 1 ? "PT0S" : text.toString();
    }

    private static void append(StringBuilder text, int amount, char unit) {
        if (amount != 0) {
            text.append(amount).append(unit);
        }
    }

    private static void seconds(StringBuilder text, int whole, int micros) {
        if (whole == 0 && micros == 0) {
            return;
        }
        if (whole < 0 || micros < 0) {
            text.append('-');
        }
        text.append(Math.abs(whole));
        if (micros != 0) {
            String fraction = "%06d".formatted(Math.abs(micros));
            int end = fraction.length();
            while (fraction.charAt(end - 1) == '0') {
                end--;
            }
            text.append('.').append(fraction, 0, end);
        }
        text.append('S');
    }
}

package io.tributary.source;

/** PostgreSQL's spelling of a place in the WAL: two hexadecimal halves, such as {@code 16/B374D848}. */
final class Lsn {
    private Lsn() {}

    static long parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 1 || slash == text.length() - 1) {
            throw new IllegalArgumentException("not an LSN: " + text);
        }
        try {
            long high = Integer.parseUnsignedInt(text, 0, slash, 16);
            long low = Integer.toUnsignedLong(Integer.parseUnsignedInt(text, slash + 1, text.length(), 16));
            return (high << 32) | low;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not an LSN: " + text, e);
        }
    }
}

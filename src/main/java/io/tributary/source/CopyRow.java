package io.tributary.source;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads one row of PostgreSQL's COPY text format: tabs between values, {@code \N} for null, backslash escapes. */
final class CopyRow {
    private final byte[] line;
    private int at;

    private CopyRow(byte[] line) {
        this.line = line;
    }

    /** The values of a row, in order, as the types' output functions print them. */
    static @Nullable String[] parse(byte[] line, int columns) {
        CopyRow row = new CopyRow(line);
        @Nullable String[] values = new @Nullable String[columns];
        for (int i = 0; i < columns; i++) {
            values[i] = row.next();
        }
        return values;
    }

    private @Nullable String next() {
        int start = at;
        boolean escaped = false;
        while (at < line.length && line[at] != '\t' && line[at] != '\n') {
            escaped |= line[at] == '\\';
            at++;
        }
        int end = at++;
        if (!escaped) {
            return new String(line, start, end - start, StandardCharsets.UTF_8);
        }
        if (end - start == 2 && line[start] == '\\' && line[start + 1] == 'N') {
            return null;
        }
        return unescaped(start, end);
    }

    private String unescaped(int start, int end) {
        byte[] value = new byte[end - start];
        int length = 0;
        for (int i = start; i < end; i++) {
            byte b = line[i];
            if (b == '\\') {
                i++;
                b = escape(line[i]);
            }
            value[length++] = b;
        }
        return new String(value, 0, length, StandardCharsets.UTF_8);
    }

    /** COPY writes these six as letters and every other special character as itself. */
    private static byte escape(byte letter) {
        return (byte)
                switch (letter) {
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 't' -> '\t';
                    case 'v' -> 0x0b;
                    default -> letter;
                };
    }
}

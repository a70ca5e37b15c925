package io.tributary.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads PostgreSQL's text form of an array, such as {@code {1,NULL,"a b"}}. */
final class ArrayText {
    private final String text;
    private final char delimiter;
    private int at = 1;

    private ArrayText(String text, char delimiter) {
        this.text = text;
        this.delimiter = delimiter;
    }

    /** The elements of a one-dimensional array with lower bound 1; empty for any other shape. */
    static Optional<List<@Nullable String>> elements(String text, char delimiter) {
        if (text.length() < 2 || text.charAt(0) != '{' || text.charAt(1) == '{') {
            return Optional.empty();
        }
        return Optional.of(new ArrayText(text, delimiter).read());
    }

    private List<@Nullable String> read() {
        List<@Nullable String> elements = new ArrayList<>();
        if (text.charAt(at) == '}') {
            return elements;
        }
        while (true) {
            elements.add(text.charAt(at) == '"' ? quoted() : plain());
            char end = text.charAt(at++);
            if (end == '}') {
                return elements;
            }
            if (end != delimiter) {
                throw new IllegalArgumentException("an array text with '" + end + "' at " + (at - 1));
            }
        }
    }

    private String quoted() {
        StringBuilder value = new StringBuilder();
        at++;
        while (text.charAt(at) != '"') {
            if (text.charAt(at) == '\\') {
                at++;
            }
            value.append(text.charAt(at++));
        }
        at++;
        return value.toString();
    }

    private @Nullable String plain() {
        int start = at;
        boolean escaped = false;
        while (text.charAt(at) != delimiter && text.charAt(at) != '}') {
            if (text.charAt(at) == '\\') {
                escaped = true;
                at++;
            }
            at++;
        }
        String value = text.substring(start, at);
        if (escaped) {
            return value.replaceAll("\\\\(.)", "$1");
        }
        return value.equalsIgnoreCase("NULL") ? null : value;
    }
}

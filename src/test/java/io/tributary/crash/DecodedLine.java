package io.tributary.crash;

import io.tributary.crash.SourceChange.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line of {@code test_decoding}, read into the changes that bronze must show for it. */
final class DecodedLine {
    private static final Pattern TRUNCATE = Pattern.compile("table (.+): TRUNCATE: .*");
    private static final Pattern ROW =
            Pattern.compile("table shop\\.(\\w+): (INSERT|UPDATE|DELETE): (.*)", Pattern.DOTALL);
    private static final Pattern COLUMN = Pattern.compile("(\\w+)\\[([^]]+)]:");
    private static final String OLD_KEY = "old-key: ";
    private static final String NEW_TUPLE = "new-tuple: ";
    private static final String UNCHANGED = "unchanged-toast-datum";

    private final String text;
    private int position;

    private DecodedLine(String text) {
        this.text = text;
    }

    /**
     * Reads a line; nothing for a line that is about no row.
     *
     * @param keyless tables without a primary key: an update of theirs is never a delete and an insert
     */
    static List<SourceChange> read(String line, Set<String> keyless) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
            return rowChange(row.group(1), row.group(2), new DecodedLine(row.group(3)), keyless);
        }
        Matcher truncate = TRUNCATE.matcher(line);
        List<SourceChange> changes = new ArrayList<>();
        if (truncate.matches()) {
            for (String table : truncate.group(1).split(", ", -1)) {
                changes.add(new SourceChange(table.substring(table.indexOf('.') + 1), "t", List.of()));
            }
        }
        return changes;
    }

    private static List<SourceChange> rowChange(String table, String verb, DecodedLine rest, Set<String> keyless) {
        switch (verb) {
            case "INSERT" -> {
                return List.of(new SourceChange(table, "c", rest.tuple()));
            }
            case "DELETE" -> {
                return List.of(new SourceChange(table, "d", rest.tuple()));
            }
            default -> {
                if (!rest.skip(OLD_KEY)) {
                    return List.of(new SourceChange(table, "u", rest.tuple()));
                }
                List<Value> old = rest.tuple();
                if (!rest.skip(NEW_TUPLE)) {
                    throw new IllegalArgumentException("an old key without a new tuple: " + rest.text);
                }
                List<Value> updated = rest.tuple();
                return keyless.contains(table)
                        ? List.of(new SourceChange(table, "u", updated))
                        : List.of(new SourceChange(table, "d", old), new SourceChange(table, "c", updated));
            }
        }
    }

    private List<Value> tuple() {
        List<Value> values = new ArrayList<>();
        Matcher column = COLUMN.matcher(text);
        while (column.find(position) && column.start() == position) {
            position = column.end();
            String name = column.group(1);
            String kind = ColumnKind.ofSource(column.group(2)).column(name);
            if (skip(UNCHANGED)) {
                values.add(Value.unchanged(name));
            } else if (!skip("null")) {
                values.add(Value.of(kind, value()));
            }
            skip(" ");
        }
        return values;
    }

    private boolean skip(String expected) {
        if (text.startsWith(expected, position)) {
            position += expected.length();
            return true;
        }
        return false;
    }

    private String value() {
        if (!skip("'")) {
            int end = text.indexOf(' ', position);
            String plain = text.substring(position, end < 0 ? text.length() : end);
            position += plain.length();
            return plain;
        }
        StringBuilder value = new StringBuilder();
        while (true) {
            int quote = text.indexOf('\'', position);
            value.append(text, position, quote);
            position = quote + 1;
            if (!skip("'")) {
                return value.toString();
            }
            value.append('\'');
        }
    }
}

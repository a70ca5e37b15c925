package io.tributary.source;

import io.tributary.event.TableId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One entry of {@code tributary.source.tables}: {@code schema.table}, where {@code *} stands for any characters and
 * {@code ?} for one. Case counts, as it does in the catalog. The first dot parts schema and table.
 */
record TablePattern(String text, Pattern schema, Pattern table) {

    TablePattern {
        Objects.requireNonNull(text);
    }

    static TablePattern parse(String entry) {
        String text = entry.strip();
        int dot = text.indexOf('.');
        if (dot < 1 || dot == text.length() - 1) {
            throw new SourceConfigurationException(
                    "tributary.source.tables has the entry '" + text + "', which is not of the form schema.table");
        }
        return new TablePattern(text, glob(text.substring(0, dot)), glob(text.substring(dot + 1)));
    }

    private static Pattern glob(String text) {
        return Pattern.compile(
                text.codePoints()
                        .mapToObj(c -> switch (c) {
                            case '*' -> ".*";
                            case '?' -> ".";
                            default -> Pattern.quote(Character.toString(c));
                        })
                        .collect(Collectors.joining()),
                Pattern.DOTALL);
    }

    boolean matches(TableId candidate) {
        return schema.matcher(candidate.schema()).matches()
                && table.matcher(candidate.table()).matches();
    }

    /**
     * The tables that the entries select.
     *
     * @throws SourceConfigurationException if there is no entry, or one selects nothing
     */
    static TreeSet<TableId> select(List<TablePattern> patterns, Collection<TableId> candidates) {
        if (patterns.isEmpty()) {
            throw new SourceConfigurationException(
                    "tributary.source.tables is empty; list the tables to capture, such as shop.orders or shop.*");
        }
        TreeSet<TableId> selected = new TreeSet<>();
        for (TablePattern pattern : patterns) {
            List<TableId> matched = candidates.stream().filter(pattern::matches).toList();
            if (matched.isEmpty()) {
                throw new SourceConfigurationException("tributary.source.tables has the entry '" + pattern.text
                        + "', which matches no table that the user can see" + pattern.nearest(candidates));
            }
            selected.addAll(matched);
        }
        return selected;
    }

    private String nearest(Collection<TableId> candidates) {
        String near = candidates.stream()
                .map(TableId::toString)
                .sorted(Comparator.comparingInt(name -> distance(name, text)))
                .limit(3)
                .collect(Collectors.joining(", "));
        return near.isEmpty() ? "; there is no table at all" : "; near names are " + near;
    }

    /** Edits between two names; changes of case count less, because they are the most common mistake. */
    private static int distance(String a, String b) {
        int[] costs = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            costs[j] = 2 * j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = costs[0];
            costs[0] = 2 * i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + difference(a.charAt(i - 1), b.charAt(j - 1));
                diagonal = costs[j];
                costs[j] = Math.min(replaced, 2 + Math.min(costs[j], costs[j - 1]));
            }
        }
        return costs[b.length()];
    }

    private static int difference(char a, char b) {
        if (a == b) {
            return 0;
        }
        return Character.toLowerCase(a) == Character.toLowerCase(b) ? 1 : 2;
    }
}

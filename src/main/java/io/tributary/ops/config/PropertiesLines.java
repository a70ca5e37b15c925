package io.tributary.ops.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The lines on which a properties file sets its keys; {@link Properties} itself forgets them. */
final class PropertiesLines {
    private final Map<String, List<Integer>> linesByKey = new LinkedHashMap<>();

    static PropertiesLines read(Path file) throws IOException {
        return new PropertiesLines(Files.readString(file, StandardCharsets.UTF_8));
    }

    PropertiesLines(String text) throws IOException {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            int first = i;
            StringBuilder logical = new StringBuilder(lines.get(i));
            if (isComment(logical)) {
                continue;
            }
            while (endsWithContinuation(logical) && i + 1 < lines.size()) {
                logical.append('\n').append(lines.get(++i));
            }
            for (String key : keys(logical.toString())) {
                linesByKey.computeIfAbsent(key, any -> new ArrayList<>()).add(first + 1);
            }
        }
    }

    private static boolean isComment(CharSequence line) {
        String text = line.toString().strip();
        return text.isEmpty() || text.startsWith("#") || text.startsWith("!");
    }

    private static boolean endsWithContinuation(StringBuilder line) {
        int backslashes = 0;
        for (int i = line.length() - 1; i >= 0 && line.charAt(i) == '\\'; i--) {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }

    /** The JDK's own reading of one logical line, so that escapes and separators mean what they will mean. */
    private static Iterable<String> keys(String logicalLine) throws IOException {
        Properties one = new Properties();
        try {
            one.load(new StringReader(logicalLine));
        } catch (IllegalArgumentException e) {
            throw new IOException("malformed \\u escape", e);
        }
        return one.stringPropertyNames();
    }

    /** Lines on which the key is set, from 1; none if it isn't. */
    List<Integer> of(String key) {
        return linesByKey.getOrDefault(key, List.of());
    }

    Map<String, List<Integer>> all() {
        return linesByKey;
    }
}

package io.tributary.delta;

import io.tributary.event.TableId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where in the lake a table's folder is: the template {@code tributary.lake.table-path} with names made safe.
 *
 * <p>A name keeps its ASCII letters, digits, {@code _}, {@code -} and {@code .}; every other byte of its UTF-8 form, and a
 * leading {@code _} or {@code .} (readers take such folders for hidden ones), becomes {@code ~} and two hexadecimal
 * digits. {@code ~} itself is always escaped, so two names never meet. Not {@code %}: half of the tools decode it in
 * paths, the other half doesn't.
 */
final class TablePaths {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^}]*)}");

    private final String template;
    private final String source;

    TablePaths(String template, String source) {
        this.template = template;
        this.source = source;
        requireOneNamePerFolder();
    }

    /** The folder of a table, relative to the lake's root. */
    String of(TableId table) {
        return template.replace("{source}", escaped(source))
                .replace("{schema}", escaped(table.schema()))
                .replace("{table}", escaped(table.table()));
    }

    private static String escaped(String name) {
        StringBuilder safe = new StringBuilder(name.length());
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xFF);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
            if (plain || (i > 0 && (c == '_' || c == '.'))) {
                safe.append(c);
            } else {
                safe.append("~%02X".formatted((int) c));
            }
        }
        return safe.toString();
    }

    private void requireOneNamePerFolder() {
        List<String> names = new ArrayList<>();
        for (String folder : template.split("/", -1)) {
            Matcher placeholder = PLACEHOLDER.matcher(folder);
            int inFolder = 0;
            while (placeholder.find()) {
                names.add(placeholder.group(1));
                inFolder++;
            }
            if (inFolder > 1) {
                throw refused("{schema} and {table} must stand in folders of their own, or names that hold the"
                        + " separator would meet");
            }
            if (folder.isEmpty() || folder.startsWith("_") || folder.startsWith(".")) {
                throw refused("a folder must not be empty nor start with _ or .");
            }
        }
        if (!names.contains("schema") || !names.contains("table")) {
            throw refused("{schema} and {table} must both be in it");
        }
        for (String name : names) {
            if (!List.of("source", "schema", "table").contains(name)) {
                throw refused("{" + name + "} is unknown; there are {source}, {schema} and {table}");
            }
        }
    }

    private LakeConfigurationException refused(String why) {
        return new LakeConfigurationException(
                "tributary.lake.table-path=" + template + ": " + why + ". The default is {schema}/{table}");
    }
}

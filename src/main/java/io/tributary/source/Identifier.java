package io.tributary.source;

import io.tributary.event.TableId;

/** Names as SQL text. */
final class Identifier {
    private Identifier() {}

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String quoted(TableId table) {
        return quoted(table.schema()) + "." + quoted(table.table());
    }

    static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}

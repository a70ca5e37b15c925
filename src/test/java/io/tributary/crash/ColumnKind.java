package io.tributary.crash;

import java.math.BigDecimal;
import java.util.Arrays;

/** The types that the load uses, as the server calls them and as a Delta reader brings them. */
enum ColumnKind {
    INTEGER('i', Integer.class, "integer", "int4"),
    BIGINT('l', Long.class, "bigint", "int8"),
    TEXT('s', String.class, "text", "text"),
    NUMERIC('n', BigDecimal.class, "numeric", "numeric"),
    BOOLEAN('b', Boolean.class, "boolean", "bool");

    private final char letter;
    private final Class<?> bronze;
    private final String source;
    private final String driver;

    ColumnKind(char letter, Class<?> bronze, String source, String driver) {
        this.letter = letter;
        this.bronze = bronze;
        this.source = source;
        this.driver = driver;
    }

    static ColumnKind ofSource(String type) {
        return Arrays.stream(values())
                .filter(kind -> type.equals(kind.source) || type.startsWith(kind.source + "("))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the load has no column of type " + type));
    }

    static ColumnKind ofDriver(String type) {
        return Arrays.stream(values())
                // the driver calls a column whose default is a sequence a serial one
                .filter(kind -> type.replace("bigserial", "int8").equals(kind.driver))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the load has no column of type " + type));
    }

    static ColumnKind ofBronze(Object value) {
        return Arrays.stream(values())
                .filter(kind -> kind.bronze.isInstance(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the load has no column of " + value.getClass()));
    }

    /** How a column of this type is named in a {@link SourceChange}. */
    String column(String name) {
        return name + ":" + letter;
    }
}

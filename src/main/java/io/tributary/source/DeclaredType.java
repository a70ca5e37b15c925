package io.tributary.source;

import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Simple;
import java.util.List;
import java.util.Objects;

/**
 * The declared type of a column, from the catalog or from the stream, and what bronze makes of it. Equal declarations
 * become equal columns on both ways.
 *
 * @param precision digits of a numeric, or length of a bit or character type; 0 when not declared
 * @param scale of a numeric; may be negative or larger than the precision
 */
record DeclaredType(PgType type, int precision, int scale) {
    private static final int MAX_PRECISION = 38;
    /** What pgjdbc reports as the precision of a numeric without one. */
    private static final int UNBOUNDED_NUMERIC = 131_089;

    static final ColumnType POINT = new ColumnType.Struct(
            List.of(new ColumnType.Field("x", Simple.DOUBLE), new ColumnType.Field("y", Simple.DOUBLE)));
    static final ColumnType GEOMETRY = new ColumnType.Struct(
            List.of(new ColumnType.Field("srid", Simple.INT), new ColumnType.Field("wkb", Simple.BINARY)));

    DeclaredType {
        Objects.requireNonNull(type);
    }

    /** From the catalog's {@code atttypmod}; a domain brings its own. */
    static DeclaredType ofModifier(PgType type, int modifier) {
        int effective = type.kind() == PgType.Kind.DOMAIN ? type.modifier() : modifier;
        if (effective < 0) {
            return new DeclaredType(type, 0, 0);
        }
        PgType scalar = scalar(type);
        return switch (scalar.name()) {
            // 16 bits of precision, 11 bits of signed scale, offset by the length of a varlena header
            case "numeric" -> new DeclaredType(type, ((effective - 4) >> 16) & 0xffff, signed((effective - 4) & 0x7ff));
            case "varchar", "bpchar" -> new DeclaredType(type, effective - 4, 0);
            case "bit", "varbit" -> new DeclaredType(type, effective, 0);
            default -> new DeclaredType(type, 0, 0);
        };
    }

    /** From Debezium's column model, which uses pgjdbc's idea of length and scale. */
    static DeclaredType ofLength(PgType type, int length, int scale) {
        PgType scalar = scalar(type);
        boolean declared = length > 0 && length < Integer.MAX_VALUE;
        return switch (scalar.name()) {
            case "numeric" ->
                declared && length != UNBOUNDED_NUMERIC
                        ? new DeclaredType(type, length, signed(scale & 0x7ff))
                        : new DeclaredType(type, 0, 0);
            case "varchar", "bpchar", "bit", "varbit" -> new DeclaredType(type, declared ? length : 0, 0);
            default -> new DeclaredType(type, 0, 0);
        };
    }

    private static PgType scalar(PgType type) {
        PgType root = type.root();
        return root.element().map(PgType::root).orElse(root);
    }

    private static int signed(int elevenBits) {
        return (elevenBits ^ 1024) - 1024;
    }

    /** The declared type of an array's elements. */
    DeclaredType element() {
        PgType element = type.root().element().orElseThrow();
        return element.kind() == PgType.Kind.DOMAIN
                ? ofModifier(element, element.modifier())
                : new DeclaredType(element, precision, scale);
    }

    boolean isArray() {
        return type.root().kind() == PgType.Kind.ARRAY;
    }

    /** As people write it, such as {@code numeric(10,2)}. */
    String text() {
        String name = type.displayName();
        if (type.kind() == PgType.Kind.DOMAIN) {
            return name;
        }
        return switch (scalar(type).name()) {
            case "numeric" -> precision > 0 ? modified(name, "(" + precision + "," + scale + ")") : name;
            case "varchar", "bpchar", "bit", "varbit" -> precision > 0 ? modified(name, "(" + precision + ")") : name;
            default -> name;
        };
    }

    private static String modified(String name, String modifier) {
        return name.endsWith("[]") ? name.substring(0, name.length() - 2) + modifier + "[]" : name + modifier;
    }

    /**
     * The type in bronze.
     *
     * @param moneyScale digits after the point of the database's money
     */
    ColumnType columnType(int moneyScale) {
        if (isArray()) {
            return new ColumnType.Array(element().columnType(moneyScale));
        }
        PgType root = type.root();
        if (root.kind() != PgType.Kind.BASE) {
            return Simple.STRING;
        }
        return switch (root.name()) {
            case "bool" -> Simple.BOOLEAN;
            case "int2" -> Simple.SMALLINT;
            case "int4" -> Simple.INT;
            case "int8", "oid" -> Simple.BIGINT;
            case "float4" -> Simple.FLOAT;
            case "float8" -> Simple.DOUBLE;
            case "numeric" -> numeric();
            case "money" -> new ColumnType.Decimal(19, moneyScale);
            case "bytea" -> Simple.BINARY;
            case "bit" -> precision <= 1 ? Simple.BOOLEAN : Simple.STRING;
            case "date" -> Simple.DATE;
            case "timestamp" -> Simple.TIMESTAMP_NTZ;
            case "timestamptz" -> Simple.TIMESTAMP;
            case "point" -> POINT;
            case "geometry", "geography" -> GEOMETRY;
            case "vector", "halfvec" -> new ColumnType.Array(Simple.FLOAT);
            default -> Simple.STRING;
        };
    }

    private ColumnType numeric() {
        if (precision == 0) {
            return Simple.STRING;
        }
        int digits = scale < 0 ? precision - scale : Math.max(precision, scale);
        return digits > MAX_PRECISION ? Simple.STRING : new ColumnType.Decimal(digits, Math.max(scale, 0));
    }

    /** What bronze can't show of this type's values today; empty when nothing. */
    String loss(int serverMajor) {
        return switch (scalar(type).name()) {
            case "timetz" -> "the offset is lost: values are shown in UTC, and 24:00 as 00:00";
            case "interval" -> serverMajor >= 17 ? "'infinity' can't be told from a zero interval in the stream" : "";
            default -> "";
        };
    }
}

package io.tributary.source;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Looks up types of the database by oid and remembers them. Confined to one thread. */
final class TypeCatalog {
    private static final String TYPE = "SELECT t.typname, t.typtype, t.typelem, t.typbasetype, t.typtypmod, t.typdelim,"
            + " t.typinput = 'pg_catalog.array_in'::regproc FROM pg_catalog.pg_type t WHERE t.oid = ?::oid";

    private final Database database;
    private final Map<Long, PgType> types = new HashMap<>();

    TypeCatalog(Database database) {
        this.database = database;
    }

    /** Empty when the type is not there any more. */
    Optional<PgType> type(long oid) {
        PgType known = types.get(oid);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<PgType> found = database.first("reading type " + oid, TYPE, Row::of, Long.toString(oid))
                .map(this::resolved);
        found.ifPresent(type -> types.put(oid, type));
        return found;
    }

    /** Digits after the point of this database's money. */
    int moneyScale() {
        return database.one(
                "reading lc_monetary", "SELECT pg_catalog.scale('1'::money::numeric)", row -> row.getInt(1));
    }

    private PgType resolved(Row row) {
        if (row.array()) {
            PgType element = type(row.element()).orElseGet(() -> PgType.base("unknown"));
            return new PgType(
                    row.name(), PgType.Kind.ARRAY, Optional.of(element), Optional.empty(), -1, element.delimiter());
        }
        if (row.kind() == 'd') {
            PgType parent = type(row.base()).orElseGet(() -> PgType.base("unknown"));
            int modifier = row.modifier() >= 0 ? row.modifier() : parent.modifier();
            return new PgType(
                    row.name(),
                    PgType.Kind.DOMAIN,
                    Optional.empty(),
                    Optional.of(parent.root()),
                    modifier,
                    row.delimiter());
        }
        PgType.Kind kind = switch (row.kind()) {
            case 'e' -> PgType.Kind.ENUM;
            case 'c' -> PgType.Kind.COMPOSITE;
            case 'r', 'm' -> PgType.Kind.RANGE;
            default -> PgType.Kind.BASE;
        };
        return new PgType(row.name(), kind, Optional.empty(), Optional.empty(), -1, row.delimiter());
    }

    private record Row(String name, char kind, long element, long base, int modifier, char delimiter, boolean array) {
        static Row of(java.sql.ResultSet row) throws java.sql.SQLException {
            return new Row(
                    row.getString(1),
                    row.getString(2).charAt(0),
                    row.getLong(3),
                    row.getLong(4),
                    row.getInt(5),
                    row.getString(6).charAt(0),
                    row.getBoolean(7));
        }
    }
}

package io.tributary.source;

import java.util.Objects;
import java.util.Optional;

/**
 * A type of the database's catalog.
 *
 * @param name as in {@code pg_type}, without its schema
 * @param element what an array holds; empty for every other kind
 * @param base what a domain stands for, itself never a domain; empty for every other kind
 * @param modifier what a domain adds to its base, -1 for nothing
 * @param delimiter between the elements of an array of this type
 */
record PgType(String name, Kind kind, Optional<PgType> element, Optional<PgType> base, int modifier, char delimiter) {

    enum Kind {
        BASE,
        ENUM,
        DOMAIN,
        COMPOSITE,
        ARRAY,
        RANGE
    }

    PgType {
        Objects.requireNonNull(name);
        Objects.requireNonNull(kind);
        if (element.isPresent() != (kind == Kind.ARRAY) || base.isPresent() != (kind == Kind.DOMAIN)) {
            throw new IllegalArgumentException(name + " of kind " + kind + " with " + element + " and " + base);
        }
    }

    static PgType base(String name) {
        return new PgType(name, Kind.BASE, Optional.empty(), Optional.empty(), -1, ',');
    }

    static PgType arrayOf(PgType element) {
        return new PgType(
                "_" + element.name(), Kind.ARRAY, Optional.of(element), Optional.empty(), -1, element.delimiter());
    }

    /** The type whose values it has: a domain's base, else itself. */
    PgType root() {
        return base.orElse(this);
    }

    /** For people: {@code int4[]} rather than {@code _int4}. */
    String displayName() {
        return element.map(e -> e.displayName() + "[]").orElse(name);
    }
}

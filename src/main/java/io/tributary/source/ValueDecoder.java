package io.tributary.source;

import org.jspecify.annotations.Nullable;

/**
 * Turns a value of the source into the Java form of its {@link io.tributary.event.ColumnType}.
 *
 * <p>It takes the text that PostgreSQL prints (from a snapshot) as well as the object that Debezium makes of that text
 * (from the stream), so that both ways end in the same code.
 */
@FunctionalInterface
interface ValueDecoder {

    /** Returns null if the type can't hold the value; then its text was kept in {@code raw}. */
    @Nullable
    Object decode(Object value, RawTexts raw);
}

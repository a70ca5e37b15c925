package io.tributary.source;

import java.sql.Array;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One column's value on its way through Debezium, untouched.
 *
 * <p>Kafka Connect only lets instances of its own few types into a row. Its check of an array looks at the elements, so
 * a list of harmless elements passes with anything beside them. That keeps what the mapping to Connect types would lose: NaN,
 * infinities, an unsent value told apart from every value, a NULL in a column that has become NOT NULL, columns of types
 * that Debezium has no mapping for. It also moves the conversion from Debezium's one busy thread to the consumer's.
 */
final class Cell extends AbstractList<Object> {
    private enum Mark {
        NULL,
        UNCHANGED
    }

    static final Cell NULL = new Cell(Mark.NULL);
    static final Cell UNCHANGED = new Cell(Mark.UNCHANGED);

    private static final int FILLER_LENGTH = 256;
    private static final String FILLER = " ".repeat(FILLER_LENGTH);

    private final Object value;

    Cell(Object value) {
        this.value = value;
    }

    boolean isNull() {
        return value == Mark.NULL;
    }

    /** The source did not send the value, because the update did not change it. */
    boolean isUnchanged() {
        return value == Mark.UNCHANGED;
    }

    /** The object that Debezium made of the value's text. */
    Object value() {
        return value;
    }

    @Override
    public Object get(int index) {
        Objects.checkIndex(index, size());
        return FILLER;
    }

    /** Debezium bounds its queue by the sizes of a row's elements: as many as make up for the value's size. */
    @Override
    public int size() {
        return length() / FILLER_LENGTH;
    }

    private int length() {
        if (value instanceof String text) {
            return text.length();
        }
        if (value instanceof byte[] bytes) {
            return bytes.length;
        }
        return value instanceof Array array ? array.toString().length() : 0;
    }

    /** Debezium compares keys before and after to tell a changed key: by the value, not by the elements. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Cell cell && Objects.deepEquals(comparable(), cell.comparable());
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(new Object[] {comparable()});
    }

    /** The driver's array has no equality of its own; its text is its value. */
    private Object comparable() {
        return value instanceof Array array ? array.toString() : value;
    }

    /** Debezium prints rows for JMX and logs: nothing of a value belongs there. */
    @Override
    public String toString() {
        return "…";
    }
}

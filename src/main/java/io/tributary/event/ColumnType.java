package io.tributary.event;

import java.util.List;
import java.util.Objects;

/**
 * The type of a value on its way to bronze, free of any library's types.
 *
 * <p>Each type has one Java form, which {@link RowImage} holds:
 *
 * <table>
 * <caption>Java form of each type</caption>
 * <tr><td>BOOLEAN</td><td>Boolean</td></tr>
 * <tr><td>SMALLINT, INT, BIGINT</td><td>Short, Integer, Long</td></tr>
 * <tr><td>FLOAT, DOUBLE</td><td>Float, Double</td></tr>
 * <tr><td>STRING</td><td>String</td></tr>
 * <tr><td>BINARY</td><td>byte[]</td></tr>
 * <tr><td>DATE</td><td>Integer, days since 1970-01-01, proleptic Gregorian</td></tr>
 * <tr><td>TIMESTAMP, TIMESTAMP_NTZ</td><td>Long, microseconds since 1970-01-01T00:00 (UTC, or the wall clock)</td></tr>
 * <tr><td>Decimal</td><td>BigDecimal of exactly this scale</td></tr>
 * <tr><td>Array</td><td>Object[] of the element's form, elements may be null</td></tr>
 * <tr><td>Struct</td><td>Object[] in the order of the fields, entries may be null</td></tr>
 * </table>
 */
public sealed interface ColumnType {

    /** A type without parameters. */
    enum Simple implements ColumnType {
        BOOLEAN,
        SMALLINT,
        INT,
        BIGINT,
        FLOAT,
        DOUBLE,
        STRING,
        BINARY,
        DATE,
        TIMESTAMP,
        TIMESTAMP_NTZ
    }

    /** An exact decimal of 1 to 38 digits, as Delta bounds it. */
    record Decimal(int precision, int scale) implements ColumnType {
        public Decimal {
            if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
                throw new IllegalArgumentException("no Delta decimal: (" + precision + "," + scale + ")");
            }
        }
    }

    /** A list whose elements may be null. */
    record Array(ColumnType element) implements ColumnType {
        public Array {
            Objects.requireNonNull(element);
        }
    }

    /** Named fields, each nullable. */
    record Struct(List<Field> fields) implements ColumnType {
        public Struct {
            fields = List.copyOf(fields);
        }
    }

    /** One field of a {@link Struct}. */
    record Field(String name, ColumnType type) {
        public Field {
            Objects.requireNonNull(name);
            Objects.requireNonNull(type);
        }
    }
}

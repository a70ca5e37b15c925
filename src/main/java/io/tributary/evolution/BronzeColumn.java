package io.tributary.evolution;

import io.tributary.event.ColumnType;
import java.util.Objects;

/**
 * A data column of a bronze table and the source column that fills it.
 *
 * @param name in the bronze table: the source's name, or the documented safe one
 * @param sourceName as the source spells it
 * @param sourceType the declared type when the column was made, for people
 * @param key whether it was part of the row's key when the column was made
 */
public record BronzeColumn(String name, ColumnType type, String sourceName, String sourceType, boolean key) {
    public BronzeColumn {
        Objects.requireNonNull(name);
        Objects.requireNonNull(type);
        Objects.requireNonNull(sourceName);
        Objects.requireNonNull(sourceType);
    }
}

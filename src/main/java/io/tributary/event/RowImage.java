package io.tributary.event;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values of one row, aligned with the columns of its {@link TableSchema}.
 *
 * <p>Not a record: equality of rows is never asked for, and the array is handed over without a copy because this is
 * the per-row path. Nobody may change it afterwards.
 */
public final class RowImage {

    /** What the source columns hold. */
    public enum Extent {
        /** Every column was sent. */
        FULL("full"),
        /** The columns that {@link RowImage#unchanged()} names were not sent. */
        PARTIAL("partial"),
        /** Only the key was sent. */
        KEY("key");

        private final String code;

        Extent(String code) {
            this.code = code;
        }

        /** The text in {@code _cdc_image}. */
        public String code() {
            return code;
        }
    }

    private final @Nullable Object[] values;
    private final Extent extent;
    private final List<String> unchanged;
    private final List<RawValue> raw;

    /**
     * @param values one per column in the forms of {@link ColumnType}; ownership passes to this image
     * @param unchanged source columns that were not sent; empty unless {@code PARTIAL}
     * @param raw original texts of values that stand as null because their type can't hold them
     */
    public RowImage(@Nullable Object[] values, Extent extent, List<String> unchanged, List<RawValue> raw) {
        this.values = Objects.requireNonNull(values);
        this.extent = Objects.requireNonNull(extent);
        this.unchanged = List.copyOf(unchanged);
        this.raw = List.copyOf(raw);
        if (unchanged.isEmpty() == (extent == Extent.PARTIAL)) {
            throw new IllegalArgumentException("an image is partial exactly when columns were not sent");
        }
    }

    public @Nullable Object value(int column) {
        return values[column];
    }

    public int width() {
        return values.length;
    }

    public Extent extent() {
        return extent;
    }

    public List<String> unchanged() {
        return unchanged;
    }

    public List<RawValue> raw() {
        return raw;
    }
}

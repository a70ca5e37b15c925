package io.tributary.source;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** PostGIS' extended well-known binary: WKB with the spatial reference id inside the outermost header. */
final class ExtendedWkb {
    private static final int HAS_SRID = 0x2000_0000;
    private static final int TYPE_END = 5;
    private static final int SRID_END = 9;

    private ExtendedWkb() {}

    /** The struct (srid, wkb); the srid is null when the value has none. */
    static @Nullable Object[] parse(byte[] extended) {
        ByteBuffer in =
                ByteBuffer.wrap(extended).order(extended[0] == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        int type = in.getInt(1);
        if ((type & HAS_SRID) == 0) {
            return new @Nullable Object[] {null, extended};
        }
        byte[] wkb = new byte[extended.length - (SRID_END - TYPE_END)];
        ByteBuffer.wrap(wkb).order(in.order()).put(extended[0]).putInt(type & ~HAS_SRID);
        System.arraycopy(extended, SRID_END, wkb, TYPE_END, extended.length - SRID_END);
        return new @Nullable Object[] {in.getInt(TYPE_END), wkb};
    }
}

package io.tributary.event;

/** A place in the source's log at which no transaction is half delivered: safe to resume from and to acknowledge. */
public sealed interface SourcePosition {

    /** For people: an LSN, a GTID set. */
    String text();

    /** Whether this place comes later in the log than the other. */
    boolean isAfter(SourcePosition other);

    /**
     * The end of a commit record in PostgreSQL's WAL.
     *
     * @param lsn end LSN of the commit record
     * @param xid the last transaction delivered, 0 before any
     * @param commitTimeMicros its commit time, microseconds since epoch
     */
    record Wal(long lsn, long xid, long commitTimeMicros) implements SourcePosition {
        @Override
        public String text() {
            return formatLsn(lsn);
        }

        @Override
        public boolean isAfter(SourcePosition other) {
            return other instanceof Wal wal && Long.compareUnsigned(lsn, wal.lsn) > 0;
        }

        /** Reads an LSN in PostgreSQL's own spelling. */
        public static long parseLsn(String text) {
            int slash = text.indexOf('/');
            try {
                long high = Integer.parseUnsignedInt(text, 0, slash, 16);
                long low = Integer.toUnsignedLong(Integer.parseUnsignedInt(text, slash + 1, text.length(), 16));
                return (high << 32) | low;
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw new IllegalArgumentException("not an LSN: " + text, e);
            }
        }

        /** An LSN in PostgreSQL's own spelling, such as {@code 16/B374D848}. */
        public static String formatLsn(long lsn) {
            return "%X/%X".formatted(lsn >>> 32, lsn & 0xFFFF_FFFFL);
        }
    }
}

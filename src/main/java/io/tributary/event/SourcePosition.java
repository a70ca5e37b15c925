package io.tributary.event;

/** A place in the source's log at which no transaction is half delivered: safe to resume from and to acknowledge. */
public sealed interface SourcePosition {

    /** For people: an LSN, a GTID set. */
    String text();

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

        /** An LSN in PostgreSQL's own spelling, such as {@code 16/B374D848}. */
        public static String formatLsn(long lsn) {
            return "%X/%X".formatted(lsn >>> 32, lsn & 0xFFFF_FFFFL);
        }
    }
}

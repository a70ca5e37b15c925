package io.tributary.source;

/** What a server of some major version can do, and how it is asked. */
record ServerVersion(int major) {
    /** The first with pgoutput and publications. */
    static final int OLDEST = 10;

    /** Whether TRUNCATE is in the stream. */
    boolean publishesTruncate() {
        return major >= 11;
    }

    /** Whether a partitioned table can be published as one. */
    boolean publishesPartitioned() {
        return major >= 13;
    }

    /** Whether a publication can leave out rows or columns. */
    boolean filtersPublications() {
        return major >= 15;
    }

    /** Whether {@code max_slot_wal_keep_size} exists. */
    boolean boundsSlots() {
        return major >= 13;
    }

    /** Whether logical messages are in the stream; without them every transaction is, also an empty one. */
    boolean streamsMessages() {
        return major >= 14;
    }

    /** Whether standbys can keep a copy of a slot. */
    boolean copiesSlots() {
        return major >= 17;
    }

    /** Whether the server says why it invalidated a slot. */
    boolean explainsInvalidation() {
        return major >= 17;
    }

    /** A slot's {@code wal_status}: before there was a bound, nothing could take its WAL away. */
    String walStatus() {
        return boundsSlots() ? "wal_status" : "CASE WHEN restart_lsn IS NULL THEN 'lost' ELSE 'reserved' END";
    }

    /** A slot's {@code safe_wal_size}. */
    String safeWalSize() {
        return boundsSlots() ? "safe_wal_size" : "NULL::bigint";
    }

    /** Whether column {@code a} is generated. */
    String generated() {
        return major >= 12 ? "a.attgenerated <> ''" : "false";
    }

    /** The number of key columns of index {@code i}, without those that are only included. */
    String keyColumns() {
        return major >= 11 ? "i.indnkeyatts" : "i.indnatts";
    }

    /** The partitions of a table at every level, itself included if it has some; one parameter, a {@code regclass}. */
    String partitions(String table) {
        return major >= 12
                ? "SELECT relid FROM pg_catalog.pg_partition_tree(" + table + "::regclass)"
                : "SELECT " + table + "::regclass";
    }
}

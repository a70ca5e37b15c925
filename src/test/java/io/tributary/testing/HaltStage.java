package io.tributary.testing;

/** The moments at which a storage of a test stops the process, as if the power went. */
public enum HaltStage {
    /** Events were polled; no byte of them is written. */
    BEFORE_STAGING,
    /** A staged Parquet file is half written. */
    PARQUET_HALF_WRITTEN,
    /** Every staged file is there, the intent isn't. */
    BEFORE_INTENT,
    /** The intent is there, no table has it. */
    INTENT_WRITTEN,
    /** One table has its commit, the others of the batch haven't. */
    FIRST_TABLE_COMMITTED,
    /** Every table has its commit; there is no done mark and no acknowledgement. */
    ALL_TABLES_COMMITTED,
    /** The done mark is there; the source may not know yet. */
    DONE_WRITTEN,
    /** The source was told; the next journal object is about to be written. */
    ACKNOWLEDGED,
    /** A commit that changes the table's schema is about to be written. */
    BEFORE_SCHEMA_COMMIT,
    /** A commit that changes the table's schema was written. */
    SCHEMA_COMMITTED,
    /** A Delta checkpoint is half written. */
    CHECKPOINT_HALF_WRITTEN
}

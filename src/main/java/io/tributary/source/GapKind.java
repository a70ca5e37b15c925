package io.tributary.source;

/** Why the source can't go on from where the journal ends. */
public enum GapKind {
    /** The replication slot isn't there. */
    CHANNEL_MISSING,
    /** The server has dropped WAL that the slot needs. */
    CHANNEL_INVALIDATED,
    /** The slot was acknowledged past the stored position: it was made anew, or somebody else read from it. */
    CHANNEL_AHEAD,
    /** The slot is older than its publication, which no server can decode. */
    CHANNEL_UNREADABLE,
    /** The configuration names another slot than the journal. */
    OTHER_CHANNEL,
    /** The server's WAL ends before the stored position: it was restored from a backup. */
    SOURCE_BEHIND,
    /** Another server or database answers. */
    OTHER_SERVER,
    /** The server's history branched off before the stored position. */
    OTHER_TIMELINE,
    /** The server's WAL has other transactions around the stored position: it was restored and has written since. */
    OTHER_HISTORY,
    /** Tables hold batches that no journal knows. */
    JOURNAL_LOST,
    /** A table or its place in the publication was altered, so changes may have gone by unseen. */
    TABLE_ALTERED
}

package io.tributary.source;

import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourceIdentity;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/**
 * One database that is captured. Nothing connects before the first call; every method may throw a
 * {@link SourceException}. Safe for use by several threads.
 */
public interface Source extends AutoCloseable {

    /** Checks everything that capturing needs; never writes. Errors stand in the report, not in an exception. */
    SourceReport inspect();

    /** Which server, database and channel stand behind the configuration now. */
    SourceIdentity identity();

    /** Refuses with {@link SourceGapException} when another database answers than the journal's. */
    void requireSame(SourceIdentity stored);

    /**
     * Refuses with {@link SourceGapException} when another database answers than the journal's, or when it can't deliver
     * everything after the position.
     *
     * @param stored the database that the journal was written for
     * @param position up to here everything is in the lake
     * @return who answers: the journal's database, after a failover on a newer timeline
     */
    SourceIdentity requireContinues(SourceIdentity stored, SourcePosition position);

    /** The channel as it is. */
    ChannelState channel();

    /** Makes the publication list exactly the captured tables, or says which SQL would. */
    void ensurePublication();

    /**
     * For each captured table a text that changes whenever its changes may have gone by unseen: it is another table of the
     * same name, or its place in the publication, or what the publication sends, was altered.
     */
    Map<TableId, String> relations();

    /**
     * Captured tables on which the server refuses the application's UPDATE and DELETE, since they are published and have no
     * replica identity; without those that the configuration calls insert-only.
     */
    SortedSet<TableId> unidentified();

    /** Makes publication and channel; every change that commits after the returned position will be in the stream. */
    SourcePosition createChannel();

    /** Makes the channel anew; what the old one kept, if there is one, is given up. */
    SourcePosition renewChannel();

    /**
     * Removes channel and publication, if they exist.
     *
     * @return the SQL for what somebody else owns and has to remove
     */
    Optional<String> dropChannel();

    /**
     * A run that streams from {@code from} on. It refuses with {@link SourceGapException} when the source can't deliver
     * everything after it.
     *
     * @param snapshots for each table whose snapshot may overlap the stream, what the snapshot shows; changes that it
     *     includes are left out
     */
    CaptureRun stream(SourcePosition from, Map<TableId, SnapshotPoint> snapshots, CaptureListener listener);

    /**
     * A run that reads all rows of these tables in one consistent view and ends by itself. It needs a free replication
     * slot for a moment; the server drops it with the run's connection, whatever happens to this process.
     *
     * @param temporarySlot its name
     */
    CaptureRun snapshot(Set<TableId> tables, String temporarySlot, CaptureListener listener);

    /** What the source says now; short timeouts. */
    SourceStatus status();

    /** Whether another instance of Tributary with this source's name is connected to the database. */
    boolean otherInstancePresent();

    /** Ends the session that reads the channel, if any, and returns when the channel is free. */
    void takeOver();

    /** Writes the empty transactional message whose commit moves an idle channel. */
    void emitIdleMessage();

    @Override
    void close();
}

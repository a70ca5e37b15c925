package io.tributary.source;

import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The channel through which the source keeps changes for us: PostgreSQL's replication slot. */
public sealed interface ChannelState {

    /** There is none. */
    record Absent() implements ChannelState {}

    /**
     * It exists.
     *
     * @param confirmedFlush everything before it was acknowledged
     * @param restart the oldest WAL that it keeps; 0 when that is lost
     * @param activePid the backend that reads it now
     * @param walStatus {@code reserved}, {@code extended}, {@code unreserved} or {@code lost}
     * @param retainedBytes WAL that the server keeps for it
     * @param safeBytes WAL that may still be written before the server may drop what it needs; empty when there is no bound
     */
    record Present(
            long confirmedFlush,
            long restart,
            OptionalInt activePid,
            String walStatus,
            String plugin,
            String database,
            long retainedBytes,
            OptionalLong safeBytes)
            implements ChannelState {
        public Present {
            Objects.requireNonNull(activePid);
            Objects.requireNonNull(walStatus);
            Objects.requireNonNull(plugin);
            Objects.requireNonNull(database);
            Objects.requireNonNull(safeBytes);
        }

        /** Whether the server has dropped WAL that it needs. */
        public boolean lost() {
            return walStatus.equals("lost");
        }

        public boolean active() {
            return activePid.isPresent();
        }
    }
}

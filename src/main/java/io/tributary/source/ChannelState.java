package io.tributary.source;

import java.util.Objects;
import java.util.OptionalInt;

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
     */
    record Present(
            long confirmedFlush,
            long restart,
            OptionalInt activePid,
            String walStatus,
            String plugin,
            String database,
            long retainedBytes)
            implements ChannelState {
        public Present {
            Objects.requireNonNull(activePid);
            Objects.requireNonNull(walStatus);
            Objects.requireNonNull(plugin);
            Objects.requireNonNull(database);
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

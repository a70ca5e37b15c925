package io.tributary.source;

import io.tributary.event.SourceIdentity;
import io.tributary.event.SourcePosition;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Whether the database that answers can go on from where the journal ends: it is the journal's, and its slot still
 * delivers everything after the stored position. The server itself would go on from where the slot is, without a word.
 */
final class Continuity {
    private final Server server;
    private final Channel channel;
    private final WalHistory history;
    private final ConnectionSettings settings;

    Continuity(Server server, Channel channel, WalHistory history, ConnectionSettings settings) {
        this.server = server;
        this.channel = channel;
        this.history = history;
        this.settings = settings;
    }

    /** Refuses another database than the journal's. */
    void requireSame(SourceIdentity stored) {
        requireSame(stored, server.identity(channel.slot()));
    }

    /**
     * Refuses another database than the journal's, and one that can't deliver everything after {@code from}.
     *
     * @return who answers: the journal's database, maybe on a newer timeline
     */
    SourceIdentity require(SourceIdentity stored, SourcePosition.Wal from) {
        SourceIdentity actual = server.identity(channel.slot());
        requireSame(stored, actual);
        if (stored.timeline() != actual.timeline()) {
            requireDescends(stored.timeline(), actual.timeline(), from);
        }
        requireDelivers(from);
        return actual;
    }

    /** A promoted standby goes on from the history of the server before; what it left out of it is gone. */
    private void requireDescends(long stored, long actual, SourcePosition.Wal from) {
        OptionalLong fork = server.history(actual).forkOf(stored);
        String change =
                "the journal belongs to timeline " + stored + ", and a server on timeline " + actual + " answers";
        if (fork.isEmpty()) {
            throw new SourceGapException(
                    GapKind.OTHER_TIMELINE,
                    facts(from, ""),
                    change + ", which doesn't descend from it",
                    "changes before and after the stored position may be others there");
        }
        if (Long.compareUnsigned(from.lsn(), fork.getAsLong()) > 0) {
            throw new SourceGapException(
                    GapKind.OTHER_TIMELINE,
                    facts(from, SourcePosition.Wal.formatLsn(fork.getAsLong())),
                    change
                            + ", which left it before the stored position: it was promoted or restored without the newest"
                            + " changes",
                    "changes that the lake holds are gone there, and others took their place");
        }
    }

    private void requireSame(SourceIdentity stored, SourceIdentity actual) {
        SourceGapException.Facts facts = new SourceGapException.Facts(channel.slot(), "", "");
        if (!stored.kind().equals(actual.kind()) || !stored.server().equals(actual.server())) {
            throw new SourceGapException(
                    GapKind.OTHER_SERVER,
                    facts,
                    "the journal belongs to server " + stored.server() + ", but server " + actual.server()
                            + " answers at " + settings.address(),
                    "nothing that the journal knows can be found there");
        }
        if (!stored.database().equals(actual.database())) {
            throw new SourceGapException(
                    GapKind.OTHER_SERVER,
                    facts,
                    "the journal belongs to database '" + stored.database() + "', but tributary.source.database is '"
                            + actual.database() + "'",
                    "nothing that the journal knows can be found there");
        }
        if (!stored.channel().equals(actual.channel())) {
            throw new SourceGapException(
                    GapKind.OTHER_CHANNEL,
                    facts,
                    "the journal belongs to slot '" + stored.channel() + "', but tributary.source.slot is '"
                            + actual.channel() + "'",
                    "only the journal's slot has what came after the stored position");
        }
    }

    /** Refuses a slot that can't deliver everything after {@code from}. */
    void requireDelivers(SourcePosition.Wal from) {
        if (!(channel.state() instanceof ChannelState.Present slot)) {
            throw gap(GapKind.CHANNEL_MISSING, from, "", "the replication slot does not exist");
        }
        requireUsable(slot, from);
        String flushed = SourcePosition.Wal.formatLsn(slot.confirmedFlush());
        if (Long.compareUnsigned(slot.confirmedFlush(), from.lsn()) > 0) {
            throw gap(
                    GapKind.CHANNEL_AHEAD,
                    from,
                    flushed,
                    "the replication slot was acknowledged past the stored position: it was made anew, somebody else read"
                            + " from it, or this lake is an older copy of the one that was written last");
        }
        long current = channel.currentLsn();
        if (Long.compareUnsigned(from.lsn(), current) > 0) {
            throw gap(
                    GapKind.SOURCE_BEHIND,
                    from,
                    SourcePosition.Wal.formatLsn(current),
                    "the server's WAL ends before the stored position: the database was restored from a backup");
        }
    }

    /**
     * Refuses a slot that can't deliver everything after {@code from}, also one of a server that was restored to an
     * earlier time and has written past {@code from} since. Takes as long as decoding what the slot keeps before it.
     *
     * @param stopped ends a long look early
     */
    void requireReadable(SourcePosition.Wal from, BooleanSupplier stopped) {
        requireDelivers(from);
        channel.awaitFree(Channel.READER_GONE);
        boolean acknowledged =
                channel.state() instanceof ChannelState.Present slot && slot.confirmedFlush() == from.lsn();
        // without a transaction the position is where the slot was made
        if (acknowledged || from.xid() == 0) {
            return;
        }
        if (!history.holds(from, server.release(), stopped)) {
            throw gap(
                    GapKind.OTHER_HISTORY,
                    from,
                    SourcePosition.Wal.formatLsn(channel.currentLsn()),
                    "no commit ends at the stored position in the server's WAL: the database was restored from a backup"
                            + " and has written other changes since");
        }
        channel.awaitFree(Channel.READER_GONE);
    }

    private void requireUsable(ChannelState.Present slot, SourcePosition.Wal from) {
        if (!slot.plugin().equals("pgoutput") || !slot.database().equals(settings.database())) {
            throw new SourceConfigurationException("replication slot " + channel.slot() + " is a " + slot.plugin()
                    + " slot of database '" + slot.database() + "'; set tributary.source.slot to one that is free");
        }
        if (slot.lost()) {
            throw gap(
                    GapKind.CHANNEL_INVALIDATED,
                    from,
                    "",
                    "the replication slot was invalidated" + reason(channel.invalidation())
                            + ", and the server has dropped WAL that it needs");
        }
    }

    private static String reason(String reason) {
        return reason.isEmpty() ? "" : " (" + reason + ")";
    }

    private SourceGapException gap(GapKind kind, SourcePosition.Wal from, String available, String what) {
        return new SourceGapException(kind, facts(from, available), what, "changes after the stored position are gone");
    }

    private SourceGapException.Facts facts(SourcePosition.Wal from, String available) {
        return new SourceGapException.Facts(channel.slot(), from.text(), available);
    }
}

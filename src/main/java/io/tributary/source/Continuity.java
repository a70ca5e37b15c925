package io.tributary.source;

import io.tributary.event.SourceIdentity;
import io.tributary.event.SourcePosition;

/**
 * Whether the database that answers can go on from where the journal ends: it is the journal's, and its slot still
 * delivers everything after the stored position. The server itself would go on from where the slot is, without a word.
 */
final class Continuity {
    private final Server server;
    private final Channel channel;
    private final ConnectionSettings settings;

    Continuity(Server server, Channel channel, ConnectionSettings settings) {
        this.server = server;
        this.channel = channel;
        this.settings = settings;
    }

    /** Refuses another database than the journal's. */
    void requireSame(SourceIdentity stored) {
        SourceIdentity actual = server.identity(channel.slot());
        requireSame(stored, actual);
    }

    /** Refuses another database than the journal's, and one that can't deliver everything after {@code from}. */
    void require(SourceIdentity stored, SourcePosition.Wal from) {
        SourceIdentity actual = server.identity(channel.slot());
        requireSame(stored, actual);
        if (stored.timeline() != actual.timeline()) {
            throw new SourceGapException(
                    GapKind.OTHER_TIMELINE,
                    facts(from, ""),
                    "the journal belongs to timeline " + stored.timeline() + " of the server, and timeline "
                            + actual.timeline() + " answers",
                    "changes after the stored position may be missing there");
        }
        requireDelivers(from);
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
                    "the replication slot was acknowledged past the stored position: it was made anew, or somebody else"
                            + " read from it");
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
                    "the replication slot was invalidated, and the server has dropped WAL that it needs");
        }
    }

    private SourceGapException gap(GapKind kind, SourcePosition.Wal from, String available, String what) {
        return new SourceGapException(kind, facts(from, available), what, "changes after the stored position are gone");
    }

    private SourceGapException.Facts facts(SourcePosition.Wal from, String available) {
        return new SourceGapException.Facts(channel.slot(), from.text(), available);
    }
}

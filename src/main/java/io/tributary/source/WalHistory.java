package io.tributary.source;

import io.tributary.event.SourcePosition;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.replication.PGReplicationStream;
import org.postgresql.replication.fluent.logical.ChainedLogicalStreamBuilder;

/**
 * The log as the slot decodes it, from where it was acknowledged on, read without acknowledging anything.
 *
 * <p>It tells a server that was restored from a cold backup and has written past the stored position since: system id,
 * timeline, slot and WAL's end all look right then, but other transactions stand in the log.
 */
final class WalHistory {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(2);
    private static final int STATUS_SECONDS = 5;
    /** Microseconds from 1970 to PostgreSQL's epoch, 2000-01-01. */
    private static final long EPOCH_MICROS = 946_684_800_000_000L;

    private final ConnectionSettings settings;
    private final Channel channel;
    private final Failures failures;

    /** How a transaction began in the log. */
    private record Begin(long xid, long commitTimeMicros) {}

    WalHistory(ConnectionSettings settings, Channel channel, Failures failures) {
        this.settings = settings;
        this.channel = channel;
        this.failures = failures;
    }

    /**
     * Whether a commit ends exactly at the position, by the stored transaction if that is known to be the one. The
     * position must lie after what the slot was acknowledged for, and nobody may read the slot.
     *
     * @param stopped ends the search early; then the answer is true, since nothing speaks against it
     */
    boolean holds(SourcePosition.Wal position, ServerVersion version, BooleanSupplier stopped) {
        // closed without an orderly end of the stream, which would first read all that the server still has to say
        try (Connection connection = settings.openReplication(Duration.ZERO)) {
            return holds(open(connection, version), position, stopped);
        } catch (SQLException e) {
            throw failures.of("reading slot " + channel.slot(), e);
        }
    }

    private PGReplicationStream open(Connection connection, ServerVersion version) throws SQLException {
        ChainedLogicalStreamBuilder stream = connection
                .unwrap(PGConnection.class)
                .getReplicationAPI()
                .replicationStream()
                .logical()
                .withSlotName(channel.slot())
                .withSlotOption("proto_version", 1)
                .withSlotOption("publication_names", Identifier.quoted(channel.publication()))
                .withStatusInterval(STATUS_SECONDS, TimeUnit.SECONDS)
                // the driver would acknowledge by itself what the server says while it is idle
                .withAutomaticFlush(false);
        return (version.streamsMessages() ? stream.withSlotOption("messages", true) : stream).start();
    }

    private static boolean holds(PGReplicationStream stream, SourcePosition.Wal position, BooleanSupplier stopped)
            throws SQLException {
        Begin begin = new Begin(0, 0);
        while (!stopped.getAsBoolean()) {
            ByteBuffer message = stream.readPending();
            if (message == null) {
                if (Long.compareUnsigned(stream.getLastReceiveLSN().asLong(), position.lsn()) >= 0) {
                    return false;
                }
                LockSupport.parkNanos(LOOK_AGAIN.toNanos());
                continue;
            }
            if (message.get(message.position()) == 'B') {
                begin = begin(message);
                continue;
            }
            Long end = end(message);
            if (end != null && Long.compareUnsigned(end, position.lsn()) >= 0) {
                return end == position.lsn() && agrees(begin, position);
            }
        }
        return true;
    }

    private static Begin begin(ByteBuffer message) {
        int at = message.position();
        return new Begin(Integer.toUnsignedLong(message.getInt(at + 17)), message.getLong(at + 9) + EPOCH_MICROS);
    }

    /** The end of a commit record, or the place of a message that is no part of a transaction. */
    private static @Nullable Long end(ByteBuffer message) {
        int at = message.position();
        return switch (message.get(at)) {
            case 'C' -> message.getLong(at + 10);
            case 'M' -> (message.get(at + 1) & 1) == 0 ? message.getLong(at + 2) : null;
            default -> null;
        };
    }

    /** The same work done again after a restore may end at the same place under the same id, but not at the same time. */
    private static boolean agrees(Begin begin, SourcePosition.Wal position) {
        return begin.xid() != position.xid() || begin.commitTimeMicros() == position.commitTimeMicros();
    }
}

package io.tributary.source;

import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sorts what the database and the engine report into the three kinds of {@link SourceException}. */
final class Failures {
    private final ConnectionSettings settings;
    private final String slot;

    Failures(ConnectionSettings settings, String slot) {
        this.settings = settings;
        this.slot = slot;
    }

    /** @param doing what failed, as the start of a sentence */
    SourceException of(String doing, SQLException failure) {
        return of(doing, failure, "");
    }

    private SourceException of(String doing, SQLException failure, String stored) {
        String state = Optional.ofNullable(failure.getSQLState()).orElse("");
        String message = doing + ": " + firstLine(failure);
        if (causedBy(failure, UnknownHostException.class)) {
            return new SourceUnavailableException(
                    "the host " + settings.host() + " is unknown; set tributary.source.hostname", failure);
        }
        return switch (state) {
            case "28P01", "28000" ->
                new SourceConfigurationException(
                        "the database refuses user " + settings.user() + " at " + settings.address() + " ("
                                + firstLine(failure) + "); set tributary.source.username and tributary.source.password"
                                + " or password-file, or allow the connection in pg_hba.conf",
                        failure);
            case "3D000" ->
                new SourceConfigurationException(
                        "there is no database " + settings.database() + " at " + settings.host() + ":" + settings.port()
                                + "; set tributary.source.database",
                        failure);
            case "08P01" ->
                message.contains("unsupported startup parameter")
                        ? pooler(failure)
                        : ofMessage(message, failure, stored);
            case "42501" ->
                new SourceConfigurationException(
                        message + "; grant user " + settings.user() + " the privilege", failure);
            case "53400" ->
                new SourceConfigurationException(
                        message + "; raise max_replication_slots and restart the server, or drop a slot", failure);
            case "55006" -> new SourceUnavailableException(message, failure);
            case "08001" ->
                new SourceUnavailableException(
                        "nothing answers as a database at " + settings.host() + ":" + settings.port() + " ("
                                + firstLine(failure)
                                + "); set tributary.source.hostname and tributary.source.port",
                        failure);
            default -> ofMessage(message, failure, stored);
        };
    }

    /** What it means that a replication connection can't be had. */
    SourceException ofReplication(SQLException failure) {
        boolean commandUnknown = "42601".equals(failure.getSQLState());
        return commandUnknown ? pooler(failure) : of("opening a replication connection as " + settings.user(), failure);
    }

    private SourceConfigurationException pooler(SQLException failure) {
        return new SourceConfigurationException(
                "a connection pooler answers at " + settings.host() + ":" + settings.port() + " (" + firstLine(failure)
                        + "), which doesn't pass replication on; set tributary.source.hostname and"
                        + " tributary.source.port to the database server itself",
                failure);
    }

    /**
     * What an engine's error means, by the first cause that says something.
     *
     * @param stored the position up to which the engine was acknowledged
     */
    SourceException ofEngine(Throwable failure, String stored) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SourceException known) {
                return known;
            }
            if (cause instanceof SQLException sql) {
                return of("reading slot " + slot, sql, stored);
            }
        }
        return ofMessage("reading slot " + slot + ": " + firstLine(failure), failure, stored);
    }

    private SourceException ofMessage(String message, Throwable failure, String stored) {
        String text = allMessages(failure);
        if (text.contains("publication") && text.contains("does not exist")) {
            return gap(
                    GapKind.CHANNEL_UNREADABLE,
                    stored,
                    message + ", since the slot is older than its publication, and no server can decode that",
                    failure);
        }
        if (text.contains("replication slot") && text.contains("does not exist")) {
            return gap(GapKind.CHANNEL_MISSING, stored, message, failure);
        }
        if (text.contains("can no longer get changes from replication slot")
                || text.contains("can no longer access replication slot")
                || text.contains("has already been removed")
                || text.contains("has been invalidated")
                || text.contains("has been removed from the database write-ahead log")) {
            return gap(GapKind.CHANNEL_INVALIDATED, stored, message, failure);
        }
        return new SourceUnavailableException(message, failure);
    }

    private SourceGapException gap(GapKind kind, String stored, String what, Throwable failure) {
        SourceGapException.Facts facts = new SourceGapException.Facts(slot, stored, "");
        return new SourceGapException(kind, facts, what, "changes after the stored position are gone", failure);
    }

    private static String allMessages(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            text.append(cause.getMessage()).append('\n');
        }
        return text.toString();
    }

    private static boolean causedBy(Throwable failure, Class<? extends Throwable> type) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static String firstLine(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.lines().findFirst().orElse("");
    }
}

package io.tributary.source;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes between the stored position and what the source still has are gone: going on would skip them (P5). The message
 * says what happened, on which slot and between which positions, and what is lost.
 */
public final class SourceGapException extends SourceException {
    private final GapKind kind;
    private final Facts facts;
    private final boolean remedied;

    /**
     * What a gap lies between.
     *
     * @param channel the replication slot
     * @param stored the position up to which everything is in the lake; empty when nobody knows
     * @param available the position from which the source can still deliver; empty when it can't
     */
    public record Facts(String channel, String stored, String available) {
        public Facts {
            Objects.requireNonNull(channel);
            Objects.requireNonNull(stored);
            Objects.requireNonNull(available);
        }

        @Override
        public String toString() {
            return "slot " + channel + ", stored position " + orNone(stored) + ", available position "
                    + orNone(available);
        }

        private static String orNone(String position) {
            return position.isEmpty() ? "none" : position;
        }
    }

    /**
     * A gap that was found by looking.
     *
     * @param what what happened, as the start of a sentence
     * @param lost what is missing now, as the end of it
     */
    public SourceGapException(GapKind kind, Facts facts, String what, String lost) {
        this(kind, facts, what, lost, null);
    }

    /** A gap that the server reported. */
    public SourceGapException(GapKind kind, Facts facts, String what, String lost, @Nullable Throwable cause) {
        this(kind, facts, what + " (" + facts + "): " + lost, cause, false);
    }

    private SourceGapException(GapKind kind, Facts facts, String message, @Nullable Throwable cause, boolean remedied) {
        super(message, cause);
        this.remedied = remedied;
        this.kind = Objects.requireNonNull(kind);
        this.facts = Objects.requireNonNull(facts);
    }

    /** The same gap with a sentence that says what can be done about it. */
    public SourceGapException withRemedy(String remedy) {
        return new SourceGapException(kind, facts, getMessage() + ". " + remedy, this, true);
    }

    /** Whether the message says what can be done. */
    public boolean remedied() {
        return remedied;
    }

    public GapKind kind() {
        return kind;
    }

    /** The replication slot. */
    public String channel() {
        return facts.channel();
    }

    /** The position up to which everything is in the lake; empty when nobody knows. */
    public String stored() {
        return facts.stored();
    }

    /** The position from which the source can still deliver; empty when it can't. */
    public String available() {
        return facts.available();
    }
}

package io.tributary.pipeline;

import io.tributary.event.TableId;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What the bridge is doing, with a sentence for people. */
public sealed interface BridgeState {

    /** One word for machines, stable. */
    String word();

    /** One sentence for people. */
    String sentence();

    /** Connecting and checking the configuration. */
    record Starting() implements BridgeState {
        @Override
        public String word() {
            return "starting";
        }

        @Override
        public String sentence() {
            return "Connecting and checking the configuration.";
        }
    }

    /** Finishing what an earlier run left in the journal. */
    record Recovering() implements BridgeState {
        @Override
        public String word() {
            return "recovering";
        }

        @Override
        public String sentence() {
            return "Finishing the newest intent of the journal.";
        }
    }

    /** Reading rows that were there before the capture. */
    record Snapshotting(int done, int total, long rows) implements BridgeState {
        @Override
        public String word() {
            return "snapshotting";
        }

        @Override
        public String sentence() {
            return "Reading existing rows: " + done + " of " + total + " tables done, " + rows + " rows so far.";
        }
    }

    /**
     * Following the source's log.
     *
     * @param leftOut tables that an operator waived and that can't take rows yet, with the reason
     */
    record Streaming(Map<TableId, String> leftOut) implements BridgeState {
        public Streaming {
            leftOut = Map.copyOf(leftOut);
        }

        /** With every table. */
        public Streaming() {
            this(Map.of());
        }

        @Override
        public String word() {
            return "streaming";
        }

        @Override
        public String sentence() {
            return leftOut.isEmpty()
                    ? "Following the source's log."
                    : "Following the source's log, but without the waived tables " + new TreeMap<>(leftOut);
        }
    }

    /** Another instance owns the source. */
    record Standby(String activeWriter) implements BridgeState {
        public Standby {
            Objects.requireNonNull(activeWriter);
        }

        @Override
        public String word() {
            return "standby";
        }

        @Override
        public String sentence() {
            return "Writer " + activeWriter + " owns the source; this instance takes over when it falls silent.";
        }
    }

    /** Something outside failed; it is tried again. */
    record Retrying(String cause, int attempt, Instant next) implements BridgeState {
        public Retrying {
            Objects.requireNonNull(cause);
            Objects.requireNonNull(next);
        }

        @Override
        public String word() {
            return "retrying";
        }

        @Override
        public String sentence() {
            return "Attempt " + attempt + " failed, next at " + next + ": " + cause;
        }
    }

    /** A table can't take its commit; nothing is acknowledged until it can. */
    record Blocked(String table, String cause) implements BridgeState {
        public Blocked {
            Objects.requireNonNull(table);
            Objects.requireNonNull(cause);
        }

        @Override
        public String word() {
            return "blocked";
        }

        @Override
        public String sentence() {
            return "Table " + table + " can't take its commit: " + cause;
        }
    }

    /** Changes are missing between what is stored and what the source still has. */
    record Gap(String cause) implements BridgeState {
        public Gap {
            Objects.requireNonNull(cause);
        }

        @Override
        public String word() {
            return "gap";
        }

        @Override
        public String sentence() {
            return cause;
        }
    }

    /** Committing what is pending before the end. */
    record Draining() implements BridgeState {
        @Override
        public String word() {
            return "draining";
        }

        @Override
        public String sentence() {
            return "Committing what is pending before the end.";
        }
    }

    /** Ended as asked. */
    record Stopped() implements BridgeState {
        @Override
        public String word() {
            return "stopped";
        }

        @Override
        public String sentence() {
            return "Drained and stopped.";
        }
    }

    /** Ended by itself. */
    record Failed(int exitCode, String cause) implements BridgeState {
        public Failed {
            Objects.requireNonNull(cause);
        }

        @Override
        public String word() {
            return "failed";
        }

        @Override
        public String sentence() {
            return cause;
        }
    }
}

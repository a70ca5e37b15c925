package io.tributary.pipeline;

import io.tributary.delta.Journal;
import io.tributary.delta.JournalEntry;
import io.tributary.source.ChannelState;
import io.tributary.source.Source;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Decides when this instance may try to claim the source. It only avoids needless quarrels: what makes a second writer
 * impossible is the journal's put-if-absent, never this wait.
 */
final class Ownership {
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Journal journal;
    private final Source source;
    private final String writer;
    private final Duration silence;
    private final LongSupplier nanoTime;

    /**
     * Watches for one instance.
     *
     * @param silence how long no new journal object means that the active instance is gone
     */
    Ownership(Journal journal, Source source, String writer, Duration silence, LongSupplier nanoTime) {
        this.journal = Objects.requireNonNull(journal);
        this.source = Objects.requireNonNull(source);
        this.writer = Objects.requireNonNull(writer);
        this.silence = Objects.requireNonNull(silence);
        this.nanoTime = Objects.requireNonNull(nanoTime);
    }

    /**
     * Waits until nobody else is active.
     *
     * @param fenced whether this instance has just lost a claim, so that somebody is certainly there
     * @param stop ends the wait early
     * @param standby told of the active writer when the wait begins
     * @return false when stopped
     */
    boolean awaitTurn(boolean fenced, StopSignal stop, Consumer<String> standby)
            throws IOException, InterruptedException {
        Optional<JournalEntry> newest = journal.newest();
        if (newest.isEmpty() || free(newest.get()) || (!fenced && nobodyConnected())) {
            return true;
        }
        standby.accept(newest.get().writer());
        long seen = newest.get().number();
        long since = nanoTime.getAsLong();
        while (!stop.await(LOOK)) {
            JournalEntry latest = journal.newest().orElseThrow();
            if (free(latest)) {
                return true;
            }
            if (latest.number() != seen) {
                seen = latest.number();
                since = nanoTime.getAsLong();
                standby.accept(latest.writer());
            } else if (nanoTime.getAsLong() - since >= silence.toNanos()) {
                return true;
            }
        }
        return false;
    }

    private boolean free(JournalEntry entry) {
        return entry.writer().equals(writer) || entry.kind() == JournalEntry.Kind.RELEASE;
    }

    /** After a kill -9 the dead instance's sessions are gone at once: then there is nobody to wait for. */
    private boolean nobodyConnected() {
        if (source.otherInstancePresent()) {
            return false;
        }
        return !(source.channel() instanceof ChannelState.Present present) || !present.active();
    }
}

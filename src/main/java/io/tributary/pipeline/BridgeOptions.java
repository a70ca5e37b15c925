package io.tributary.pipeline;

import io.tributary.source.SourceConfig.GapPolicy;
import io.tributary.source.SourceConfig.SnapshotPolicy;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * The bridge's own times and choices.
 *
 * @param source the source's logical name
 * @param writer names this process in the journal; new for every process
 * @param onGap whether a gap ends the process or is waited out
 * @param idleMessage whether an idle slot is moved by a logical message
 * @param signOfLife longest time between two journal objects of the active instance
 * @param silence time without a journal object after which a standby takes over
 * @param idle time without a transaction after which the source is asked for one
 * @param stuck time without progress, although the source moves on, after which the engine is started anew
 * @param drain how long an open transaction may hold up an orderly end
 */
public record BridgeOptions(
        String source,
        String writer,
        SnapshotPolicy snapshot,
        GapPolicy onGap,
        boolean idleMessage,
        Duration signOfLife,
        Duration silence,
        Duration idle,
        Duration stuck,
        Duration drain) {
    public BridgeOptions {
        Objects.requireNonNull(source);
        Objects.requireNonNull(writer);
        Objects.requireNonNull(snapshot);
        Objects.requireNonNull(onGap);
        if (silence.compareTo(signOfLife.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException(
                    "a standby must wait for at least two signs of life: " + silence + " < 2 x " + signOfLife);
        }
    }

    /** Names the slot of a snapshot run; it holds the writer's name, so two instances never meet. */
    String temporarySlot() {
        return "tributary_tmp_" + writer.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
    }

    /** The times of design: a sign of life every 10 s, a take-over after 25 s of silence. */
    public static BridgeOptions standard(
            String source,
            String writer,
            SnapshotPolicy snapshot,
            GapPolicy onGap,
            boolean idleMessage,
            Duration drain) {
        return new BridgeOptions(
                source,
                writer,
                snapshot,
                onGap,
                idleMessage,
                Duration.ofSeconds(10),
                Duration.ofSeconds(25),
                Duration.ofSeconds(10),
                Duration.ofSeconds(45),
                drain);
    }
}

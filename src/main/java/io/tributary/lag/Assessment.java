package io.tributary.lag;

import io.tributary.event.TableId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Draws the conclusions from the facts of one instant.
 *
 * @param now the bridge's clock
 * @param awaitingSnapshot tables that lack rows from before the capture
 */
record Assessment(
        Instant now,
        LagBounds bounds,
        SourceSight sight,
        Progress progress,
        CaughtUp caughtUp,
        Set<TableId> awaitingSnapshot) {

    /** A verdict and the sentence that explains it. */
    record Finding(Verdict verdict, String reason) {}

    Finding finding(List<TableCounter.State> states) {
        long lakeSilent = progress.lakeSilentMillis(now).orElse(0);
        if (lakeSilent > bounds.progress().toMillis()) {
            return new Finding(
                    Verdict.STUCK, "decoded changes wait, and the lake took nothing for " + seconds(lakeSilent));
        }
        Optional<String> silence = sight.silence(now, bounds);
        if (silence.isPresent()) {
            return new Finding(Verdict.UNKNOWN, "the source doesn't answer: " + silence.get());
        }
        long decoderSilent = decoderSilentMillis(states);
        if (decoderSilent > bounds.progress().toMillis()) {
            return bounds.idleMessages()
                    ? new Finding(
                            Verdict.STUCK,
                            "the source's log has moved on, and nothing was decoded for " + seconds(decoderSilent))
                    : new Finding(
                            Verdict.UNKNOWN,
                            "the source's log has moved on; without idle messages nobody can tell whether"
                                    + " captured tables changed");
        }
        if (states.stream().anyMatch(state -> state.rowsBehind() > 0)) {
            return new Finding(Verdict.FLOWING, "changes are on their way");
        }
        return recentlyProven()
                ? new Finding(Verdict.IDLE, "nothing waits")
                : new Finding(Verdict.UNKNOWN, "the position isn't proven yet");
    }

    private static String seconds(long millis) {
        return millis / 1000 + " s";
    }

    /** How long nothing was decoded although the source is known to have more. */
    private long decoderSilentMillis(List<TableCounter.State> states) {
        OptionalLong behindSince = caughtUp.behindSinceMillis();
        if (behindSince.isEmpty()) {
            return 0;
        }
        long lastRow = states.stream()
                .flatMap(state -> state.decoded().stream())
                .mapToLong(mark -> mark.since().toEpochMilli())
                .max()
                .orElse(0);
        long lastMove = Math.max(Math.max(progress.decodedAtMillis(), lastRow), behindSince.getAsLong());
        return now.toEpochMilli() - lastMove;
    }

    private boolean recentlyProven() {
        OptionalLong proven = caughtUp.provenServerMillis();
        return proven.isPresent()
                && sourceNowMillis() - proven.getAsLong() <= bounds.caughtUp().toMillis()
                && !progress.owesRows();
    }

    private long sourceNowMillis() {
        return now.toEpochMilli() + sight.skewMillis().orElse(0);
    }

    LagReport.Table table(TableCounter.State state) {
        OptionalLong completeTo = completeToMillis(state);
        return new LagReport.Table(
                state.table(),
                sight.mark(),
                state.decoded(),
                state.committed(),
                completeTo.isPresent() ? Optional.of(Instant.ofEpochMilli(completeTo.getAsLong())) : Optional.empty(),
                lagMillis(state, completeTo),
                state.rowsBehind(),
                bytesBehind(state),
                state.deltaVersion(),
                state.rowsDecoded(),
                state.rowsCommitted(),
                state.bytesCommitted());
    }

    /** The table lacks nothing that the source committed before this moment of its clock. */
    private OptionalLong completeToMillis(TableCounter.State state) {
        if (awaitingSnapshot.contains(state.table())) {
            return OptionalLong.empty();
        }
        return state.rowsBehind() > 0 ? state.oldestWaitingMillis() : caughtUp.provenServerMillis();
    }

    private OptionalLong lagMillis(TableCounter.State state, OptionalLong completeTo) {
        if (completeTo.isEmpty() || sight.skewMillis().isEmpty()) {
            return OptionalLong.empty();
        }
        long age = Math.max(0, sourceNowMillis() - completeTo.getAsLong());
        if (state.rowsBehind() > 0) {
            return OptionalLong.of(age);
        }
        if (sight.silence(now, bounds).isPresent()) {
            return OptionalLong.empty();
        }
        if (recentlyProven()) {
            return OptionalLong.of(0);
        }
        return bounds.idleMessages() ? OptionalLong.of(age) : OptionalLong.empty();
    }

    private OptionalLong bytesBehind(TableCounter.State state) {
        if (awaitingSnapshot.contains(state.table())) {
            return OptionalLong.empty();
        }
        return distance(state.rowsBehind() > 0 ? progress.committedBytes() : progress.decodedBytes());
    }

    OptionalLong bytesBehind() {
        return distance(progress.committedBytes());
    }

    private OptionalLong distance(OptionalLong from) {
        OptionalLong to = sight.position();
        return from.isPresent() && to.isPresent()
                ? OptionalLong.of(Math.max(0, to.getAsLong() - from.getAsLong()))
                : OptionalLong.empty();
    }
}

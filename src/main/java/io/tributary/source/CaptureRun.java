package io.tributary.source;

import io.tributary.event.SnapshotPoint;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One run of an engine: one epoch, never started twice. */
public interface CaptureRun {

    /** Starts the run's threads; returns at once. */
    void start();

    /**
     * Completes when the run is over and its threads are gone: normally after {@link #stop} or when a snapshot is
     * complete, else with a {@link SourceException} or with what the listener threw.
     */
    CompletableFuture<Void> ended();

    /** Ends the run within about {@code bound}; what was acknowledged before is flushed to the source. */
    void stop(Duration bound);

    /** Snapshot only: the point that the rows show; present before the first event is delivered. */
    default Optional<SnapshotPoint> snapshotPoint() {
        return Optional.empty();
    }
}

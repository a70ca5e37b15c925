package io.tributary.source;

import io.tributary.event.ChangeEvent;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.util.Optional;

/**
 * Takes what a {@link CaptureRun} delivers. Every method is called on the run's own thread, one at a time; an exception
 * ends the run with it.
 */
public interface CaptureListener {

    /** One change, in commit order. */
    void event(ChangeEvent event) throws InterruptedException;

    /**
     * Everything delivered so far was committed at or before {@code safe}, and everything after it will be later: to
     * resume from here loses nothing and doubles nothing. Also called for transactions that changed no captured table.
     * Positions rise strictly within a run.
     */
    void transactionEnd(SourcePosition safe) throws InterruptedException;

    /** Snapshot only: every row of this table was delivered. */
    default void tableRead(TableId table) throws InterruptedException {}

    /**
     * Asked after each batch of records, and a few times a second when there are none: the newest position to acknowledge
     * to the source; what is at or before it must be durable. Empty while nothing is.
     */
    default Optional<SourcePosition> durable() throws InterruptedException {
        return Optional.empty();
    }
}

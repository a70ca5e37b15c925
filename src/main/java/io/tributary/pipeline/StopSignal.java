package io.tributary.pipeline;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The wish that the bridge ends, given once. Safe for many threads. */
final class StopSignal {
    private final CompletableFuture<Void> future = new CompletableFuture<>();

    void request() {
        future.complete(null);
    }

    boolean requested() {
        return future.isDone();
    }

    /** Completes when the end is wished. */
    CompletableFuture<Void> future() {
        return future;
    }

    /** Waits for a while, or until the end is wished; true in the latter case. */
    boolean await(Duration pause) throws InterruptedException {
        try {
            future.get(pause.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the stop signal never fails", e);
        }
    }
}

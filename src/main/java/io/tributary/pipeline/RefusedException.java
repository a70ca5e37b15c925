package io.tributary.pipeline;

/** An operator asked for what isn't needed or can't be done; nothing was changed. */
public final class RefusedException extends Exception {
    public RefusedException(String message) {
        super(message);
    }
}

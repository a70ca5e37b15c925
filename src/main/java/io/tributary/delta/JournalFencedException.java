package io.tributary.delta;

/** Another writer owns the source: it has the journal object that this one wanted to write. */
public final class JournalFencedException extends Exception {

    private final long number;

    JournalFencedException(long number, String message) {
        super(message);
        this.number = number;
    }

    /** The number of the object that was not written. */
    public long number() {
        return number;
    }
}

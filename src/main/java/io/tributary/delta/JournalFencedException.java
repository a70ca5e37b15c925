package io.tributary.delta;

/** The journal has another object under the number that was to be written; what it says comes first. */
public final class JournalFencedException extends Exception {

    private final long number;
    private final String winner;

    JournalFencedException(long number, String winner, String message) {
        super(message);
        this.number = number;
        this.winner = winner;
    }

    /** The number of the object that was not written. */
    public long number() {
        return number;
    }

    /**
     * The writer of the object that is there; empty if it is pruned already. It may be the caller itself, when an earlier
     * call failed after its object had reached the storage: then that object has to be finished first.
     */
    public String winner() {
        return winner;
    }
}

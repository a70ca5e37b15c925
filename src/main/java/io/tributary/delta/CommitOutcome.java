package io.tributary.delta;

/** How a table took its part of a batch; either way it has it, once. */
public sealed interface CommitOutcome {

    /** The Delta version that has the batch. */
    long version();

    /** This call wrote the version. */
    record Committed(long version) implements CommitOutcome {}

    /** An earlier call wrote it, or a version with a later batch of this source was there. */
    record AlreadyCommitted(long version) implements CommitOutcome {}
}

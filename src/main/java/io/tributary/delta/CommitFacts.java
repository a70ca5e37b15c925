package io.tributary.delta;

import java.util.Objects;

/**
 * What a commit tells people in the table's history.
 *
 * @param position the source position at the batch's end, as text
 * @param lastSequence the {@code _cdc_seq} at the batch's end
 */
public record CommitFacts(String position, long lastSequence) {
    public CommitFacts {
        Objects.requireNonNull(position);
    }
}

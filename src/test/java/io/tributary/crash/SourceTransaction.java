package io.tributary.crash;

import java.util.List;
import java.util.Objects;

/**
 * What the server says of one committed transaction.
 *
 * @param end end LSN of its commit record
 * @param xid its 32-bit id
 */
record SourceTransaction(long end, String xid, List<SourceChange> changes) {
    SourceTransaction {
        Objects.requireNonNull(xid);
        changes = List.copyOf(changes);
    }
}

package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.event.SourcePosition.Wal;
import org.junit.jupiter.api.Test;

/** Where a transaction ends, and where nothing proves it. */
class TransactionEndsTest {
    private final TransactionEnds ends = new TransactionEnds(100);

    @Test
    void firstRowOfTheNextTransactionClosesTheOneBefore() {
        assertThat(ends.row(1, 11, null)).isEmpty();
        assertThat(ends.row(1, 11, null)).isEmpty();
        assertThat(ends.row(2, 22, 200L)).contains(new Wal(200, 1, 11));
        assertThat(ends.row(2, 22, 200L)).isEmpty();
    }

    @Test
    void heartbeatClosesOnlyAfterACommit() {
        ends.row(1, 11, null);
        assertThat(ends.heartbeat(false, 100L, 1, 11)).isEmpty();
        assertThat(ends.heartbeat(true, 200L, 1, 11)).contains(new Wal(200, 1, 11));
        assertThat(ends.heartbeat(true, 200L, 1, 11)).as("again").isEmpty();
        assertThat(ends.row(2, 22, 200L)).as("closed already").isEmpty();
    }

    @Test
    void positionsNeverGoBack() {
        ends.row(1, 11, null);
        assertThat(ends.row(2, 22, 90L)).as("before the start").isEmpty();
        assertThat(ends.row(3, 33, 300L)).contains(new Wal(300, 2, 22));
        assertThat(ends.row(4, 44, 300L)).isEmpty();
    }
}

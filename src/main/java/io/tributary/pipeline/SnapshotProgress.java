package io.tributary.pipeline;

import io.tributary.event.TableId;

/** Counts what a snapshot has read and shows it as the bridge's state, at most once for every thousand rows. */
final class SnapshotProgress {
    private static final int ROWS_BETWEEN_UPDATES = 1000;

    private final StateHolder state;
    private final int total;
    private int done;
    private long rows;

    SnapshotProgress(StateHolder state, int total) {
        this.state = state;
        this.total = total;
    }

    synchronized void row() {
        if (++rows % ROWS_BETWEEN_UPDATES == 0) {
            publish();
        }
    }

    synchronized void tableDone(TableId table) {
        done++;
        publish();
    }

    synchronized void publish() {
        state.set(new BridgeState.Snapshotting(done, total, rows));
    }
}

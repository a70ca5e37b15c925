package io.tributary.pipeline;

import java.util.Objects;
import org.jboss.logging.Logger;

/** The bridge's state: written by its own threads, read by anybody without waiting. */
final class StateHolder {
    private static final Logger LOG = Logger.getLogger(Bridge.class);

    private volatile BridgeState current = new BridgeState.Starting();

    BridgeState get() {
        return current;
    }

    void set(BridgeState next) {
        Objects.requireNonNull(next);
        if (!next.word().equals(current.word())) {
            LOG.infof("State %s: %s", next.word(), next.sentence());
        }
        current = next;
    }
}

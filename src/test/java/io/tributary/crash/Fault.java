package io.tributary.crash;

import java.util.Random;

/** What happens to the bridge or its database. */
enum Fault {
    /** kill -9. */
    KILL("kill -9", 76),
    /** SIGTERM: an orderly end. */
    TERMINATE("SIGTERM", 7),
    /** The server ends the session that the stream comes from. */
    CUT("walsender ended", 8),
    /** The database server crashes and comes back. */
    RESTART("database crashed", 7),
    /** The active instance is frozen until a second one has taken over, and thawed then. */
    FREEZE("frozen while another took over", 2);

    private final String words;
    private final int weight;

    Fault(String words, int weight) {
        this.words = words;
        this.weight = weight;
    }

    /** Whether a process of the bridge ends by it. */
    boolean kills() {
        return this == KILL || this == TERMINATE || this == FREEZE;
    }

    static Fault any(Random random) {
        int total = 0;
        for (Fault fault : values()) {
            total += fault.weight;
        }
        int left = random.nextInt(total);
        for (Fault fault : values()) {
            left -= fault.weight;
            if (left < 0) {
                return fault;
            }
        }
        throw new IllegalStateException("weights that don't add up");
    }

    @Override
    public String toString() {
        return words;
    }
}

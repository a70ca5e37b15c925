package io.tributary.crash;

import java.util.Random;

/** When in the life of a bridge a fault comes; the rest is left to chance. */
enum Moment {
    /** While it starts or recovers. */
    STARTING(28),
    /** While it reads existing rows, if there are some to read. */
    READING(4),
    /** While it commits what it reads from the log. */
    WORKING(58),
    /** After some seconds of work. */
    LATER(10);

    private final int weight;

    Moment(int weight) {
        this.weight = weight;
    }

    static Moment any(Random random) {
        int total = 0;
        for (Moment moment : values()) {
            total += moment.weight;
        }
        int left = random.nextInt(total);
        for (Moment moment : values()) {
            left -= moment.weight;
            if (left < 0) {
                return moment;
            }
        }
        throw new IllegalStateException("weights that don't add up");
    }
}

package io.tributary.testing;

import java.time.Duration;

/**
 * Waits that take long in life. A build takes a tenth of them; {@code mvn -Pin-life verify} takes them whole.
 */
public final class InLife {
    private static final double FACTOR = Double.parseDouble(System.getProperty("tributary.test.wait-factor", "0.1"));

    private InLife() {}

    public static Duration scaled(Duration inLife) {
        return Duration.ofMillis((long) (inLife.toMillis() * FACTOR));
    }
}

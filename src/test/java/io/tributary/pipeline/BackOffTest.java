package io.tributary.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackOffTest {
    private final BackOff backOff = new BackOff(Duration.ofSeconds(1), Duration.ofSeconds(30), new Random(7));

    @Test
    void thePauseDoublesToTheLongestAndIsShortenedByUpToAQuarter() {
        long[] whole = {1000, 2000, 4000, 8000, 16_000, 30_000, 30_000};
        for (int attempt = 1; attempt <= whole.length; attempt++) {
            assertThat(backOff.after(attempt).toMillis()).isBetween(whole[attempt - 1] * 3 / 4, whole[attempt - 1]);
        }
        assertThat(backOff.after(Integer.MAX_VALUE)).isBetween(Duration.ofMillis(22_500), Duration.ofSeconds(30));
    }

    @Test
    void manyBridgesDontComeBackAtTheSameMoment() {
        assertThat(IntStream.range(0, 100)
                        .mapToObj(i -> backOff.after(6))
                        .distinct()
                        .count())
                .isGreaterThan(90);
    }
}

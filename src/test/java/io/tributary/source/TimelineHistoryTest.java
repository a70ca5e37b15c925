package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimelineHistoryTest {

    /** As a server that was promoted twice writes it. */
    @Test
    void eachTimelineIsLeftWhereTheFileSays() {
        TimelineHistory history = TimelineHistory.parse(
                "1\t0/3000148\tno recovery target specified\n\n2\t1/A0000028\tbefore 2026-01-01 00:00:00+00\n");

        assertThat(history.forkOf(1)).hasValue(0x3000148L);
        assertThat(history.forkOf(2)).hasValue(0x1A0000028L);
        assertThat(history.forkOf(3)).isEmpty();
    }
}

package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailuresTest {
    private final Failures failures = new Failures(
            new ConnectionSettings("db", 6432, "shop", "reader", Password.of(Optional.empty()), "test", Map.of()),
            "tributary_shop");

    /** What PgBouncer 1.18 answers to a replication connection; the second when it ignores the parameter. */
    @Test
    void poolersAreNamed() {
        for (SQLException answer : new SQLException[] {
            new SQLException("FATAL: unsupported startup parameter: replication", "08P01"),
            new SQLException("ERROR: syntax error at or near \"IDENTIFY_SYSTEM\"", "42601")
        }) {
            assertThat(failures.ofReplication(answer))
                    .isInstanceOf(SourceConfigurationException.class)
                    .hasMessageContaining("a connection pooler answers at db:6432")
                    .hasMessageContaining("tributary.source.hostname");
        }
    }

    @Test
    void whatTheServerReportsOfAnInvalidatedSlotIsAGapBetweenPositions() {
        SourceException failure = failures.ofEngine(
                new SQLException("ERROR: can no longer access replication slot \"tributary_shop\"", "55000"), "0/1A0");

        assertThat(failure).isInstanceOfSatisfying(SourceGapException.class, gap -> {
            assertThat(gap.kind()).isEqualTo(GapKind.CHANNEL_INVALIDATED);
            assertThat(gap.channel()).isEqualTo("tributary_shop");
            assertThat(gap.stored()).isEqualTo("0/1A0");
            assertThat(gap.available()).isEmpty();
            assertThat(gap)
                    .hasMessageContaining("slot tributary_shop, stored position 0/1A0, available position none")
                    .hasMessageEndingWith("changes after the stored position are gone");
        });
    }
}

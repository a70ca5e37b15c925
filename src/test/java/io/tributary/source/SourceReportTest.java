package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tributary.event.SourceIdentity;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceReportTest {
    private static final Finding ERROR = Finding.error("wal_level", "is 'replica'", "");
    private static final Finding WAIT = Finding.wait("server", "is a standby", "");
    private static final Finding GAP = Finding.gap("slot s", "is invalidated", "");
    private static final Finding WARNING = Finding.warning("shop.t", "is large", "");

    @Test
    void whatPassesByItselfIsWaitedForUnlessSomethingElseIsWrong() {
        assertThatThrownBy(() -> report(WAIT, WARNING).requireUsable())
                .isInstanceOf(SourceUnavailableException.class)
                .hasMessageContaining("is a standby");
        assertThatThrownBy(() -> report(WAIT, ERROR).requireUsable()).isInstanceOf(SourceConfigurationException.class);
    }

    @Test
    void aGapStandsInTheWayOfAStartButTheStartSaysIt() {
        assertThatCode(() -> report(GAP, WARNING).requireUsable()).doesNotThrowAnyException();
        assertThat(report(GAP, WARNING).errors()).containsExactly(GAP);
    }

    private static SourceReport report(Finding... findings) {
        return new SourceReport(
                "18.3", new SourceIdentity("postgres", "1", 1, "shop", "s"), List.of(), List.of(findings));
    }
}

package io.tributary.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * What a bridge says of itself at one moment, by both of its endpoints.
 *
 * @param ready the code of {@code /q/health/ready}: 200, 503, or 0 when nobody answers
 * @param lag the body of {@code /lag}
 */
public record Status(int ready, JsonNode lag) {
    /** Within which the status must leave OK when something is dead. */
    public static final Duration RED = Duration.ofSeconds(60);

    private static final ObjectMapper JSON = new ObjectMapper();

    public static Status of(BridgeProcess bridge) {
        try {
            int ready = bridge.get("/q/health/ready").status();
            return new Status(ready, JSON.readTree(bridge.get("/lag").body()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String state() {
        return lag.path("state").asText();
    }

    public String verdict() {
        return lag.path("verdict").asText();
    }

    /** Milliseconds as text, or {@code null}. */
    public String lagMillis() {
        return lag.path("lagMillis").asText();
    }

    public boolean reachable() {
        return lag.path("source").path("reachable").asBoolean();
    }

    /** Ready, and at work. */
    public static void awaitGreen(BridgeProcess bridge, Duration within) {
        Awaitility.await()
                .atMost(within)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertThat(of(bridge).ready()).isEqualTo(200));
    }

    /** The status leaves OK in time; what it says then. */
    public static Status awaitRed(BridgeProcess bridge) {
        Awaitility.await()
                .atMost(RED)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertThat(of(bridge).ready()).isEqualTo(503));
        return of(bridge);
    }

    /** Red at every look, and never a lag of 0, for as long as something is dead. */
    public static void assertStaysRed(BridgeProcess bridge, Duration during) {
        Awaitility.await()
                .during(during)
                .atMost(during.plusSeconds(10))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    Status now = of(bridge);
                    assertThat(now.ready()).as("%s", now.lag()).isEqualTo(503);
                    assertThat(now.lagMillis()).as("%s", now.lag()).isNotEqualTo("0");
                });
    }
}

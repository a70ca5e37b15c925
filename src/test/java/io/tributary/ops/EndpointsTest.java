package io.tributary.ops;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.lag.LagTracker;
import io.tributary.lag.SourceObservation;
import io.tributary.lag.TableCommit;
import io.tributary.pipeline.BridgeState;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the outside reads: {@code /lag}, health, metrics and the page, with facts pushed by hand. */
@QuarkusTest
@TestProfile(EndpointsTest.Settings.class)
class EndpointsTest {
    private static final TableId PAYMENTS = new TableId("bank", "payments");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Settings of a bridge that is never started, and states set by the test. */
    public static final class Settings implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "quarkus.http.test-port", "0",
                    "tributary.source.name", "bank",
                    "tributary.source.kind", "postgres",
                    "tributary.source.tables", "bank.payments",
                    "tributary.lake.path", "file:///nowhere",
                    "tributary.guard.warn-retained-wal", "100K",
                    "tributary.guard.max-retained-wal", "1M");
        }

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(StatesByHand.class);
        }
    }

    /** Takes the place of the bridge's own states. */
    @Alternative
    static final class StatesByHand {
        static volatile BridgeState current = new BridgeState.Starting();

        @Produces
        @Singleton
        @Alternative
        Supplier<BridgeState> states() {
            return () -> current;
        }
    }

    @Inject
    LagTracker tracker;

    @Inject
    Watch watch;

    @BeforeEach
    void aCaughtUpBridge() {
        Instant now = Instant.now();
        SourcePosition position = new SourcePosition.Wal(0x16_B374D848L, 7, 0);
        tracker.tables(Set.of(PAYMENTS));
        tracker.startedAt(position);
        tracker.sourceSeen(seen(now, 4096));
        tracker.counter(PAYMENTS).decoded(ChronoUnit.MICROS.between(Instant.EPOCH, now), 3);
        tracker.committed(
                12,
                position,
                Map.of(PAYMENTS, new TableCommit(3, 2048, 5, ChronoUnit.MICROS.between(Instant.EPOCH, now))),
                Duration.ofMillis(40));
        StatesByHand.current = new BridgeState.Streaming();
    }

    @Test
    void lagTellsStatePositionsAndTables() throws IOException {
        JsonNode lag = lag();

        assertThat(lag.path("format").asInt()).isEqualTo(1);
        assertThat(lag.path("state").asText()).isEqualTo("streaming");
        assertThat(lag.path("ready").asBoolean()).isTrue();
        assertThat(lag.path("source").path("name").asText()).isEqualTo("bank");
        assertThat(lag.path("source").path("position").asText()).isEqualTo("16/B374D848");
        assertThat(lag.path("committed").path("position").asText()).isEqualTo("16/B374D848");
        JsonNode table = lag.path("tables").path(0);
        assertThat(table.path("table").asText()).isEqualTo("bank.payments");
        assertThat(table.path("lagMillis").asLong(-1)).isZero();
        assertThat(table.path("deltaVersion").asLong()).isEqualTo(5);
        assertThat(table.path("rowsBehind").asLong(-1)).isZero();
    }

    @Test
    void everyFieldOfLagStandsInItsSchemaAndTheOtherWayRound() throws IOException {
        tracker.error("once");
        JsonNode schema = JSON.readTree(get("/lag.schema.json").asString());
        JsonNode lag = lag();

        assertThat(names(lag)).isEqualTo(names(schema.path("properties")));
        assertThat(names(lag.path("source"))).isEqualTo(names(properties(schema, "source")));
        assertThat(names(lag.path("lastError"))).isEqualTo(names(properties(schema, "lastError")));
        assertThat(names(lag.path("tables").path(0)))
                .isEqualTo(names(
                        schema.path("properties").path("tables").path("items").path("properties")));
        assertThat(names(lag.path("committed")))
                .isEqualTo(names(schema.path("definitions").path("position").path("properties")));
        assertThat(schema.path("properties").path("state").path("enum"))
                .extracting(JsonNode::asText)
                .containsExactlyInAnyOrderElementsOf(BridgeMetrics.stateWords());
    }

    @Test
    void readinessIsRedWhenTheSourceDoesNotAnswer() {
        assertThat(get("/q/health/ready").statusCode()).isEqualTo(200);

        tracker.sourceUnreachable("connection refused");

        assertThat(get("/q/health/ready").statusCode()).isEqualTo(503);
        assertThat(get("/q/health/ready").asString()).contains("connection refused");
        assertThat(get("/q/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void readinessIsRedWhenTheSourceKeepsTooMuchWal() {
        tracker.sourceSeen(seen(Instant.now(), 2_000_000));

        assertThat(get("/q/health/ready").statusCode()).isEqualTo(503);
        assertThat(get("/q/health/ready").asString()).contains("tributary.guard.max-retained-wal");
    }

    @Test
    void muchWalIsAWarningBeforeItIsAProblem() throws IOException {
        tracker.sourceSeen(seen(Instant.now(), 200_000));

        assertThat(get("/q/health/ready").statusCode()).isEqualTo(200);
        assertThat(get("/q/health/ready").asString()).contains("tributary.guard.warn-retained-wal");
        assertThat(lag().path("problems")).isEmpty();
        assertThat(lag().path("warnings").path(0).asText()).contains("200000 bytes");
    }

    @Test
    void aStandbyIsReadyAndABlockedTableIsNot() {
        StatesByHand.current = new BridgeState.Standby("host-2");
        assertThat(get("/q/health/ready").statusCode()).isEqualTo(200);
        assertThat(get("/q/health/ready").asString()).contains("standby", "host-2");

        StatesByHand.current = new BridgeState.Blocked("bank.payments", "a CHECK constraint");
        assertThat(get("/q/health/ready").statusCode()).isEqualTo(503);
        assertThat(get("/q/health/live").statusCode()).isEqualTo(200);

        StatesByHand.current = new BridgeState.Failed(1, "over");
        assertThat(get("/q/health/live").statusCode()).isEqualTo(503);
    }

    @Test
    void metricsCarryTheSameFacts() {
        watch.look();

        String metrics = get("/q/metrics").asString();
        assertThat(metrics)
                .contains("tributary_state{state=\"streaming\"} 1.0")
                .contains("tributary_state{state=\"gap\"} 0.0")
                .contains("tributary_retained_wal_bytes 4096.0")
                .contains("tributary_retained_wal_level 0.0")
                .contains("tributary_lag_seconds{table=\"bank.payments\"} 0.0")
                .contains("tributary_delta_version{table=\"bank.payments\"} 5.0")
                .containsPattern("tributary_rows_committed_total\\{table=\"bank.payments\"} \\d")
                .containsPattern("tributary_rows_decoded_total\\{table=\"bank.payments\"} \\d")
                .containsPattern("tributary_bytes_committed_total\\{table=\"bank.payments\"} \\d")
                .containsPattern("tributary_commit_seconds_count \\d")
                .containsPattern("tributary_commit_seconds_sum \\d");
    }

    @Test
    void theFirstPageIsTheStatusPage() {
        assertThat(get("/").asString()).contains("<title>Tributary</title>", "fetch(\"lag\"");
    }

    private static JsonNode lag() throws IOException {
        return JSON.readTree(get("/lag").then().statusCode(200).extract().asString());
    }

    private static JsonNode properties(JsonNode schema, String field) {
        return schema.path("properties").path(field).path("properties");
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static SourceObservation seen(Instant serverTime, long retained) {
        return new SourceObservation(
                0x16_B374D848L,
                serverTime,
                OptionalLong.of(0x16_B374D848L),
                OptionalLong.of(0x16_B374D000L),
                OptionalLong.of(retained),
                OptionalLong.empty(),
                Optional.of("reserved"));
    }
}

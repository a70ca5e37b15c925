package io.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tributary.event.ChangeEvent;
import io.tributary.event.SourcePosition;
import io.tributary.source.CaptureListener;
import io.tributary.source.CaptureRun;
import io.tributary.source.ChannelState;
import io.tributary.source.Source;
import io.tributary.source.SourceConfig;
import io.tributary.source.SourceReport;
import io.tributary.source.Sources;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The SQL and the properties of connectors/postgres fit each other, and the role needs nothing more. */
class PrepareSqlIT {
    private static final Path CONNECTOR = Path.of("connectors/postgres");

    @ParameterizedTest
    @EnumSource(Version.class)
    void theRoleOfThePreparedDatabaseCanCapture(Version version) throws IOException {
        TestPostgres server = TestPostgres.shared(version);
        String database = server.createDatabase();
        server.execute(
                database,
                "CREATE SCHEMA shop",
                "CREATE TABLE shop.orders (id int PRIMARY KEY)",
                "CREATE TABLE shop.items (id int PRIMARY KEY, name text)",
                "CREATE TABLE shop.secrets (id int PRIMARY KEY)",
                Files.readString(CONNECTOR.resolve("prepare.sql")));

        try (Source source = Sources.open(config(server, database), "test", Clock.systemUTC())) {
            SourceReport report = source.inspect();
            assertThat(report.errors()).isEmpty();
            assertThat(report.tables())
                    .extracting(table -> table.table().toString())
                    .containsExactly("shop.items", "shop.orders");

            SourcePosition position = source.createChannel();
            assertThat(source.channel()).isInstanceOf(ChannelState.Present.class);
            source.emitIdleMessage();
            assertThat(source.requireContinues(report.identity(), position)).isEqualTo(report.identity());
            assertThat(source.unidentified()).isEmpty();
            assertTheStreamGoesOnBehind(source, position);
            assertThat(source.status().currentLsn()).isPositive();
        } finally {
            server.execute(
                    database,
                    "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                            + " WHERE slot_name = 'tributary_shop'",
                    "DROP PUBLICATION IF EXISTS tributary_shop",
                    "DROP OWNED BY tributary",
                    "DROP ROLE tributary");
        }
    }

    /** A position that the slot wasn't acknowledged for is looked for in the log: the role may do that, too. */
    private static void assertTheStreamGoesOnBehind(Source source, SourcePosition from) {
        SourcePosition end = firstEnd(source, from, new FirstEnd());
        assertThat(firstEnd(source, end, new FirstEnd()).isAfter(end)).isTrue();
    }

    private static SourcePosition firstEnd(Source source, SourcePosition from, FirstEnd listener) {
        CaptureRun run = source.stream(from, Map.of(), listener);
        try {
            run.start();
            source.emitIdleMessage();
            assertThat(CompletableFuture.anyOf(listener.end, run.ended())).succeedsWithin(Duration.ofSeconds(60));
            return listener.end.join();
        } finally {
            run.stop(Duration.ofSeconds(30));
        }
    }

    /** Keeps the first transaction end that comes. */
    private static final class FirstEnd implements CaptureListener {
        private final CompletableFuture<SourcePosition> end = new CompletableFuture<>();

        @Override
        public void event(ChangeEvent event) {}

        @Override
        public void transactionEnd(SourcePosition safe) {
            end.complete(safe);
        }
    }

    private static SourceConfig config(TestPostgres server, String database) throws IOException {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withSources(
                        new PropertiesConfigSource(CONNECTOR
                                .resolve("tributary.properties")
                                .toUri()
                                .toURL()),
                        new PropertiesConfigSource(
                                Map.of(
                                        "tributary.source.port",
                                        Integer.toString(server.port()),
                                        "tributary.source.database",
                                        database),
                                "test",
                                300),
                        new EnvConfigSource(Map.of("DB_PASSWORD", "change-me"), 400))
                .withMapping(SourceConfig.class)
                .build()
                .getConfigMapping(SourceConfig.class);
    }
}

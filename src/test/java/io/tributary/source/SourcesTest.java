package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A configuration is refused with the name of the property that is wrong. */
class SourcesTest {

    private static TestConfig complete() {
        TestConfig config = new TestConfig();
        config.database = Optional.of("db");
        config.tables = Optional.of(List.of("shop.orders"));
        return config;
    }

    private static void refused(TestConfig config, String... words) {
        assertThatThrownBy(() -> Sources.open(config, "w", Clock.systemUTC()))
                .isInstanceOf(SourceConfigurationException.class)
                .message()
                .contains(words);
    }

    @Test
    void completeConfigurationOpensWithoutConnecting() {
        try (Source source = Sources.open(complete(), "w", Clock.systemUTC())) {
            assertThat(source).isNotNull();
        }
    }

    @Test
    void requiredPropertiesAreNamed() {
        TestConfig config = complete();
        config.name = Optional.empty();
        refused(config, "tributary.source.name is not set");
        config = complete();
        config.kind = Optional.empty();
        refused(config, "tributary.source.kind is not set");
        config = complete();
        config.database = Optional.empty();
        refused(config, "tributary.source.database is not set");
        config = complete();
        config.username = Optional.empty();
        refused(config, "tributary.source.username is not set");
        config = complete();
        config.tables = Optional.empty();
        refused(config, "tributary.source.tables is not set");
    }

    @Test
    void emptyListOfTablesIsNotAllTables() {
        TestConfig config = complete();
        config.tables = Optional.of(List.of(" "));
        refused(config, "tributary.source.tables is empty");
    }

    @Test
    void namesThatTheDatabaseOrAPathWouldRefuseAreRefused() {
        TestConfig config = complete();
        config.slot = Optional.of("Tributary");
        refused(config, "tributary.source.slot is 'Tributary'", "lower-case");
        config = complete();
        config.name = Optional.of("../shop");
        refused(config, "tributary.source.name is '../shop'");
        config = complete();
        config.tables = Optional.of(List.of("orders"));
        refused(config, "'orders'", "schema.table");
    }

    @Test
    void passwordComesFromAFileWithoutItsLineBreak(@TempDir Path folder) throws Exception {
        TestConfig config = complete();
        config.passwordFile = Optional.of(folder.resolve("none").toString());
        refused(config, "both tributary.source.password and tributary.source.password-file");
        config.password = Optional.empty();
        refused(config, "password-file", "none");
        Path file = Files.writeString(folder.resolve("secret"), "s3cret\n");
        config.passwordFile = Optional.of(file.toString());
        Sources.open(config, "w", Clock.systemUTC()).close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "errors.max.retries",
                "lsn.flush.mode",
                "offset.storage",
                "slot.name",
                "slot.drop.on.stop",
                "snapshot.mode",
                "heartbeat.interval.ms",
                "skipped.operations",
                "publication.autocreate.mode",
                "max.queue.size",
                "provide.transaction.metadata",
                "tombstones.on.delete",
                "event.processing.failure.handling.mode",
                "retriable.restart.connector.wait.ms",
                "transforms",
                "table.include.list",
                "message.prefix.exclude.list",
                "database.password"
            })
    void nativeKeysThatWouldBreakAPromiseAreRefused(String key) {
        TestConfig config = complete();
        config.debezium.put(key, "x");
        refused(config, "tributary.source.debezium.\"" + key + "\" is refused");
    }

    @Test
    void nativeKeysThatDoNotAreTaken() {
        TestConfig config = complete();
        config.debezium.put("max.batch.size", "100");
        config.debezium.put("database.sslmode", "require");
        Sources.open(config, "w", Clock.systemUTC()).close();
        assertThat(PassThrough.driver(config.debezium)).containsOnlyKeys("sslmode");
    }
}

package io.tributary.ops.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Case C39: each wrong setting is found before anything starts, by key, value, place and remedy, without secrets. */
class ConfigCheckTest {
    private static final String GOOD = """
            tributary.source.name=shop
            tributary.source.kind=postgres
            tributary.source.database=shop
            tributary.source.username=tributary
            tributary.source.password=s3cret-word
            tributary.source.tables=shop.orders,shop.p*
            tributary.lake.path=file:///data/lake
            """;

    @Test
    void aCompleteConfigurationHasNoProblems() throws IOException {
        assertThat(problems(GOOD)).isEmpty();
    }

    @Test
    void everyRequiredKeyIsNamedWhenNothingIsSet() throws IOException {
        assertThat(problems(""))
                .hasSize(6)
                .anySatisfy(line -> assertThat(line).startsWith("tributary.source.tables is not set"))
                .anySatisfy(line -> assertThat(line).startsWith("tributary.lake.path is not set"));
    }

    @Test
    void anUnknownKeyNamesTheNearestAndItsLine() throws IOException {
        assertThat(problems(GOOD.replace("source.tables", "source.tabels")))
                .containsExactly("tributary.source.tabels (config/application.properties, line 6) is not a known key;"
                        + " the nearest is tributary.source.tables");
    }

    @Test
    void anUnknownVariableNamesTheNearest() throws IOException {
        assertThat(problems(GOOD, Map.of("TRIBUTARY_BATCH_MAXAGE", "5s")))
                .containsExactly("TRIBUTARY_BATCH_MAXAGE (environment) belongs to no known key;"
                        + " the nearest is TRIBUTARY_BATCH_MAX_AGE for tributary.batch.max-age");
    }

    @Test
    void knownVariablesAndServiceLinksAreNoProblem() throws IOException {
        assertThat(problems(
                        GOOD,
                        Map.of(
                                "TRIBUTARY_BATCH_MAX_AGE",
                                "5s",
                                "TRIBUTARY_SOURCE_DEBEZIUM_SOME_KEY",
                                "x",
                                "TRIBUTARY_PORT",
                                "tcp://10.0.0.1:8080",
                                "TRIBUTARY_SERVICE_HOST",
                                "10.0.0.1",
                                "TRIBUTARY_SHOP_PORT_8080_TCP_ADDR",
                                "10.0.0.1")))
                .isEmpty();
    }

    @Test
    void aWrongValueInAVariableNamesTheVariable() throws IOException {
        assertThat(problems(GOOD, Map.of("TRIBUTARY_SOURCE_PORT", "tcp://10.0.0.1:5432")))
                .containsExactly("tributary.source.port=tcp://10.0.0.1:5432 (environment variable"
                        + " TRIBUTARY_SOURCE_PORT) is not valid: expected a whole number");
    }

    @Test
    void noTablesNeverMeansAllTables() throws IOException {
        assertThat(problems(GOOD.replace("shop.orders,shop.p*", "")))
                .singleElement()
                .asString()
                .startsWith("tributary.source.tables is not set")
                .contains("none means none");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    tributary.batch.max-age=10x | a duration such as 500ms, 5s, 10m or 1h
                    tributary.batch.max-age=-5s | a duration such as 500ms, 5s, 10m or 1h
                    tributary.batch.max-age=0s | more than nothing
                    tributary.batch.max-bytes=many | a size such as 512K, 64M or 10G
                    tributary.batch.max-rows=1e6 | a whole number
                    tributary.source.port=70000000 | a port from 1 to 65535
                    tributary.source.snapshot=always | one of initial, never, when-needed
                    tributary.source.idle-message=flase | true or false
                    tributary.source.slot=My-Slot | lower-case letters, digits and _, at most 63, which is PostgreSQL's rule for slots
                    """)
    void aWrongValueNamesKeyValueLineAndForm(String setting, String expected) throws IOException {
        String key = setting.substring(0, setting.indexOf('='));

        assertThat(problems(GOOD + setting + "\n"))
                .containsExactly(
                        setting + " (config/application.properties, line 8) is not valid: expected " + expected.strip())
                .allSatisfy(line -> assertThat(line).contains(key));
    }

    @Test
    void aTableWithoutASchemaIsRefused() throws IOException {
        assertThat(problems(GOOD.replace("shop.orders,", "orders,")))
                .containsExactly("tributary.source.tables (config/application.properties, line 6) has the entry"
                        + " 'orders': expected schema.table, where * and ? match any letters");
    }

    @Test
    void aPathWithoutASchemeIsRefused() throws IOException {
        assertThat(problems(GOOD.replace("file:///data/lake", "/data/lake")))
                .singleElement()
                .asString()
                .contains("tributary.lake.path=/data/lake", "file:///data/lake");
    }

    @Test
    void aKeySetTwiceIsRefusedWithBothLines() throws IOException {
        assertThat(problems(GOOD + "tributary.batch.max-age=5s\n\n# later\ntributary.batch.max-age = 7s\n"))
                .containsExactly("tributary.batch.max-age is set 2 times in config/application.properties,"
                        + " on lines 8 and 11; keep one");
    }

    @Test
    void aVariableThatIsNotSetIsNamed() throws IOException {
        assertThat(problems(GOOD.replace("s3cret-word", "${DB_PASS}")))
                .containsExactly("tributary.source.password (config/application.properties, line 5) refers to"
                        + " ${DB_PASS}, which is not set");
    }

    @Test
    void aVariableThatIsSetOrHasADefaultIsFine() throws IOException {
        assertThat(problems(GOOD.replace("s3cret-word", "${DB_PASS}"), Map.of("DB_PASS", "x")))
                .isEmpty();
        assertThat(problems(GOOD.replace("s3cret-word", "${DB_PASS:none}"))).isEmpty();
    }

    @Test
    void twoPasswordsAreRefusedWithoutShowingThem() throws IOException {
        assertThat(problems(GOOD + "tributary.source.password-file=/run/secrets/db\n"))
                .singleElement()
                .asString()
                .contains("both set", "line 5", "line 8")
                .doesNotContain("s3cret-word");
    }

    @Test
    void allProblemsComeAtOnceAndNoneShowsASecret() throws IOException {
        String text = GOOD.replace("kind=postgres", "kind=oracle").replace("tables=", "tbles=")
                + "tributary.batch.quiet-age=soon\n";

        assertThat(problems(text))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).doesNotContain("s3cret-word", "\n"));
    }

    @Test
    void passThroughKeysAreKnownAsFamilies() throws IOException {
        assertThat(problems(GOOD + "tributary.source.debezium.\"poll.interval.ms\"=50\n"
                        + "tributary.lake.hadoop.\"fs.s3a.endpoint\"=http://localhost:9000\n"
                        + "tributary.delta.properties.\"delta.checkpointInterval\"=20\n"))
                .isEmpty();
    }

    @Test
    void aListMayBeGivenByIndex() throws IOException {
        assertThat(problems(GOOD.replace(
                        "tables=shop.orders,shop.p*", "tables[0]=shop.orders\ntributary.source.tables[1]=shop.items")))
                .isEmpty();
    }

    private static List<String> problems(String properties) throws IOException {
        return problems(properties, Map.of());
    }

    private static List<String> problems(String properties, Map<String, String> environment) throws IOException {
        Properties parsed = new Properties();
        parsed.load(new StringReader(properties));
        Map<String, String> settings = new HashMap<>();
        parsed.stringPropertyNames().forEach(name -> settings.put(name, parsed.getProperty(name)));
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withSources(
                        new PropertiesConfigSource(
                                settings,
                                "PropertiesConfigSource[source=file:/srv/config/application.properties]",
                                260),
                        new EnvConfigSource(environment, 300))
                .build();
        return new ConfigCheck(config, environment, new PropertiesLines(properties)).problems();
    }
}

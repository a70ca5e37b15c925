package io.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case C39 on the packaged application: exit 2, one readable line, no stack trace, no secret, nothing written. */
class WrongConfigurationIT {
    private static final String SECRET = "s3cret-word";
    private static final String GOOD = """
            tributary.source.name=shop
            tributary.source.kind=postgres
            tributary.source.hostname=localhost
            tributary.source.database=shop
            tributary.source.username=tributary
            tributary.source.password=s3cret-word
            tributary.source.tables=shop.cfg1
            tributary.lake.path=file:///nowhere/lake
            """;

    /** What one start gave. */
    private record Ended(int exitCode, List<String> errors, String output) {}

    @TempDir
    Path folder;

    @Test
    void anUnknownKeyIsRefused() throws Exception {
        assertRefused(
                start(GOOD.replace("tables=", "tabels=")),
                "tributary: tributary.source.tabels (config/application.properties, line 7) is not a known key;"
                        + " the nearest is tributary.source.tables");
    }

    @Test
    void anEmptyListOfTablesIsRefused() throws Exception {
        assertRefused(
                start(GOOD.replace("shop.cfg1", "")),
                "tributary: tributary.source.tables is not set: the tables to capture, such as shop.orders,shop.p*;"
                        + " none means none, there is no default");
    }

    @Test
    void aWrongDurationIsRefused() throws Exception {
        assertRefused(
                start(GOOD + "tributary.batch.max-age=10x\n"),
                "tributary: tributary.batch.max-age=10x (config/application.properties, line 9) is not valid:"
                        + " expected a duration such as 500ms, 5s, 10m or 1h");
    }

    @Test
    void aPasswordSetTwiceIsRefusedAndNeitherIsShown() throws Exception {
        assertRefused(
                start(GOOD + "tributary.source.password=other-s3cret-word\n"),
                "tributary: tributary.source.password is set 2 times in config/application.properties,"
                        + " on lines 6 and 9; keep one");
    }

    @Test
    void aMissingVariableIsRefused() throws Exception {
        assertRefused(
                start(GOOD.replace(SECRET, "${DB_PASS}")),
                "tributary: tributary.source.password (config/application.properties, line 6) refers to ${DB_PASS},"
                        + " which is not set");
    }

    @Test
    void anUnknownVariableIsRefused() throws Exception {
        assertRefused(
                start(GOOD, Map.of("TRIBUTARY_SOURCE_TABELS", "shop.cfg1")),
                "tributary: TRIBUTARY_SOURCE_TABELS (environment) belongs to no known key;"
                        + " the nearest is TRIBUTARY_SOURCE_TABLES for tributary.source.tables");
    }

    @Test
    void nothingConfiguredNamesAllThatIsMissing() throws Exception {
        Ended ended = start("");

        assertThat(ended.exitCode).isEqualTo(2);
        assertThat(ended.errors).hasSize(6).allSatisfy(line -> assertThat(line).contains("is not set"));
    }

    @Test
    void anUnknownCommandIsRefusedWithTheUsage() throws Exception {
        Ended ended = start(GOOD, Map.of(), "polan");

        assertThat(ended.exitCode).isEqualTo(2);
        assertThat(ended.errors).anySatisfy(line -> assertThat(line).contains("polan"));
    }

    private static void assertRefused(Ended ended, String line) {
        assertThat(ended.errors).containsExactly(line);
        assertThat(ended.exitCode).isEqualTo(2);
        assertThat(ended.output).doesNotContain("Exception", "\tat ", SECRET);
    }

    private Ended start(String properties) throws IOException, InterruptedException {
        return start(properties, Map.of());
    }

    private Ended start(String properties, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("config"));
        Files.writeString(folder.resolve("config/application.properties"), properties);
        Path application = Path.of(System.getProperty("tributary.test.application", "target/quarkus-app"));
        ProcessBuilder builder = new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-jar",
                application.resolve("quarkus-run.jar").toAbsolutePath().toString());
        builder.command().addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        builder.directory(folder.toFile()).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TRIBUTARY_") || name.equals("DB_PASS"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(folder).isDirectoryNotContaining(path -> path.endsWith("lake"));
        return new Ended(process.exitValue(), Files.readAllLines(err), Files.readString(err) + Files.readString(out));
    }
}

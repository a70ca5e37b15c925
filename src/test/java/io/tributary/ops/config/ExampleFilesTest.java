package io.tributary.ops.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tributary.batch.BatchConfig;
import io.tributary.delta.DeltaConfig;
import io.tributary.delta.LakeConfig;
import io.tributary.source.SourceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files beside the code say what the code reads, and name files that exist. */
class ExampleFilesTest {
    private static final Path EVERY_KEY = Path.of("config/examples/every-key.properties");
    private static final Map<String, String> ENVIRONMENT = Map.of("DB_PASSWORD", "any");

    static List<Path> configurations() throws IOException {
        List<Path> found = new ArrayList<>();
        for (String folder : List.of("config", "connectors", "deploy")) {
            try (Stream<Path> files = Files.walk(Path.of(folder))) {
                files.filter(file -> file.toString().endsWith(".properties")).forEach(found::add);
            }
        }
        assertThat(found).hasSizeGreaterThan(5);
        return found;
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void anExampleIsACompleteConfiguration(Path file) throws IOException {
        SmallRyeConfig config = read(file);

        assertThat(new ConfigCheck(config, ENVIRONMENT, PropertiesLines.read(file)).problems())
                .isEmpty();
        assertThat(config.getConfigMapping(SourceConfig.class).tables()).isPresent();
        assertThat(config.getConfigMapping(LakeConfig.class).path()).isPresent();
    }

    @Test
    void theLongExampleHasEveryKeyWithItsDefault() throws IOException {
        String text = Files.readString(EVERY_KEY);

        for (KnownKey key : new KnownKeys().all()) {
            String setting = key.name()
                    + (key.isFamily() ? ".\"" : "=" + key.defaultValue().orElse(""));
            assertThat(text.lines().map(line -> line.startsWith("#") ? line.substring(1) : line))
                    .as(setting)
                    .anyMatch(line -> line.startsWith(setting));
        }
    }

    @Test
    void theReadmeHasEveryKeyWithItsDefault() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("README.md"));

        for (KnownKey key : new KnownKeys().all()) {
            String cell = "| `" + key.name() + (key.isFamily() ? ".\"…\"" : "") + "` | "
                    + key.defaultValue().map(value -> "`" + value + "`").orElse("") + " |";
            assertThat(rows).as(cell).anyMatch(row -> row.replaceAll(" +", " ").startsWith(cell.replaceAll(" +", " ")));
        }
    }

    @Test
    void theReadmeAndTheExamplesNameNoKeyThatDoesNotExist() throws IOException {
        KnownKeys known = new KnownKeys();
        List<Path> files = new ArrayList<>(configurations());
        files.add(Path.of("README.md"));
        files.add(Path.of("connectors/postgres/README.md"));
        files.add(Path.of("deploy/kubernetes.yaml"));
        files.add(Path.of("deploy/compose.yaml"));
        for (Path file : files) {
            Matcher key = Pattern.compile(
                            "tributary\\.(source|lake|batch|delta|guard|shutdown|signals|quality|evolution)"
                                    + "\\.[a-z-]+(\\.[a-z\"][^\\s=`]*)?")
                    .matcher(Files.readString(file));
            while (key.find()) {
                String name = key.group().replaceAll("[.:;,]$", "");
                assertThat(known.covering(name)).as(file + " names " + name).isPresent();
            }
        }
    }

    @Test
    void theImageCopiesWhatTheBuildMakesAndNothingThatIsIgnored() throws IOException {
        List<String> copied = Files.readAllLines(Path.of("deploy/Dockerfile.jvm")).stream()
                .filter(line -> line.startsWith("COPY "))
                .map(line -> line.split(" ", -1)[1])
                .toList();

        assertThat(copied).hasSize(4).allMatch(path -> path.startsWith("target/quarkus-app/"));
        assertThat(Files.readAllLines(Path.of(".dockerignore"))).contains("*", "!target/quarkus-app");
    }

    @Test
    void composeMountsAndBuildsFilesThatExist() throws IOException {
        String compose = Files.readString(Path.of("deploy/compose.yaml"));
        Matcher mount = Pattern.compile("- (\\./[^:]+):").matcher(compose);
        List<String> mounted = new ArrayList<>();
        while (mount.find()) {
            mounted.add(mount.group(1));
            assertThat(Path.of("deploy").resolve(mount.group(1))).isRegularFile();
        }

        assertThat(mounted).hasSize(2);
        assertThat(compose).contains("dockerfile: deploy/Dockerfile.jvm");
        assertThat(Path.of("deploy/Dockerfile.jvm")).isRegularFile();
    }

    @Test
    void filesThatTheReadmeLinksToExist() throws IOException {
        Matcher link = Pattern.compile("]\\(([^)#:]+)\\)").matcher(Files.readString(Path.of("README.md")));
        while (link.find()) {
            assertThat(Path.of(link.group(1))).exists();
        }
    }

    private static SmallRyeConfig read(Path file) throws IOException {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withSources(new PropertiesConfigSource(file.toUri().toURL()), new EnvConfigSource(ENVIRONMENT, 300))
                .withMapping(SourceConfig.class)
                .withMapping(LakeConfig.class)
                .withMapping(DeltaConfig.class)
                .withMapping(BatchConfig.class)
                .withMapping(GuardConfig.class)
                .withMapping(ShutdownConfig.class)
                .build();
    }
}

package io.tributary.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tributary.event.TableId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with a lake's configuration is said once, with where and how to mend it. */
class LakeConfigurationTest {

    @TempDir
    Path folder;

    @Test
    void missingPathIsAskedFor() {
        assertThatThrownBy(() -> open(Optional.empty(), "{schema}/{table}", Map.of()))
                .isInstanceOf(LakeConfigurationException.class)
                .hasMessage("tributary.lake.path is not set: give the lake's root, such as file:///data/lake");
    }

    @ParameterizedTest
    @ValueSource(strings = {"data/lake", "/data/lake", "file:lake", "file://host/lake", "", "file:"})
    void pathWithoutSchemeOrRootIsRefused(String path) {
        assertThatThrownBy(() -> open(Optional.of(path), "{schema}/{table}", Map.of()))
                .isInstanceOf(LakeConfigurationException.class)
                .hasMessageContaining("tributary.lake.path=" + path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3a://bucket/lake", "ftp://host/lake"})
    void unknownSchemeIsRefusedWithTheKnownOnes(String path) {
        assertThatThrownBy(() -> open(Optional.of(path), "{schema}/{table}", Map.of()))
                .isInstanceOf(LakeConfigurationException.class)
                .hasMessageContaining("there is no storage for the scheme")
                .hasMessageContaining("abfs, abfss, file,")
                .hasMessageContaining(", gs,")
                .hasMessageContaining(", hdfs");
    }

    @Test
    void schemeWhoseClientIsMissingIsRefused() {
        assertThatThrownBy(() -> open(Optional.of("gs://bucket/lake"), "{schema}/{table}", Map.of()))
                .isInstanceOf(LakeConfigurationException.class)
                .hasMessageContaining("tributary.lake.path=gs://bucket/lake can't be opened")
                .hasMessageContaining("client library");
    }

    @Test
    void fileInTheWayIsRefused() throws Exception {
        Files.writeString(folder.resolve("lake"), "not a folder");

        assertThatThrownBy(() -> open(Optional.of("file://" + folder + "/lake"), "{schema}/{table}", Map.of()))
                .isInstanceOf(LakeConfigurationException.class)
                .hasMessageContaining("can't write to file:" + folder + "/lake/_tributary/shop/journal");
    }

    @Test
    void storageThatIsNotPutIfAbsentIsRefused() {
        LakeStorage careless = new LakeStorage(new HookedFileIO(true), "file:" + folder);

        assertThatThrownBy(() -> careless.requireWritable("journal"))
                .isInstanceOf(LakeConfigurationException.class)
                .hasMessageContaining("put-if-absent");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{table} | must both be in it",
                "{schema}.{table} | folders of their own",
                "{schema}/{table}/{day} | {day} is unknown",
                "_x/{schema}/{table} | must not be empty nor start with",
                "/{schema}/{table} | must not be empty nor start with",
            })
    void templateThatCouldMixTablesIsRefused(String template, String why) {
        assertThatThrownBy(() -> open(Optional.of("file://" + folder), template, Map.of()))
                .isInstanceOf(LakeConfigurationException.class)
                .hasMessageContaining("tributary.lake.table-path=" + template)
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource({
        "delta.setTransactionRetentionDuration, interval 1 days, second time",
        "DELTA.settransactionretentionduration, interval 1 days, second time",
        "delta.columnMapping.mode, name, source's names",
        "delta.dataSkippingStatsColumns, id, statistics",
        "tributary.owner, me, Tributary's own",
        "delta.noSuchThing, 1, delta.noSuchThing",
        "delta.checkpointInterval, never, never",
        "delta.checkpointInterval, 0, delta.checkpointInterval",
    })
    void badTablePropertyIsRefused(String key, String value, String why) {
        assertThatThrownBy(() -> open(Optional.of("file://" + folder), "{schema}/{table}", Map.of(key, value)))
                .isInstanceOf(LakeConfigurationException.class)
                .hasMessageContaining("tributary.delta.properties")
                .hasMessageContaining(why);
    }

    @Test
    void lakeInAFolderWithSpacesOpens() throws Exception {
        Path spaced = Files.createDirectory(folder.resolve("my lake %20"));

        open(Optional.of("file://" + spaced), "{schema}/{table}", Map.of()).close();

        assertThat(spaced.resolve("_tributary/shop/journal")).isEmptyDirectory();
    }

    @Test
    void templateMayNameTheSource() {
        TablePaths paths = new TablePaths("bronze/{source}/{schema}/t_{table}", "shop");

        assertThat(paths.of(new TableId("public", "Orders"))).isEqualTo("bronze/shop/public/t_Orders");
        assertThat(new TablePaths("{schema}/{table}", "shop").of(new TableId("_tributary", "..")))
                .isEqualTo("~5Ftributary/~2E.");
    }

    private static DeltaLake open(Optional<String> path, String template, Map<String, String> properties) {
        DeltaLake lake = DeltaLake.open(
                new TestLake.Lake(path, template, Map.of()),
                new TestLake.Delta(properties),
                "shop",
                "w1",
                Clock.systemUTC());
        lake.requireWritable();
        return lake;
    }
}

package io.tributary.delta;

import static io.tributary.delta.TestLake.FACTS;
import static io.tributary.delta.TestLake.IDENTITY;
import static io.tributary.delta.TestLake.commitOf;
import static io.tributary.delta.TestLake.followed;
import static io.tributary.delta.TestLake.inserted;
import static io.tributary.delta.TestLake.layout;
import static io.tributary.delta.TestLake.schema;
import static io.tributary.delta.TestLake.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.delta.kernel.Snapshot;
import io.delta.kernel.TableManager;
import io.delta.kernel.Transaction;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.StructField;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterable;
import io.tributary.batch.StagedFile;
import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.TableSchema;
import io.tributary.testing.DeltaReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What has to hold of Kernel's internals; the first thing to run when Kernel moves. */
class KernelInternalsTest {

    private static final TableSchema SCHEMA = schema(Simple.BIGINT);

    @TempDir
    Path folder;

    private final LakeEngine engine = new LakeEngine(new LocalFileIO("file"));
    private Path table;

    @BeforeEach
    void makeTable() throws Exception {
        table = folder.resolve("shop/orders");
        try (DeltaLake lake = TestLake.open(folder, "w1")) {
            lake.create(layout(SCHEMA, 1), IDENTITY);
        }
    }

    @Test
    void newTableNeedsNoReaderFeature() throws Exception {
        JsonNode protocol = action(0, "protocol");
        assertThat(protocol.get("minReaderVersion").intValue()).isEqualTo(1);
        assertThat(protocol.has("readerFeatures")).isFalse();
    }

    @Test
    void wallClockColumnBringsItsFeatureAndNoOther() throws Exception {
        TableSchema wider = schema(Simple.BIGINT, new ColumnType.Array(Simple.TIMESTAMP_NTZ));
        try (DeltaLake lake = TestLake.open(folder, "w1")) {
            BronzeTable made = lake.create(layout(SCHEMA, 1), IDENTITY);
            List<StagedFile> files =
                    stage(lake, 1, followed(wider, 2), 1, List.of(inserted(wider, 1L, new Object[] {2L, null})));
            lake.commit(1, commitOf(made, layout(wider, 2), files), FACTS);
        }

        JsonNode protocol = action(1, "protocol");
        assertThat(protocol.get("readerFeatures"))
                .extracting(JsonNode::textValue)
                .containsExactly("timestampNtz");
        assertThat(protocol.get("writerFeatures"))
                .extracting(JsonNode::textValue)
                .contains("timestampNtz", "changeDataFeed");
        assertThat(DeltaReader.rows(table).get(0).get("c1")).isEqualTo(java.util.Arrays.asList(2L, null));
    }

    @Test
    void evolvedCommitHasSchemaDataAndTransactionInOneVersion() throws Exception {
        Snapshot before = snapshot();
        StructType grown =
                new StructType(before.getSchema().fields()).add(new StructField("later", IntegerType.INTEGER, true));

        Transaction transaction = KernelInternals.evolve(
                before,
                grown,
                Map.of("some.property", "x"),
                "app",
                7,
                KernelInternals.FactsCommitter.INSTANCE,
                Clock.systemUTC());
        long version =
                transaction.commit(engine, CloseableIterable.emptyIterable()).getVersion();

        assertThat(version).isEqualTo(1);
        assertThat(action(1, "metaData").get("schemaString").textValue()).contains("\"later\"");
        assertThat(action(1, "metaData").get("id"))
                .isEqualTo(action(0, "metaData").get("id"));
        assertThat(action(1, "txn").get("version").longValue()).isEqualTo(7);
        assertThat(KernelInternals.lastTransaction(engine, snapshot(), "app")).isEqualTo(OptionalLong.of(7));
        assertThat(KernelInternals.lastTransaction(engine, snapshot(), "other")).isEmpty();
        assertThat(DeltaReader.properties(table))
                .containsEntry("some.property", "x")
                .containsKey("tributary.owner");
    }

    @Test
    void schemaThatDeltaRefusesIsNotWritten() {
        Snapshot before = snapshot();
        for (String bad : List.of("C0", "a b", "x,y")) {
            StructType grown =
                    new StructType(before.getSchema().fields()).add(new StructField(bad, IntegerType.INTEGER, true));
            assertThatThrownBy(() -> KernelInternals.evolve(
                            before,
                            grown,
                            Map.of(),
                            "app",
                            1,
                            KernelInternals.FactsCommitter.INSTANCE,
                            Clock.systemUTC()))
                    .as(bad)
                    .isInstanceOf(RuntimeException.class);
        }
    }

    @Test
    void statisticsStandInTheLogAsTheyWere() throws Exception {
        StagedFile file = new StagedFile("x.parquet", 5, 6, 1, "{\"numRecords\":1,\"odd\":\"\\u0000\"}");
        Optional<Snapshot> after = snapshot()
                .buildUpdateTableTransaction("t", io.delta.kernel.Operation.WRITE)
                .build(engine)
                .commit(
                        engine,
                        CloseableIterable.inMemoryIterable(
                                KernelInternals.iterator(List.of(KernelInternals.addFile(file)))))
                .getPostCommitSnapshot();

        assertThat(after).isPresent();
        JsonNode add = action(1, "add");
        assertThat(add.get("stats").textValue()).isEqualTo(file.statistics());
        assertThat(add.get("size").longValue()).isEqualTo(5);
        assertThat(add.get("modificationTime").longValue()).isEqualTo(6);
        assertThat(add.get("dataChange").booleanValue()).isTrue();
    }

    @Test
    void versionFileIsTheSnapshotsOwn() {
        assertThat(KernelInternals.versionFile(snapshot()).getPath()).endsWith("/_delta_log/00000000000000000000.json");
        assertThat(KernelInternals.mapsColumns(snapshot())).isFalse();
        assertThat(KernelInternals.tableId(snapshot())).isNotEmpty();
    }

    private Snapshot snapshot() {
        return TableManager.loadSnapshot(table.toString()).build(engine);
    }

    private JsonNode action(long version, String kind) throws IOException {
        return DeltaReader.actions(table, version).stream()
                .filter(action -> action.has(kind))
                .findFirst()
                .orElseThrow()
                .get(kind);
    }
}

package io.tributary.delta;

import static io.tributary.delta.TestLake.FACTS;
import static io.tributary.delta.TestLake.IDENTITY;
import static io.tributary.delta.TestLake.ORDERS;
import static io.tributary.delta.TestLake.commitOf;
import static io.tributary.delta.TestLake.followed;
import static io.tributary.delta.TestLake.inserted;
import static io.tributary.delta.TestLake.layout;
import static io.tributary.delta.TestLake.schema;
import static io.tributary.delta.TestLake.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tributary.batch.StagedFile;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.SourceIdentity;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import io.tributary.testing.DeltaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits to real tables, read back by Kernel's reader. */
class DeltaLakeTest {

    private static final TableSchema SCHEMA = schema(Simple.BIGINT, Simple.STRING);

    @TempDir
    Path folder;

    private Path table;
    private DeltaLake lake;

    @BeforeEach
    void open() {
        table = folder.resolve("shop/orders");
        lake = TestLake.open(folder, "w1");
    }

    @AfterEach
    void close() {
        lake.close();
    }

    @Test
    void newTableIsEmptyAndTellsItsOwnerAndLayout() throws Exception {
        BronzeTable made = lake.create(layout(SCHEMA, 1), IDENTITY);

        assertThat(made.version()).isZero();
        assertThat(made.lastBatch()).isEmpty();
        assertThat(DeltaReader.rows(table)).isEmpty();
        assertThat(DeltaReader.properties(table))
                .containsEntry("delta.enableChangeDataFeed", "true")
                .containsEntry("delta.checkpointInterval", "50")
                .containsEntry("delta.dataSkippingStatsColumns", "c0,c1,_cdc_seq,_cdc_source_time")
                .containsEntry("tributary.format", "1")
                .containsEntry("tributary.source", "shop")
                .containsEntry(
                        "tributary.owner", "{\"kind\":\"postgres\",\"server\":\"7301\",\"database\":\"shopdb\"}");
        assertThat(TestLake.open(folder, "w2").load(ORDERS)).contains(made);
    }

    @Test
    void committedBatchIsReadBackWhole() throws Exception {
        BronzeTable made = lake.create(layout(SCHEMA, 1), IDENTITY);
        List<StagedFile> files =
                stage(lake, 1, followed(SCHEMA, 1), 10, List.of(inserted(SCHEMA, 1L, "a"), inserted(SCHEMA, 2L, null)));

        CommitOutcome outcome = lake.commit(1, commitOf(made, layout(SCHEMA, 1), files), FACTS);

        assertThat(outcome).isEqualTo(new CommitOutcome.Committed(1));
        List<Map<String, Object>> rows = DeltaReader.rows(table);
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0))
                .containsEntry("c0", 1L)
                .containsEntry("c1", "a")
                .containsEntry("_cdc_op", "c")
                .containsEntry("_cdc_seq", 10L)
                .containsEntry("_cdc_tx", "777")
                .containsEntry("_cdc_position", "0/16B3700")
                .containsEntry("_cdc_source_time", 1_700_000_000_123_456L)
                .containsEntry("_cdc_ingest_time", 1_700_000_001_000_000L)
                .containsEntry("_cdc_schema_version", 1)
                .containsEntry("_cdc_snapshot", null)
                .containsEntry("_cdc_image", "full")
                .containsEntry("_cdc_unchanged", null)
                .containsEntry("_cdc_raw", null);
        assertThat(rows.get(1)).containsEntry("c0", 2L).containsEntry("c1", null);
        DeltaReader.assertLogIsSound(table);
        assertThat(files.get(0).path()).isEqualTo("00000000000000000001-w1-00000001.parquet");
    }

    @Test
    void commitSaysWhatItIs() throws Exception {
        commitOneRow(7, 10);

        JsonNode info = DeltaReader.actions(table, 1).get(0).get("commitInfo");
        assertThat(info.get("operation").textValue()).isEqualTo("STREAMING UPDATE");
        assertThat(info.get("isBlindAppend").booleanValue()).isTrue();
        assertThat(info.get("operationMetrics").get("numOutputRows").textValue())
                .isEqualTo("1");
        assertThat(info.get("userMetadata").textValue())
                .isEqualTo("{\"source\":\"shop\",\"batch\":7,\"position\":\"0/16B3748\",\"lastSequence\":42}");
    }

    @Test
    void sameBatchTwiceIsCommittedOnce() throws Exception {
        TableCommit commit = commitOneRow(1, 10);
        commitOneRow(2, 11);

        assertThat(lake.commit(1, commit, FACTS)).isEqualTo(new CommitOutcome.AlreadyCommitted(1));
        // also when nothing is remembered
        assertThat(TestLake.open(folder, "w2").commit(1, commit, FACTS))
                .isEqualTo(new CommitOutcome.AlreadyCommitted(1));
        assertThat(DeltaReader.rows(table)).hasSize(2);
    }

    @Test
    void zombiesBatchIsNotTakenAfterALaterOne() throws Exception {
        BronzeTable made = lake.create(layout(SCHEMA, 1), IDENTITY);
        DeltaLake zombie = TestLake.open(folder, "w0");
        assertThat(zombie.load(ORDERS)).contains(made);
        List<StagedFile> files = stage(zombie, 1, followed(SCHEMA, 1), 10, List.of(inserted(SCHEMA, 1L, "zombie")));
        commitOneRow(2, 11);

        CommitOutcome outcome = zombie.commit(1, commitOf(made, layout(SCHEMA, 1), files), FACTS);

        assertThat(outcome).isEqualTo(new CommitOutcome.AlreadyCommitted(1));
        assertThat(DeltaReader.rows(table))
                .extracting(row -> row.get("_cdc_seq"))
                .containsExactly(11L);
    }

    @Test
    void addedColumnComesWithTheFirstRowThatHasIt() throws Exception {
        commitOneRow(1, 10);
        TableSchema wider = schema(Simple.BIGINT, Simple.STRING, Simple.TIMESTAMP_NTZ);
        BronzeTable before = lake.load(ORDERS).orElseThrow();
        List<StagedFile> files =
                stage(lake, 2, followed(wider, 2), 11, List.of(inserted(wider, 2L, "b", 1_700_000_000_000_001L)));

        CommitOutcome outcome = lake.commit(2, commitOf(before, layout(wider, 2), files), FACTS);

        assertThat(outcome).isEqualTo(new CommitOutcome.Committed(2));
        assertThat(DeltaReader.rows(table))
                .extracting(row -> row.get("c2"))
                .containsExactly(null, 1_700_000_000_000_001L);
        assertThat(DeltaReader.schema(table).fieldNames()).startsWith("c0", "c1", "c2", "_cdc_op");
        assertThat(lake.load(ORDERS).orElseThrow().layout()).isEqualTo(layout(wider, 2));
        assertThat(lake.load(ORDERS).orElseThrow().lastBatch()).isEqualTo(OptionalLong.of(2));
        assertThat(TestLake.open(folder, "w2").load(ORDERS)).isEqualTo(lake.load(ORDERS));
        DeltaReader.assertLogIsSound(table);
        // and the chain goes on
        commitOneRow(3, 12, wider, 2);
        assertThat(DeltaReader.rows(table, 2)).hasSize(2);
        assertThat(DeltaReader.rows(table)).hasSize(3);
    }

    @Test
    void twoWritersOfOneTableLoseNothing() throws Exception {
        // two sources may not share a table, but OPTIMIZE and friends may write between
        commitOneRow(1, 10);
        DeltaLake other = TestLake.open(folder, "w2");
        assertThat(other.load(ORDERS)).isPresent();
        commitOneRow(2, 11);

        BronzeTable seen = other.load(ORDERS).orElseThrow();
        List<StagedFile> files = stage(other, 3, followed(SCHEMA, 1), 12, List.of(inserted(SCHEMA, 3L, "c")));
        assertThat(other.commit(3, commitOf(seen, layout(SCHEMA, 1), files), FACTS))
                .isEqualTo(new CommitOutcome.Committed(3));
        commitOneRow(4, 13);

        assertThat(DeltaReader.rows(table))
                .extracting(row -> row.get("_cdc_seq"))
                .containsExactly(10L, 11L, 12L, 13L);
        DeltaReader.assertLogIsSound(table);
    }

    @Test
    void tableOfAnotherOwnerIsRefused() throws Exception {
        lake.create(layout(SCHEMA, 1), IDENTITY);

        SourceIdentity moved = new SourceIdentity("postgres", "9999", 1, "shopdb", "tributary_shop");
        assertThatThrownBy(() -> lake.create(layout(SCHEMA, 1), moved))
                .isInstanceOf(TableBlockedException.class)
                .hasMessageContaining("7301")
                .hasMessageContaining("9999");
        assertThatThrownBy(() -> TestLake.open(folder, "other", "w2").load(ORDERS))
                .isInstanceOf(TableBlockedException.class)
                .hasMessageContaining("belongs to the source shop and not to other");
        // a failover changes timeline and slot only
        SourceIdentity failedOver = new SourceIdentity("postgres", "7301", 2, "shopdb", "tributary_new");
        assertThat(lake.create(layout(SCHEMA, 1), failedOver).version()).isZero();
    }

    @Test
    void replacedTableBlocksTheCommit() throws Exception {
        TableCommit commit = commitOneRow(1, 10);
        Files.move(table.resolve("_delta_log"), folder.resolve("away"));
        assertThatThrownBy(() -> lake.verify(commit)).hasMessageContaining("is gone");

        lake.create(layout(SCHEMA, 1), IDENTITY);

        assertThatThrownBy(() -> lake.verify(commit))
                .isInstanceOf(TableBlockedException.class)
                .hasMessageContaining("it was replaced");
        assertThatThrownBy(() -> lake.commit(1, commit, FACTS)).hasMessageContaining("it was replaced");
    }

    @Test
    void missingStagedFileBlocksTheCommit() throws Exception {
        BronzeTable made = lake.create(layout(SCHEMA, 1), IDENTITY);
        List<StagedFile> files = stage(lake, 1, followed(SCHEMA, 1), 10, List.of(inserted(SCHEMA, 1L, "a")));
        Files.delete(table.resolve(files.get(0).path()));

        assertThatThrownBy(() -> lake.commit(1, commitOf(made, layout(SCHEMA, 1), files), FACTS))
                .isInstanceOf(TableBlockedException.class)
                .hasMessageContaining("the staged file 00000000000000000001-w1-00000001.parquet")
                .hasMessageContaining("is gone");
        assertThat(DeltaReader.version(table)).isZero();
    }

    @Test
    void columnOfAnotherTypeBlocksTheCommit() throws Exception {
        TableCommit commit = commitOneRow(1, 10);
        TableSchema other = schema(Simple.BIGINT, Simple.INT);

        TableCommit unfit =
                new TableCommit(ORDERS, commit.path(), commit.deltaId(), layout(other, 2), 1, commit.files());

        assertThatThrownBy(() -> lake.verify(unfit))
                .hasMessageContaining("its column c1 is string and the rows have integer");
    }

    @Test
    void checkpointsAreWrittenBesideTheCommits() throws Exception {
        for (int batch = 1; batch <= 60; batch++) {
            commitOneRow(batch, batch);
        }
        lake.close();
        // what comes while a checksum is counted goes without; the first commit of an idle upkeep gets one
        lake = TestLake.open(folder, "w3");
        commitOneRow(61, 61);
        lake.close();

        // the newest version when the upkeep came to it
        assertThat(table.resolve("_delta_log"))
                .isDirectoryContaining("glob:**/000000000000000000[56]*.checkpoint.parquet");
        assertThat(table.resolve("_delta_log/00000000000000000061.crc")).isNotEmptyFile();
        assertThat(DeltaReader.rows(table)).hasSize(61);
        BronzeTable reloaded = TestLake.open(folder, "w2").load(ORDERS).orElseThrow();
        assertThat(reloaded.lastBatch()).isEqualTo(OptionalLong.of(61));
        assertThat(reloaded.version()).isEqualTo(61);
    }

    @Test
    void anotherSchemeMayStandForTheSameDisk() throws Exception {
        try (DeltaLake wrapped = DeltaLake.open(
                new LakeStorage(new LocalFileIO("fault"), "fault:" + folder),
                new TablePaths("{schema}/{table}", "shop"),
                new TableProperties(Map.of()),
                "shop",
                "w2",
                StagedRowWriter.Limits.DEFAULT,
                Clock.systemUTC())) {
            BronzeTable made = wrapped.create(layout(SCHEMA, 1), IDENTITY);
            List<StagedFile> files = stage(wrapped, 1, followed(SCHEMA, 1), 10, List.of(inserted(SCHEMA, 1L, "a")));
            wrapped.commit(1, commitOf(made, layout(SCHEMA, 1), files), FACTS);
        }
        assertThat(DeltaReader.rows(table)).hasSize(1);
        assertThat(lake.load(ORDERS).orElseThrow().version()).isEqualTo(1);
    }

    @Test
    void namesThatNeedEscapesAreReadable() throws Exception {
        TableId odd = new TableId("Größe %", "_a b/c#d");
        TableSchema schema = new TableSchema(odd, SCHEMA.columns());
        BronzeTable made = lake.create(layout(schema, 1), IDENTITY);
        List<StagedFile> files = stage(lake, 1, followed(schema, 1), 10, List.of(inserted(schema, 1L, "a")));
        lake.commit(1, commitOf(made, layout(schema, 1), files), FACTS);

        Path path = folder.resolve("Gr~C3~B6~C3~9Fe~20~25/~5Fa~20b~2Fc~23d");
        assertThat(DeltaReader.rows(path)).hasSize(1);
        DeltaReader.assertLogIsSound(path);
    }

    private TableCommit commitOneRow(long batch, long sequence) throws IOException, TableBlockedException {
        return commitOneRow(batch, sequence, SCHEMA, 1);
    }

    private TableCommit commitOneRow(long batch, long sequence, TableSchema schema, int version)
            throws IOException, TableBlockedException {
        BronzeTable made = lake.create(layout(SCHEMA, 1), IDENTITY);
        Object[] values = new Object[schema.columns().size()];
        values[0] = batch;
        List<StagedFile> files =
                stage(lake, batch, followed(schema, version), sequence, List.of(inserted(schema, values)));
        TableCommit commit = commitOf(made, layout(schema, version), files);
        lake.verify(commit);
        lake.commit(batch, commit, FACTS);
        return commit;
    }
}

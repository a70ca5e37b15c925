package io.tributary.delta;

import static io.tributary.delta.TestLake.ORDERS;
import static io.tributary.delta.TestLake.followed;
import static io.tributary.delta.TestLake.inserted;
import static io.tributary.delta.TestLake.origin;
import static io.tributary.delta.TestLake.schema;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import io.tributary.batch.RowWriter;
import io.tributary.batch.StagedFile;
import io.tributary.event.ChangeEvent;
import io.tributary.event.Column;
import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.RawValue;
import io.tributary.event.RowImage;
import io.tributary.event.TableSchema;
import io.tributary.evolution.BronzeColumn;
import io.tributary.evolution.FollowedSchema;
import io.tributary.evolution.TableLayout;
import io.tributary.testing.DeltaReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Staged files on a real disk. */
class StagedRowWriterTest {

    private static final TableSchema SCHEMA = schema(Simple.BIGINT, Simple.STRING);

    @TempDir
    Path folder;

    @Test
    void noRowsMakeNoFile() throws Exception {
        try (RowWriter writer = writer(SCHEMA, StagedRowWriter.Limits.DEFAULT)) {
            writer.spill();
            assertThat(writer.finish()).isEmpty();
        }
        assertThat(folder.resolve("shop")).doesNotExist();
    }

    @Test
    void unfinishedRowsLeaveNothing() throws Exception {
        try (RowWriter writer = writer(SCHEMA, new StagedRowWriter.Limits(1, 1))) {
            writer.append(1, inserted(SCHEMA, 1L, "a"));
            writer.append(2, inserted(SCHEMA, 2L, "b"));
            assertThat(parquetFiles()).hasSize(2);
        }
        assertThat(parquetFiles()).isEmpty();
    }

    @Test
    void failedRowLeavesNothing() throws Exception {
        TableSchema decimals = schema(new ColumnType.Decimal(5, 2));
        try (RowWriter writer = writer(decimals, StagedRowWriter.Limits.DEFAULT)) {
            writer.append(1, inserted(decimals, new BigDecimal("1.00")));
            writer.spill();
            assertThatThrownBy(() -> writer.append(2, inserted(decimals, new BigDecimal("1.001"))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("scale 3 for a column of DECIMAL(5,2)");
        }
        assertThat(parquetFiles()).isEmpty();
    }

    @Test
    void spilledRowsStayInOneFile() throws Exception {
        List<StagedFile> staged;
        try (RowWriter writer = writer(SCHEMA, StagedRowWriter.Limits.DEFAULT)) {
            for (long i = 1; i <= 3; i++) {
                writer.append(i, inserted(SCHEMA, i, "x".repeat(1000)));
                assertThat(writer.bufferedBytes()).isBetween(1000L, 2000L);
                writer.spill();
                assertThat(writer.bufferedBytes()).isZero();
            }
            staged = writer.finish();
        }
        assertThat(staged).hasSize(1);
        assertThat(staged.get(0).rows()).isEqualTo(3);
        ParquetMetadata footer = footer(staged.get(0));
        assertThat(footer.getBlocks()).extracting(block -> block.getRowCount()).containsExactly(1L, 1L, 1L);
        assertThat(footer.getFileMetaData().getKeyValueMetaData()).containsEntry("org.apache.spark.version", "3.5.0");
        assertThat(footer.getBlocks().get(0).getColumns().get(0).getCodec()).isEqualTo(CompressionCodecName.ZSTD);
    }

    @Test
    void filesRollAndKeepTheOrder() throws Exception {
        List<StagedFile> staged;
        try (RowWriter writer = writer(SCHEMA, new StagedRowWriter.Limits(1, 1))) {
            for (long i = 1; i <= 3; i++) {
                writer.append(i, inserted(SCHEMA, i, "x"));
            }
            staged = writer.finish();
        }
        assertThat(staged)
                .extracting(StagedFile::path)
                .containsExactly(
                        "00000000000000000005-w1-00000001.parquet",
                        "00000000000000000005-w1-00000002.parquet",
                        "00000000000000000005-w1-00000003.parquet");
        assertThat(staged)
                .allSatisfy(file ->
                        assertThat(folder.resolve("shop/orders/" + file.path())).hasSize(file.sizeBytes()));
    }

    @Test
    void statisticsAreDeltas() throws Exception {
        try (RowWriter writer = writer(SCHEMA, StagedRowWriter.Limits.DEFAULT)) {
            writer.append(7, inserted(SCHEMA, 3L, null));
            writer.append(9, inserted(SCHEMA, -2L, null));

            assertThat(writer.finish().get(0).statistics())
                    .isEqualTo("{\"numRecords\":2,"
                            + "\"minValues\":{\"c0\":-2,\"_cdc_seq\":7,\"_cdc_source_time\":\"2023-11-14T22:13:20.123Z\"},"
                            + "\"maxValues\":{\"c0\":3,\"_cdc_seq\":9,\"_cdc_source_time\":\"2023-11-14T22:13:20.124Z\"},"
                            + "\"nullCount\":{\"c0\":0,\"c1\":2,\"_cdc_seq\":0,\"_cdc_source_time\":0}}");
        }
    }

    @Test
    void keyColumnsHaveStatisticsWhereverTheyStand() {
        List<BronzeColumn> columns = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            columns.add(new BronzeColumn("a" + i, Simple.INT, "a" + i, "integer", i == 39));
        }
        String property = FileStatistics.columnsProperty(new TableLayout(ORDERS, 1, columns));

        assertThat(property.split(","))
                .hasSize(32 + 1 + 2)
                .contains("a0", "a31", "a39", "_cdc_seq", "_cdc_source_time")
                .doesNotContain("a32");
    }

    @Test
    void everyKindOfEventSaysWhatItIs() throws Exception {
        TableSchema source = new TableSchema(
                ORDERS,
                List.of(
                        new Column("id", Simple.BIGINT, "bigint", true),
                        new Column("_cdc_op", Simple.STRING, "text", false),
                        new Column("born", Simple.DATE, "date", false)));
        // one column got a safe name, and the table has one that the source lost
        TableLayout layout = new TableLayout(
                ORDERS,
                4,
                List.of(
                        new BronzeColumn("id", Simple.BIGINT, "id", "bigint", true),
                        new BronzeColumn("old", Simple.INT, "old", "integer", false),
                        new BronzeColumn("x_cdc_op", Simple.STRING, "_cdc_op", "text", false),
                        new BronzeColumn("born", Simple.DATE, "born", "date", false)));
        FollowedSchema followed = new FollowedSchema(layout, source, List.of(0, -1, 1, 2), List.of());
        RowImage full =
                image(RowImage.Extent.FULL, List.of(), List.of(new RawValue("born", "", "infinity")), 1L, "a", null);
        RowImage partial = image(RowImage.Extent.PARTIAL, List.of("_cdc_op"), List.of(), 1L, null, 5);
        RowImage key = image(RowImage.Extent.KEY, List.of(), List.of(), 1L, null, null);

        List<Map<String, @Nullable Object>> rows;
        try (DeltaLake lake = TestLake.open(folder, "w1")) {
            BronzeTable made = lake.create(layout, TestLake.IDENTITY);
            List<StagedFile> files = new ArrayList<>();
            try (RowWriter writer = lake.writers().open(1, followed, OptionalLong.of(3))) {
                writer.append(1, new ChangeEvent.Truncated(source, origin()));
                writer.append(2, new ChangeEvent.Read(source, origin(), full));
                files.addAll(writer.finish());
            }
            try (RowWriter writer = lake.writers().open(1, followed, OptionalLong.empty())) {
                writer.append(3, new ChangeEvent.Inserted(source, origin(), full));
                writer.append(4, new ChangeEvent.Updated(source, origin(), partial, Optional.of(full)));
                writer.append(5, new ChangeEvent.Deleted(source, origin(), key));
                writer.append(6, new ChangeEvent.Truncated(source, origin()));
                assertThatThrownBy(() -> writer.append(7, new ChangeEvent.Read(source, origin(), full)))
                        .hasMessageContaining("outside a snapshot");
            }
            try (RowWriter writer = lake.writers().open(1, followed, OptionalLong.empty())) {
                writer.append(3, new ChangeEvent.Inserted(source, origin(), full));
                writer.append(4, new ChangeEvent.Updated(source, origin(), partial, Optional.of(full)));
                writer.append(5, new ChangeEvent.Deleted(source, origin(), key));
                writer.append(6, new ChangeEvent.Truncated(source, origin()));
                files.addAll(writer.finish());
            }
            lake.commit(1, TestLake.commitOf(made, layout, files), TestLake.FACTS);
            rows = DeltaReader.rows(folder.resolve("shop/orders"));
        }

        assertThat(rows).extracting(row -> row.get("_cdc_op")).containsExactly("t", "r", "c", "u", "d", "t");
        assertThat(rows).extracting(row -> row.get("_cdc_snapshot")).containsExactly(3L, 3L, null, null, null, null);
        assertThat(rows)
                .extracting(row -> row.get("_cdc_image"))
                .containsExactly(null, "full", "full", "partial", "key", null);
        assertThat(rows).extracting(row -> row.get("id")).containsExactly(null, 1L, 1L, 1L, 1L, null);
        assertThat(rows).extracting(row -> row.get("old")).containsOnlyNulls();
        assertThat(rows).extracting(row -> row.get("x_cdc_op")).containsExactly(null, "a", "a", null, null, null);
        assertThat(rows)
                .extracting(row -> row.get("_cdc_unchanged"))
                .containsExactly(null, null, null, List.of("x_cdc_op"), null, null);
        assertThat(rows.get(1))
                .containsEntry("_cdc_raw", List.of(Map.of("column", "born", "path", "", "text", "infinity")))
                .containsEntry("_cdc_schema_version", 4);
        assertThat(rows.get(3)).containsEntry("_cdc_raw", null).containsEntry("born", 5);
        DeltaReader.assertLogIsSound(folder.resolve("shop/orders"));
    }

    @Test
    void hugeValuesDoNotPileUp() throws Exception {
        // 40 values of 8 MB each would be 320 MB on the heap; a row group ends after the second
        byte[] noise = new byte[8 << 20];
        new Random(1).nextBytes(noise);
        TableSchema binary = schema(Simple.BINARY);
        long most = 0;
        try (RowWriter writer = writer(binary, StagedRowWriter.Limits.DEFAULT)) {
            for (int i = 0; i < 40; i++) {
                writer.append(i, inserted(binary, noise));
                most = Math.max(most, writer.bufferedBytes());
            }
            assertThat(writer.finish()).extracting(StagedFile::rows).containsExactly(16L, 16L, 8L);
        }
        assertThat(most).isLessThan(16L << 20);
    }

    @Test
    void millionRowsTakeBoundedMemory() throws Exception {
        TableSchema wide = schema(
                Simple.BIGINT,
                Simple.STRING,
                Simple.STRING,
                Simple.TIMESTAMP,
                Simple.DOUBLE,
                new ColumnType.Decimal(20, 2));
        Random random = new Random(1);
        System.gc();
        long before = used();
        long most = 0;
        List<StagedFile> staged;
        try (RowWriter writer = writer(wide, StagedRowWriter.Limits.DEFAULT)) {
            for (int i = 0; i < 1_000_000; i++) {
                writer.append(
                        i,
                        inserted(
                                wide,
                                (long) i,
                                "customer " + random.nextInt(),
                                "note number " + random.nextLong() + " of a customer",
                                1_700_000_000_000_000L + i,
                                random.nextDouble(),
                                BigDecimal.valueOf(random.nextLong(), 2)));
                if (i % 100_000 == 0) {
                    System.gc();
                    most = Math.max(most, used() - before);
                }
            }
            staged = writer.finish();
        }
        assertThat(most).as("live heap while writing").isLessThan(100L << 20);
        assertThat(staged.stream().mapToLong(StagedFile::rows).sum()).isEqualTo(1_000_000);

        long expected = 0;
        for (StagedFile file : staged) {
            for (String text : firstAndThirdColumn(file)) {
                assertThat(text).startsWith(expected + " note number ");
                expected++;
            }
        }
        assertThat(expected).isEqualTo(1_000_000);
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private List<String> firstAndThirdColumn(StagedFile file) throws IOException {
        Engine engine = DefaultEngine.create(new Configuration());
        StructType columns = new StructType().add("c0", LongType.LONG).add("c2", StringType.STRING);
        List<String> texts = new ArrayList<>();
        FileStatus status = FileStatus.of(
                "file:" + folder + "/shop/orders/" + file.path(), file.sizeBytes(), file.modifiedMillis());
        try (CloseableIterator<FileReadResult> read = engine.getParquetHandler()
                .readParquetFiles(Utils.singletonCloseableIterator(status), columns, Optional.empty())) {
            while (read.hasNext()) {
                ColumnarBatch batch = read.next().getData();
                for (int i = 0; i < batch.getSize(); i++) {
                    texts.add(batch.getColumnVector(0).getLong(i) + " "
                            + batch.getColumnVector(1).getString(i));
                }
            }
        }
        return texts;
    }

    private static RowImage image(
            RowImage.Extent extent, List<String> unchanged, List<RawValue> raw, @Nullable Object... values) {
        return new RowImage(values, extent, unchanged, raw);
    }

    private RowWriter writer(TableSchema schema, StagedRowWriter.Limits limits) {
        return new StagedRowWriters(TestLake.storage(folder), new TablePaths("{schema}/{table}", "shop"), "w1", limits)
                .open(5, followed(schema, 1), OptionalLong.empty());
    }

    private List<Path> parquetFiles() throws IOException {
        Path table = folder.resolve("shop/orders");
        if (!Files.exists(table)) {
            return List.of();
        }
        try (var files = Files.list(table)) {
            return files.toList();
        }
    }

    private ParquetMetadata footer(StagedFile file) throws IOException {
        try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromPath(
                new org.apache.hadoop.fs.Path(
                        folder.resolve("shop/orders/" + file.path()).toUri()),
                new Configuration()))) {
            return reader.getFooter();
        }
    }
}

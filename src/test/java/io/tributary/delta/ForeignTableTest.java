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
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.batch.StagedFile;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.TableSchema;
import io.tributary.testing.DeltaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bronze tables that other engines changed, by log entries as those engines write them. */
class ForeignTableTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TableSchema SCHEMA = schema(Simple.BIGINT, Simple.STRING);

    @TempDir
    Path folder;

    private Path table;
    private DeltaLake lake;
    private TableCommit commit;

    @BeforeEach
    void makeTable() throws Exception {
        table = folder.resolve("shop/orders");
        lake = TestLake.open(folder, "w1");
        BronzeTable made = lake.create(layout(SCHEMA, 1), IDENTITY);
        List<StagedFile> files = stage(lake, 1, followed(SCHEMA, 1), 10, List.of(inserted(SCHEMA, 1L, "a")));
        commit = commitOf(made, layout(SCHEMA, 1), files);
    }

    @AfterEach
    void close() {
        lake.close();
    }

    @Test
    void checkConstraintBlocks() throws Exception {
        write(metadata(Map.of("delta.constraints.positive", "c0 > 0")), protocol(1, 4));

        assertBlocked("checkConstraints");
    }

    @Test
    void unknownFeatureBlocksByName() throws Exception {
        write(protocol(
                3,
                7,
                List.of("timeTravelOfTheFuture"),
                List.of("timeTravelOfTheFuture", "changeDataFeed", "appendOnly")));

        assertBlocked("timeTravelOfTheFuture");
    }

    @Test
    void columnMappingBlocks() throws Exception {
        ObjectNode metadata =
                metadata(Map.of("delta.columnMapping.mode", "name", "delta.columnMapping.maxColumnId", "1"));
        write(metadata, protocol(2, 5));

        assertBlocked("columnMapping");
    }

    @Test
    void expiryOfTransactionIdsBlocks() throws Exception {
        write(metadata(Map.of("delta.setTransactionRetentionDuration", "interval 1 days")));

        assertBlocked("delta.setTransactionRetentionDuration");
    }

    @Test
    void tableOfSomeoneElseBlocks() throws Exception {
        ObjectNode metadata = metadata(Map.of());
        ((ObjectNode) metadata.get("metaData").get("configuration")).removeAll();
        write(metadata);

        assertBlocked("it was not made by Tributary");
    }

    @Test
    void newerBronzeFormatBlocks() throws Exception {
        write(metadata(Map.of("tributary.format", "2")));

        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> lake.verify(commit), () -> lake.commit(1, commit, FACTS), () -> lake.load(ORDERS))) {
            assertThatThrownBy(use)
                    .isInstanceOf(LakeConfigurationException.class)
                    .hasMessageContaining("bronze table shop.orders")
                    .hasMessageContaining("was written by a newer Tributary, format 2, and this one knows 1: upgrade");
        }
        assertThat(table.resolve("_delta_log/00000000000000000002.json")).doesNotExist();
    }

    @Test
    void newerProtocolBlocks() throws Exception {
        write(protocol(4, 8));

        assertBlocked("protocol");
    }

    @Test
    void generatedColumnBlocks() throws Exception {
        write(
                changed("c1", field -> field.withObject("/metadata").put("delta.generationExpression", "upper('a')")),
                protocol(1, 4));

        assertBlocked("generatedColumns");
    }

    @Test
    void columnMadeNotNullBlocks() throws Exception {
        write(changed("c1", field -> field.put("nullable", false)));

        assertCommitBlocked("its column c1 is NOT NULL");
    }

    @Test
    void columnOfAnotherTypeBlocks() throws Exception {
        write(changed("c1", field -> field.put("type", "integer")));

        assertCommitBlocked("its column c1 is integer and the rows have string");
    }

    @Test
    void metadataColumnThatIsTakenAwayBlocks() throws Exception {
        write(changed("_cdc_seq", field -> field.put("name", "order_no")));

        assertCommitBlocked("its column _cdc_seq is gone");
    }

    @Test
    void columnThatSomeoneRemovedBlocksInsteadOfComingBackEmpty() throws Exception {
        ObjectNode metadata = metadata(Map.of());
        ObjectNode schema =
                (ObjectNode) JSON.readTree(metadata.at("/metaData/schemaString").textValue());
        schema.withArray("fields").remove(1);
        metadata.withObject("/metaData").put("schemaString", schema.toString());
        write(metadata);

        assertBlocked("of the 2 columns that Tributary gave it only [c0] are left");
    }

    @Test
    void columnThatSomeoneRenamedBlocks() throws Exception {
        write(changed("c1", field -> field.put("name", "w").putObject("metadata")));

        assertBlocked("of the 2 columns that Tributary gave it only [c0] are left");
    }

    @Test
    void renamedColumnThatKeptItsMetadataBlocks() throws Exception {
        write(changed("c1", field -> field.put("name", "w")));

        assertCommitBlocked("its columns [c1] are gone");
    }

    @Test
    void commentsAndPropertiesAreKept() throws Exception {
        ObjectNode commented =
                changed("c1", field -> field.withObject("/metadata").put("comment", "what it is"));
        commented.withObject("/metaData").put("description", "orders of the shop");
        commented
                .withObject("/metaData/configuration")
                .put("owner", "someone")
                .put("delta.appendOnly", "true")
                .put("delta.deletedFileRetentionDuration", "interval 7 days")
                .put("delta.checkpointInterval", "10");
        write(commented);
        TableSchema wider = schema(Simple.BIGINT, Simple.STRING, Simple.DATE);
        List<StagedFile> files = stage(lake, 1, followed(wider, 2), 11, List.of(inserted(wider, 2L, "b", 3)));

        lake.commit(1, new TableCommit(ORDERS, commit.path(), commit.deltaId(), layout(wider, 2), 1, files), FACTS);

        assertThat(DeltaReader.properties(table))
                .containsEntry("owner", "someone")
                .containsEntry("delta.appendOnly", "true")
                .containsEntry("delta.deletedFileRetentionDuration", "interval 7 days")
                .containsEntry("delta.checkpointInterval", "10");
        assertThat(DeltaReader.schema(table).get("c1").getMetadata().getString("comment"))
                .isEqualTo("what it is");
        assertThat(DeltaReader.actions(table, 2))
                .anySatisfy(action ->
                        assertThat(action.at("/metaData/description").asText()).isEqualTo("orders of the shop"));
        assertThat(DeltaReader.rows(table)).hasSize(1);
    }

    @Test
    void deletionVectorsThatSomeoneEnabledAreNoHindrance() throws Exception {
        write(
                metadata(Map.of("delta.enableDeletionVectors", "true")),
                protocol(
                        3,
                        7,
                        List.of("deletionVectors"),
                        List.of("deletionVectors", "appendOnly", "invariants", "changeDataFeed")));

        assertThat(lake.commit(1, commit, FACTS)).isEqualTo(new CommitOutcome.Committed(2));
        assertThat(DeltaReader.rows(table)).hasSize(1);
    }

    @Test
    void filesThatSomeoneRewroteOrDeletedStayAsTheyAre() throws Exception {
        lake.commit(1, commit, FACTS);
        List<StagedFile> more = stage(lake, 2, followed(SCHEMA, 1), 11, List.of(inserted(SCHEMA, 2L, "b")));
        lake.commit(2, commitOf(lake.load(ORDERS).orElseThrow(), layout(SCHEMA, 1), more), FACTS);
        // OPTIMIZE of the first file, then DELETE of the second
        StagedFile first = commit.files().get(0);
        Files.copy(table.resolve(first.path()), table.resolve("part-00000-compacted.zstd.parquet"));
        ObjectNode compacted = added(1).deepCopy();
        compacted
                .withObject("/add")
                .put("path", "part-00000-compacted.zstd.parquet")
                .put("dataChange", false);
        writeVersion(3, removed(first, false), compacted);
        writeVersion(4, removed(more.get(0), true));
        Files.delete(table.resolve(first.path()));
        Files.delete(table.resolve(more.get(0).path()));

        List<StagedFile> last = stage(lake, 3, followed(SCHEMA, 1), 12, List.of(inserted(SCHEMA, 3L, "c")));
        TableCommit after = commitOf(lake.load(ORDERS).orElseThrow(), layout(SCHEMA, 1), last);
        lake.verify(after);
        assertThat(lake.commit(3, after, FACTS)).isEqualTo(new CommitOutcome.Committed(5));

        assertThat(DeltaReader.rows(table)).extracting(row -> row.get("c0")).containsExactlyInAnyOrder(1L, 3L);
        assertThat(lake.commit(2, commitOf(lake.load(ORDERS).orElseThrow(), layout(SCHEMA, 1), more), FACTS))
                .as("what was deleted doesn't come back")
                .isInstanceOf(CommitOutcome.AlreadyCommitted.class);
    }

    @Test
    void columnThatSomeoneAddedIsKept() throws Exception {
        ObjectNode metadata = metadata(Map.of());
        ObjectNode schema = (ObjectNode)
                JSON.readTree(metadata.get("metaData").get("schemaString").textValue());
        schema.withArray("fields")
                .addObject()
                .put("name", "remark")
                .put("type", "string")
                .put("nullable", true)
                .putObject("metadata");
        ((ObjectNode) metadata.get("metaData")).put("schemaString", schema.toString());
        write(metadata);

        assertThat(lake.commit(1, commit, FACTS)).isEqualTo(new CommitOutcome.Committed(2));
        assertThat(DeltaReader.rows(table).get(0)).containsEntry("remark", null).containsEntry("c1", "a");
        assertThat(lake.load(ORDERS).orElseThrow().layout()).isEqualTo(layout(SCHEMA, 1));
        // a column of the source comes before the metadata columns, the added one stays last
        TableSchema wider = schema(Simple.BIGINT, Simple.STRING, Simple.DATE);
        List<StagedFile> files = stage(lake, 2, followed(wider, 2), 11, List.of(inserted(wider, 2L, "b", 3)));
        lake.commit(2, new TableCommit(ORDERS, commit.path(), commit.deltaId(), layout(wider, 2), 1, files), FACTS);
        assertThat(DeltaReader.schema(table).fieldNames())
                .startsWith("c0", "c1", "c2", "_cdc_op")
                .endsWith("remark");
    }

    private void assertBlocked(String why) {
        assertCommitBlocked(why);
        assertThatThrownBy(() -> TestLake.open(folder, "w2").load(ORDERS)).isInstanceOf(TableBlockedException.class);
    }

    /** The table may be looked at, but its rows don't fit. */
    private void assertCommitBlocked(String why) {
        assertThatThrownBy(() -> lake.verify(commit))
                .isInstanceOf(TableBlockedException.class)
                .hasMessageContaining("bronze table shop.orders")
                .hasMessageContaining(why);
        assertThatThrownBy(() -> lake.commit(1, commit, FACTS)).isInstanceOf(TableBlockedException.class);
        assertThat(table.resolve("_delta_log/00000000000000000002.json")).doesNotExist();
    }

    private ObjectNode metadata(Map<String, String> added) throws IOException {
        for (JsonNode action : DeltaReader.actions(table, 0)) {
            if (action.has("metaData")) {
                ObjectNode configuration = (ObjectNode) action.get("metaData").get("configuration");
                added.forEach(configuration::put);
                return (ObjectNode) action;
            }
        }
        throw new AssertionError("version 0 has no metadata");
    }

    /** The metadata with one column changed. */
    private ObjectNode changed(String column, Consumer<ObjectNode> change) throws IOException {
        ObjectNode metadata = metadata(Map.of());
        JsonNode schema = JSON.readTree(metadata.at("/metaData/schemaString").textValue());
        for (JsonNode field : schema.get("fields")) {
            if (field.get("name").textValue().equals(column)) {
                change.accept((ObjectNode) field);
            }
        }
        metadata.withObject("/metaData").put("schemaString", schema.toString());
        return metadata;
    }

    private ObjectNode added(long version) throws IOException {
        return (ObjectNode) DeltaReader.actions(table, version).stream()
                .filter(action -> action.has("add"))
                .findFirst()
                .orElseThrow();
    }

    private static ObjectNode removed(StagedFile file, boolean dataChange) {
        ObjectNode action = JSON.createObjectNode();
        action.putObject("remove")
                .put("path", file.path())
                .put("deletionTimestamp", 1_700_000_000_000L)
                .put("dataChange", dataChange)
                .put("size", file.sizeBytes());
        return action;
    }

    private static ObjectNode protocol(int reader, int writer) {
        ObjectNode action = JSON.createObjectNode();
        action.putObject("protocol").put("minReaderVersion", reader).put("minWriterVersion", writer);
        return action;
    }

    private static ObjectNode protocol(int reader, int writer, List<String> readers, List<String> writers) {
        ObjectNode action = protocol(reader, writer);
        readers.forEach(feature ->
                action.withObject("/protocol").withArray("readerFeatures").add(feature));
        writers.forEach(feature ->
                action.withObject("/protocol").withArray("writerFeatures").add(feature));
        return action;
    }

    private void write(ObjectNode... actions) throws IOException {
        writeVersion(1, actions);
    }

    private void writeVersion(long version, ObjectNode... actions) throws IOException {
        List<String> lines = new ArrayList<>();
        for (ObjectNode action : actions) {
            lines.add(action.toString());
        }
        Files.write(table.resolve("_delta_log/%020d.json".formatted(version)), lines);
    }
}

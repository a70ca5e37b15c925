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

        assertBlocked("its bronze format is 2 and this version of Tributary knows 1");
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
        assertThatThrownBy(() -> lake.verify(commit))
                .isInstanceOf(TableBlockedException.class)
                .hasMessageContaining("bronze table shop.orders")
                .hasMessageContaining(why);
        assertThatThrownBy(() -> lake.commit(1, commit, FACTS)).isInstanceOf(TableBlockedException.class);
        assertThatThrownBy(() -> TestLake.open(folder, "w2").load(ORDERS)).isInstanceOf(TableBlockedException.class);
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
        List<String> lines = new ArrayList<>();
        for (ObjectNode action : actions) {
            lines.add(action.toString());
        }
        Files.write(table.resolve("_delta_log/00000000000000000001.json"), lines);
    }
}

package io.tributary.delta;

import static io.tributary.delta.TestLake.FACTS;
import static io.tributary.delta.TestLake.IDENTITY;
import static io.tributary.delta.TestLake.ORDERS;
import static io.tributary.delta.TestLake.commitOf;
import static io.tributary.delta.TestLake.entry;
import static io.tributary.delta.TestLake.followed;
import static io.tributary.delta.TestLake.inserted;
import static io.tributary.delta.TestLake.layout;
import static io.tributary.delta.TestLake.schema;
import static io.tributary.delta.TestLake.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.kernel.Operation;
import io.delta.kernel.TableManager;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.exceptions.ConcurrentWriteException;
import io.delta.kernel.transaction.UpdateTableTransactionBuilder;
import io.delta.kernel.utils.CloseableIterable;
import io.tributary.batch.StagedFile;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.TableSchema;
import io.tributary.testing.DeltaReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Others write, or the storage fails, at the worst moment of a commit. */
class RaceTest {

    private static final TableSchema SCHEMA = schema(Simple.BIGINT, Simple.STRING);
    private static final TableSchema WIDER = schema(Simple.BIGINT, Simple.STRING, Simple.DATE);
    private static final String VERSION_1 = "00000000000000000001.json";

    @TempDir
    Path folder;

    private final HookedFileIO files = new HookedFileIO();
    private Path table;
    private DeltaLake lake;
    private BronzeTable made;

    @BeforeEach
    void open() throws Exception {
        table = folder.resolve("shop/orders");
        lake = DeltaLake.open(
                new LakeStorage(files, "file:" + folder),
                new TablePaths("{schema}/{table}", "shop"),
                new TableProperties(Map.of()),
                "shop",
                "w1",
                StagedRowWriter.Limits.DEFAULT,
                Clock.systemUTC());
        lake.requireWritable();
        made = lake.create(layout(SCHEMA, 1), IDENTITY);
    }

    @AfterEach
    void close() {
        lake.close();
    }

    @Test
    void tablePropertySetMeanwhileIsNoHindrance() throws Exception {
        files.beforeNext(VERSION_1, path -> change(t -> t.withTablePropertiesAdded(Map.of("owner", "someone"))));

        assertThat(commit(SCHEMA, 1)).isEqualTo(new CommitOutcome.Committed(2));
        assertThat(DeltaReader.rows(table)).hasSize(1);
        assertThat(DeltaReader.properties(table)).containsEntry("owner", "someone");
        DeltaReader.assertLogIsSound(table);
    }

    @Test
    void featureEnabledMeanwhileIsKept() throws Exception {
        files.beforeNext(
                VERSION_1,
                path -> change(t -> t.withTablePropertiesAdded(Map.of("delta.enableDeletionVectors", "true"))));

        assertThat(commit(WIDER, 2)).isEqualTo(new CommitOutcome.Committed(2));
        assertThat(DeltaReader.properties(table)).containsEntry("delta.enableDeletionVectors", "true");
        assertThat(DeltaReader.schema(table).fieldNames()).contains("c2");
        DeltaReader.assertLogIsSound(table);
    }

    @Test
    void sameBatchCommittedMeanwhileIsNotDoubled() throws Exception {
        TableCommit commit = staged(SCHEMA, 1);
        files.beforeNext(VERSION_1, path -> commitElsewhere(1, commit));

        assertThat(lake.commit(1, commit, FACTS)).isEqualTo(new CommitOutcome.AlreadyCommitted(1));
        assertThat(DeltaReader.rows(table)).hasSize(1);
    }

    @Test
    void sameEvolvingBatchCommittedMeanwhileIsNotDoubled() throws Exception {
        TableCommit commit = staged(WIDER, 2);
        files.beforeNext(VERSION_1, path -> commitElsewhere(1, commit));

        assertThat(lake.commit(1, commit, FACTS)).isEqualTo(new CommitOutcome.AlreadyCommitted(1));
        assertThat(DeltaReader.rows(table)).hasSize(1);
    }

    @Test
    void commitThatReachedTheDiskBeforeTheFailureIsFoundAgain() throws Exception {
        TableCommit commit = staged(SCHEMA, 1);
        files.afterNext(VERSION_1, path -> {
            throw new IOException("the network went away");
        });

        assertThatThrownBy(() -> lake.commit(1, commit, FACTS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the network went away");
        assertThat(lake.commit(1, commit, FACTS)).isEqualTo(new CommitOutcome.AlreadyCommitted(1));
        assertThat(DeltaReader.rows(table)).hasSize(1);
    }

    @Test
    void commitThatFailedBeforeTheDiskIsRepeated() throws Exception {
        TableCommit commit = staged(SCHEMA, 1);
        files.beforeNext(VERSION_1, path -> {
            throw new IOException("no space left on device");
        });

        assertThatThrownBy(() -> lake.commit(1, commit, FACTS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no space left on device");
        assertThat(lake.commit(1, commit, FACTS)).isEqualTo(new CommitOutcome.Committed(1));
        assertThat(DeltaReader.rows(table)).hasSize(1);
    }

    @Test
    void columnAddedMeanwhileWithAnotherTypeBlocks() throws Exception {
        TableCommit commit = staged(WIDER, 2);
        files.beforeNext(VERSION_1, path -> {
            DeltaLake other = TestLake.open(folder, "w2");
            TableSchema otherwise = schema(Simple.BIGINT, Simple.STRING, Simple.INT);
            commitElsewhere(0, commitOf(made, layout(otherwise, 2), List.of()));
            other.close();
        });

        assertThatThrownBy(() -> lake.commit(1, commit, FACTS))
                .isInstanceOf(TableBlockedException.class)
                .hasMessageContaining("at version 1")
                .hasMessageContaining("its column c2 is integer and the rows have date");
        assertThat(DeltaReader.version(table)).isEqualTo(1);
    }

    @Test
    void journalObjectThatReachedTheDiskBeforeTheFailureIsWritten() throws Exception {
        files.afterNext("00000000000000000000.json", path -> {
            throw new IOException("the network went away");
        });

        lake.journal().append(entry(0, "w1", List.of()));

        assertThat(lake.journal().newest()).contains(entry(0, "w1", List.of()));
    }

    @Test
    void journalObjectThatFailedBeforeTheDiskIsNotClaimed() throws Exception {
        files.beforeNext("00000000000000000000.json", path -> {
            throw new IOException("no space left on device");
        });

        assertThatThrownBy(() -> lake.journal().append(entry(0, "w1", List.of())))
                .isInstanceOf(IOException.class)
                .hasMessage("no space left on device");
        assertThat(lake.journal().newest()).isEmpty();
        lake.journal().append(entry(0, "w1", List.of()));
    }

    @Test
    void doneMarkThatReachedTheDiskBeforeTheFailureIsMade() throws Exception {
        files.afterNext("00000000000000000000.done", path -> {
            throw new IOException("the network went away");
        });

        lake.journal().markDone(0);

        assertThat(lake.journal().isDone(0)).isTrue();
    }

    @Test
    void doneMarkThatFailedBeforeTheDiskIsNotClaimed() throws Exception {
        files.beforeNext("00000000000000000000.done", path -> {
            throw new IOException("no space left on device");
        });

        assertThatThrownBy(() -> lake.journal().markDone(0)).hasMessage("no space left on device");
        assertThat(lake.journal().isDone(0)).isFalse();
    }

    @Test
    void writerThatCommitsAllTheTimeDoesntStarveTheCommit() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread storm = new Thread(() -> {
            for (int n = 0; !over.get(); n++) {
                String value = Integer.toString(n);
                try {
                    change(t -> t.withTablePropertiesAdded(Map.of("storm", value)));
                } catch (ConcurrentWriteException e) {
                    assertThat(e).as("it lost a race itself").isNotNull();
                }
            }
        });
        storm.start();
        try {
            for (long batch = 1; batch <= 5; batch++) {
                TableCommit commit = commitOf(
                        made,
                        layout(SCHEMA, 1),
                        stage(lake, batch, followed(SCHEMA, 1), batch, List.of(inserted(SCHEMA, batch, "x"))));
                commitPatiently(batch, commit);
            }
        } finally {
            over.set(true);
            storm.join();
        }
        assertThat(DeltaReader.rows(table))
                .extracting(row -> row.get("c0"))
                .containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
    }

    /** As the pipeline does: after too many lost races the same commit again. */
    private void commitPatiently(long batch, TableCommit commit) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                lake.commit(batch, commit, FACTS);
                return;
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("it is tried again");
                assertThat(attempt).isLessThan(5);
            }
        }
    }

    @Test
    void failureWhileAnotherWritesFences() {
        files.beforeNext("00000000000000000000.json", path -> {
            new HookedFileIO()
                    .newOutputFile(path)
                    .writeAtomically(
                            io.delta.kernel.internal.util.Utils.toCloseableIterator(
                                    JournalJson.write(entry(0, "w2", List.of())).iterator()),
                            false);
            throw new IOException("the network went away");
        });

        assertThatThrownBy(() -> lake.journal().append(entry(0, "w1", List.of())))
                .isInstanceOf(JournalFencedException.class);
    }

    @Test
    void tableMadeMeanwhileIsAdopted() throws Exception {
        TableSchema items = new TableSchema(new io.tributary.event.TableId("shop", "items"), SCHEMA.columns());
        files.beforeNext("00000000000000000000.json", path -> {
            try (DeltaLake other = TestLake.open(folder, "w2")) {
                other.create(layout(items, 1), IDENTITY);
            } catch (TableBlockedException e) {
                throw new IOException(e);
            }
        });

        BronzeTable adopted = lake.create(layout(items, 1), IDENTITY);

        assertThat(TestLake.open(folder, "w3").load(items.table())).contains(adopted);
    }

    private TableCommit staged(TableSchema schema, int version) throws IOException {
        Object[] values = new Object[schema.columns().size()];
        values[0] = 1L;
        List<StagedFile> staged = stage(lake, 1, followed(schema, version), 10, List.of(inserted(schema, values)));
        return commitOf(made, layout(schema, version), staged);
    }

    private CommitOutcome commit(TableSchema schema, int version) throws Exception {
        return lake.commit(1, staged(schema, version), FACTS);
    }

    private void commitElsewhere(long batch, TableCommit commit) throws IOException {
        try (DeltaLake other = TestLake.open(folder, "w2")) {
            assertThat(other.load(ORDERS)).isPresent();
            other.commit(batch, commit, FACTS);
        } catch (TableBlockedException e) {
            throw new IOException(e);
        }
    }

    /** Changes the table as another engine would. */
    private void change(UnaryOperator<UpdateTableTransactionBuilder> change) {
        Engine engine = DefaultEngine.create(new Configuration());
        change.apply(TableManager.loadSnapshot(table.toString())
                        .build(engine)
                        .buildUpdateTableTransaction("someone else", Operation.MANUAL_UPDATE))
                .build(engine)
                .commit(engine, CloseableIterable.emptyIterable());
    }
}

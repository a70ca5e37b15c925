package io.tributary.delta;

import static io.tributary.delta.TestLake.FACTS;
import static io.tributary.delta.TestLake.IDENTITY;
import static io.tributary.delta.TestLake.POSITION;
import static io.tributary.delta.TestLake.followed;
import static io.tributary.delta.TestLake.inserted;
import static io.tributary.delta.TestLake.layout;
import static io.tributary.delta.TestLake.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tributary.event.Column;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import io.tributary.testing.DeltaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables and journal that came back from copies of different age: noticed before anything is written. */
class RestoredTablesTest {

    private static final TableSchema ORDERS = schema("orders");
    private static final TableSchema ITEMS = schema("items");

    @TempDir
    Path folder;

    private final Map<TableId, TableProgress> progress = new LinkedHashMap<>();
    private DeltaLake lake;

    @BeforeEach
    void twoBatchesInTwoTables() throws Exception {
        lake = TestLake.open(folder, "w1");
        make(ORDERS);
        make(ITEMS);
        lake.journal().append(entry(0, JournalEntry.Kind.CLAIM, List.of()));
        batch(1);
        batch(2);
    }

    @AfterEach
    void close() {
        lake.close();
    }

    @Test
    void tablesAndJournalOfOneAgeAgree() throws Exception {
        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThat(next.require(ORDERS.table()).lastBatch()).isEqualTo(OptionalLong.of(2));
            assertThat(next.require(ITEMS.table()).table()).isEqualTo(ITEMS.table());
        }
        batch(3);
        assertThat(DeltaReader.rows(path(ORDERS))).hasSize(3);
    }

    @Test
    void missingDoneMarksAreMade() throws Exception {
        Files.delete(journal("00000000000000000001.done"));
        Files.delete(journal("00000000000000000002.done"));
        try (DeltaLake next = TestLake.open(folder, "w2")) {
            JournalEntry newest = next.journal().newest().orElseThrow();
            for (TableCommit commit : newest.commits()) {
                assertThat(next.commit(2, commit, FACTS)).isEqualTo(new CommitOutcome.AlreadyCommitted(2));
            }
            assertThat(next.require(ORDERS.table()).table()).isEqualTo(ORDERS.table());
        }
        assertThat(DeltaReader.rows(path(ORDERS))).hasSize(2);
    }

    @Test
    void journalThatLostItsNewestObjectsIsNoticedWithEveryTable() throws Exception {
        Files.delete(journal("00000000000000000002.json"));
        Files.delete(journal("00000000000000000002.done"));

        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThatThrownBy(() -> next.require(ORDERS.table()))
                    .isInstanceOf(TableBlockedException.class)
                    .hasMessageContaining("shop.orders")
                    .hasMessageContaining("it holds batch 2")
                    .hasMessageContaining("object 1")
                    .hasMessageContaining("batch 1 of it only")
                    .hasMessageContaining("shop.items")
                    .hasMessageContaining(deltaId(ORDERS))
                    .hasMessageContaining(deltaId(ITEMS));
        }
    }

    @Test
    void signsOfLifeDontHideIt() throws Exception {
        Files.delete(journal("00000000000000000002.json"));
        Files.delete(journal("00000000000000000002.done"));
        progress.replaceAll((table, known) -> known.withLastBatch(1));
        try (DeltaLake next = TestLake.open(folder, "w2")) {
            for (long number = 2; number < 5; number++) {
                next.journal().append(entry(number, JournalEntry.Kind.CLAIM, List.of()));
            }
            assertThatThrownBy(() -> next.require(ITEMS.table())).hasMessageContaining("it holds batch 2");
            TableCommit commit = staged(next, 5, ITEMS);
            assertThatThrownBy(() -> next.verify(commit))
                    .isInstanceOf(TableBlockedException.class)
                    .hasMessageContaining("it holds batch 2");
        }
    }

    @Test
    void tableThatIsOlderThanTheJournalIsNoticed() throws Exception {
        takeBack(ITEMS);

        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThat(next.require(ORDERS.table()).table()).isEqualTo(ORDERS.table());
            assertThatThrownBy(() -> next.require(ITEMS.table()))
                    .isInstanceOf(TableBlockedException.class)
                    .hasMessageContaining("it ends with batch 1")
                    .hasMessageContaining("the journal committed batch 2 to it")
                    .hasMessageContaining(deltaId(ITEMS))
                    .hasMessageNotContaining("shop.orders");
        }
    }

    @Test
    void tableThatIsRestoredUnderTheWriterIsNoticedBeforeTheIntent() throws Exception {
        TableCommit commit = staged(lake, 3, ITEMS);
        takeBack(ITEMS);

        assertThatThrownBy(() -> lake.verify(commit))
                .isInstanceOf(TableBlockedException.class)
                .hasMessageContaining("it ends with batch 1");
        assertThat(DeltaReader.version(path(ITEMS))).isEqualTo(1);
    }

    @Test
    void intentIsNotFinishedOnATableThatIsOlder() throws Exception {
        JournalEntry intent = intent(3);
        takeBack(ITEMS);

        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThat(next.commit(3, intent.commits().get(0), FACTS)).isEqualTo(new CommitOutcome.Committed(3));
            assertThatThrownBy(() -> next.commit(3, intent.commits().get(1), FACTS))
                    .isInstanceOf(TableBlockedException.class)
                    .hasMessageContaining("it ends with batch 1")
                    .hasMessageContaining("batch 3 follows batch 2");
        }
        assertThat(DeltaReader.version(path(ITEMS))).isEqualTo(1);
        assertThat(DeltaReader.rows(path(ORDERS))).hasSize(3);
    }

    @Test
    void intentIsNotFinishedWhenNobodyKnowsWhatCameBefore() throws Exception {
        JournalEntry intent = intent(3);
        Files.delete(journal("00000000000000000002.json"));

        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThatThrownBy(() -> next.commit(3, intent.commits().get(0), FACTS))
                    .isInstanceOf(JournalCorruptedException.class)
                    .hasMessageContaining(journal("00000000000000000002.json").toString())
                    .hasMessageContaining("it is missing");
        }
        assertThat(DeltaReader.version(path(ORDERS))).isEqualTo(2);
    }

    @Test
    void unfinishedIntentIsNoDisagreement() throws Exception {
        JournalEntry intent = intent(3);
        lake.commit(3, intent.commits().get(0), FACTS);

        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThat(next.require(ORDERS.table()).lastBatch()).isEqualTo(OptionalLong.of(3));
            assertThat(next.require(ITEMS.table()).lastBatch()).isEqualTo(OptionalLong.of(2));
        }
    }

    @Test
    void replacedTableIsNoticedByItsId() throws Exception {
        String before = deltaId(ITEMS);
        Files.move(path(ITEMS), folder.resolve("away"));
        try (DeltaLake other = TestLake.open(folder, "w2")) {
            String now = other.create(layout(ITEMS, 1), IDENTITY).deltaId();

            assertThatThrownBy(() -> other.require(ITEMS.table()))
                    .isInstanceOf(TableBlockedException.class)
                    .hasMessageContaining("it was replaced")
                    .hasMessageContaining(before)
                    .hasMessageContaining(now)
                    .hasMessageContaining("batch 2");
        }
    }

    @Test
    void goneTablesAreNamedTogether() throws Exception {
        Files.move(path(ITEMS), folder.resolve("away"));
        Files.move(path(ORDERS), folder.resolve("away too"));
        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThatThrownBy(() -> next.require(ITEMS.table()))
                    .isInstanceOf(TableBlockedException.class)
                    .hasMessageContaining("shop.items")
                    .hasMessageContaining("it is gone")
                    .hasMessageContaining("batch 2")
                    .hasMessageContaining("shop.orders");
        }
    }

    @Test
    void waivedTableIsNotCompared() throws Exception {
        takeBack(ITEMS);
        progress.computeIfPresent(ITEMS.table(), (table, known) -> known.asWaived());
        lake.journal().append(entry(3, JournalEntry.Kind.CLAIM, List.of()));

        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThat(next.require(ITEMS.table()).table()).isEqualTo(ITEMS.table());
        }
    }

    @Test
    void waivedTableDoesntTakeBatchesUnderNumbersThatItHas() throws Exception {
        Files.delete(journal("00000000000000000002.json"));
        Files.delete(journal("00000000000000000002.done"));
        progress.replaceAll((table, known) -> known.withLastBatch(1).asWaived());
        try (DeltaLake next = TestLake.open(folder, "w2")) {
            TableCommit commit = staged(next, 2, ITEMS);
            assertThatThrownBy(() -> next.verify(commit))
                    .isInstanceOf(TableBlockedException.class)
                    .hasMessageContaining("it holds batch 2 and the journal ends with object 1");
            next.journal().append(entry(2, JournalEntry.Kind.CLAIM, List.of()));
            assertThatCode(() -> next.verify(commit)).doesNotThrowAnyException();
        }
    }

    @Test
    void rowsThatAreDecodedAgainStandForAllThatTheTableMisses() throws Exception {
        batch(3);
        takeBack(ITEMS);
        Path log = path(ITEMS).resolve("_delta_log");
        Files.deleteIfExists(log.resolve("00000000000000000003.json"));
        Files.deleteIfExists(log.resolve("00000000000000000003.crc"));
        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThat(next.journal().newest()).isPresent();
            TableCommit again = staged(next, 4, ITEMS);
            next.verifyAgain(again);
            JournalEntry intent = entry(4, JournalEntry.Kind.BATCH, List.of(again));
            next.journal().append(intent);

            assertThat(next.commit(intent.batchOf(again), again, FACTS)).isEqualTo(new CommitOutcome.Committed(2));
            assertThat(next.require(ITEMS.table()).lastBatch()).isEqualTo(OptionalLong.of(3));
        }
    }

    @Test
    void writerThatWasOvertakenIsFencedAndNotBlocked() throws Exception {
        try (DeltaLake zombie = TestLake.open(folder, "w0")) {
            assertThat(zombie.journal().newest()).isPresent();
            TableCommit late = staged(zombie, 3, ORDERS);
            batch(3);

            assertThatCode(() -> zombie.verify(late)).doesNotThrowAnyException();
            assertThat(zombie.require(ORDERS.table()).table()).isEqualTo(ORDERS.table());
            assertThatThrownBy(() -> zombie.journal().append(entry(3, JournalEntry.Kind.ALIVE, List.of())))
                    .isInstanceOf(JournalFencedException.class);
        }
    }

    @Test
    void restoreThatLeavesAChecksumBehindIsNamed() throws Exception {
        lake.close();
        assertThat(path(ITEMS).resolve("_delta_log/00000000000000000002.crc")).exists();
        Files.delete(path(ITEMS).resolve("_delta_log/00000000000000000002.json"));

        try (DeltaLake next = TestLake.open(folder, "w2")) {
            assertThatThrownBy(() -> next.require(ITEMS.table()))
                    .isInstanceOf(TableBlockedException.class)
                    .hasMessageContaining("shop.items")
                    .hasMessageContaining("its log is damaged");
        }
    }

    /** To version 1, as a restore of the folder would. */
    private void takeBack(TableSchema schema) throws IOException {
        // its upkeep has to be over; commits go on without
        lake.close();
        Path log = path(schema).resolve("_delta_log");
        Files.delete(log.resolve("00000000000000000002.json"));
        Files.deleteIfExists(log.resolve("00000000000000000002.crc"));
    }

    private void batch(long number) throws Exception {
        JournalEntry intent = intent(number);
        for (TableCommit commit : intent.commits()) {
            lake.commit(number, commit, FACTS);
        }
        lake.journal().markDone(number);
    }

    private JournalEntry intent(long number) throws Exception {
        List<TableCommit> commits = List.of(staged(lake, number, ORDERS), staged(lake, number, ITEMS));
        for (TableCommit commit : commits) {
            lake.verify(commit);
        }
        progress.replaceAll((table, known) -> known.withLastBatch(number));
        JournalEntry intent = entry(number, JournalEntry.Kind.BATCH, commits);
        lake.journal().append(intent);
        return intent;
    }

    private TableCommit staged(DeltaLake by, long batch, TableSchema schema) throws IOException {
        TableProgress known = left(schema);
        return new TableCommit(
                schema.table(),
                known.path(),
                known.deltaId(),
                layout(schema, 1),
                1,
                stage(by, batch, followed(schema, 1), batch * 10, List.of(inserted(schema, batch))));
    }

    private JournalEntry entry(long number, JournalEntry.Kind kind, List<TableCommit> commits) {
        return new JournalEntry(
                JournalEntry.FORMAT,
                number,
                "w1",
                kind,
                IDENTITY,
                Optional.of(POSITION),
                number * 10,
                commits,
                progress,
                number);
    }

    private void make(TableSchema schema) throws Exception {
        BronzeTable made = lake.create(layout(schema, 1), IDENTITY);
        progress.put(
                schema.table(),
                new TableProgress(
                        made.path(), made.deltaId(), "relation", 0, Optional.empty(), OptionalLong.empty(), false));
    }

    private String deltaId(TableSchema schema) {
        return left(schema).deltaId();
    }

    private TableProgress left(TableSchema schema) {
        return Objects.requireNonNull(progress.get(schema.table()));
    }

    private Path path(TableSchema schema) {
        return folder.resolve("shop").resolve(schema.table().table());
    }

    private Path journal(String name) {
        return folder.resolve("_tributary/shop/journal").resolve(name);
    }

    private static TableSchema schema(String table) {
        return new TableSchema(new TableId("shop", table), List.of(new Column("c0", Simple.BIGINT, "bigint", true)));
    }
}

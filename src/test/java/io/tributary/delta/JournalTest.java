package io.tributary.delta;

import static io.tributary.delta.TestLake.ORDERS;
import static io.tributary.delta.TestLake.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tributary.batch.StagedFile;
import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Field;
import io.tributary.event.ColumnType.Simple;
import io.tributary.evolution.BronzeColumn;
import io.tributary.evolution.TableLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The journal on a real disk. */
class JournalTest {

    @TempDir
    Path folder;

    private Path objects;
    private Journal journal;

    @BeforeEach
    void open() {
        objects = folder.resolve("_tributary/shop/journal");
        LakeStorage storage = TestLake.storage(folder);
        storage.requireWritable("_tributary/shop/journal");
        journal = new Journal(storage, "_tributary/shop/journal");
    }

    @Test
    void newJournalIsEmpty() throws Exception {
        assertThat(journal.newest()).isEmpty();
        assertThat(journal.read(0)).isEmpty();
        assertThat(journal.isDone(0)).isFalse();
        assertThat(objects).isEmptyDirectory();
    }

    @Test
    void entryIsReadBackAsItWas() throws Exception {
        TableLayout layout = new TableLayout(
                ORDERS,
                3,
                List.of(
                        new BronzeColumn("id", Simple.BIGINT, "id", "bigint", true),
                        new BronzeColumn("amount", new ColumnType.Decimal(38, 9), "amount", "numeric(38,9)", false),
                        new BronzeColumn(
                                "points",
                                new ColumnType.Array(new ColumnType.Struct(List.of(
                                        new Field("x", Simple.DOUBLE), new Field("ÿ\"\n", Simple.TIMESTAMP_NTZ)))),
                                "Points\u2028",
                                "point[]",
                                false)));
        StagedFile file = new StagedFile("f.parquet", 1234, 1_700_000_000_000L, 5, "{\"numRecords\":5}");
        TableCommit commit = new TableCommit(ORDERS, "shop/orders", "id-1", layout, 5, List.of(file));
        journal.append(entry(0, "w1", List.of()));
        journal.append(entry(1, "w1", List.of(commit)));

        assertThat(journal.read(0)).contains(entry(0, "w1", List.of()));
        assertThat(journal.newest()).contains(entry(1, "w1", List.of(commit)));
        assertThat(objects.resolve("00000000000000000001.json")).exists();
    }

    @Test
    void objectOfAnotherWriterFences() throws Exception {
        journal.append(entry(0, "w1", List.of()));

        assertThatThrownBy(() -> journal.append(entry(0, "w2", List.of())))
                .isInstanceOf(JournalFencedException.class)
                .hasMessageContaining("is of writer w1, not of w2");
        assertThat(journal.newest()).contains(entry(0, "w1", List.of()));
    }

    @Test
    void ownEarlierObjectIsToBeFinishedFirst() throws Exception {
        journal.append(entry(0, "w1", List.of()));
        journal.append(entry(1, "w1", List.of()));
        JournalEntry now = entry(1, "w1", List.of());
        JournalEntry later = new JournalEntry(
                now.format(),
                1,
                "w1",
                JournalEntry.Kind.ALIVE,
                now.source(),
                now.position(),
                now.lastSequence(),
                now.commits(),
                now.tables(),
                now.writtenAtMillis() + 1);

        assertThatThrownBy(() -> journal.append(later))
                .isInstanceOfSatisfying(
                        JournalFencedException.class,
                        e -> assertThat(e.winner()).isEqualTo("w1"))
                .hasMessageContaining("finish that first");
    }

    @Test
    void sameObjectAgainChangesNothing() throws Exception {
        journal.append(entry(0, "w1", List.of()));
        journal.append(entry(0, "w1", List.of()));

        assertThat(journal.newest()).contains(entry(0, "w1", List.of()));
    }

    @Test
    void manyRacesHaveOneWinnerEach() throws Exception {
        int rounds = 200;
        CyclicBarrier start = new CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<List<Boolean>>> writers = new ArrayList<>();
            for (String writer : List.of("w1", "w2")) {
                writers.add(threads.submit(() -> {
                    List<Boolean> won = new ArrayList<>();
                    for (int n = 0; n < rounds; n++) {
                        start.await();
                        won.add(wins(entry(n, writer, List.of())));
                    }
                    return won;
                }));
            }
            List<Boolean> first = writers.get(0).get();
            List<Boolean> second = writers.get(1).get();
            for (int n = 0; n < rounds; n++) {
                assertThat(first.get(n)).as("round %d", n).isNotEqualTo(second.get(n));
                assertThat(journal.read(n).orElseThrow().writer()).isEqualTo(first.get(n) ? "w1" : "w2");
            }
        } finally {
            threads.shutdownNow();
        }
        try (var files = Files.list(objects)) {
            assertThat(files).as("no temporary files are left").hasSize(rounds);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "{}\n", "garbage\n\u0000\n", "{}\n{\"crc32c\":\"00000000\"}\n"})
    void garbledObjectIsNamedAndNotSkipped(String garbage) throws Exception {
        journal.append(entry(0, "w1", List.of()));
        Path newest = objects.resolve("00000000000000000001.json");
        Files.writeString(newest, garbage);

        assertThatThrownBy(journal::newest)
                .isInstanceOf(JournalCorruptedException.class)
                .hasMessageContaining(newest.toString());
    }

    @Test
    void everyCutOfAnObjectIsNoticed() throws Exception {
        journal.append(entry(0, "w1", List.of()));
        Path object = objects.resolve("00000000000000000000.json");
        String whole = Files.readString(object);
        for (int length = 0; length < whole.length(); length++) {
            Files.writeString(object, whole.substring(0, length));
            assertThatThrownBy(journal::newest).isInstanceOf(JournalCorruptedException.class);
        }
    }

    @Test
    void changedDigitIsNoticed() throws Exception {
        journal.append(entry(0, "w1", List.of()));
        Path object = objects.resolve("00000000000000000000.json");
        Files.writeString(object, Files.readString(object).replace("\"lastSequence\":0", "\"lastSequence\":1"));

        assertThatThrownBy(journal::newest)
                .isInstanceOf(JournalCorruptedException.class)
                .hasMessageContaining("checksum");
    }

    @Test
    void unknownFormatIsRefused() throws Exception {
        JournalEntry now = entry(0, "w1", List.of());
        JournalEntry later = new JournalEntry(
                2,
                now.number(),
                now.writer(),
                now.kind(),
                now.source(),
                now.position(),
                now.lastSequence(),
                now.commits(),
                now.tables(),
                now.writtenAtMillis());
        Files.write(objects.resolve("00000000000000000000.json"), JournalJson.write(later));

        assertThatThrownBy(journal::newest)
                .isInstanceOf(LakeConfigurationException.class)
                .hasMessageContaining("00000000000000000000.json")
                .hasMessageContaining("was written by a newer Tributary, format 2, and this one knows 1: upgrade");
    }

    @Test
    void doneMarkStays() throws Exception {
        journal.append(entry(0, "w1", List.of()));
        journal.markDone(0);
        journal.markDone(0);

        assertThat(journal.isDone(0)).isTrue();
        assertThat(journal.isDone(1)).isFalse();
    }

    @Test
    void pruningKeepsTheNewestObjectWhetherOrNotItIsDone() throws Exception {
        for (int n = 0; n < 6; n++) {
            journal.append(entry(n, "w1", List.of()));
            if (n < 4) {
                journal.markDone(n);
            }
        }

        journal.prune(2);
        assertThat(numbers()).containsExactly(2L, 3L, 4L, 5L);
        assertThat(journal.isDone(1)).isFalse();
        assertThat(journal.isDone(3)).isTrue();
        // an idle writer's signs of life are never done, and must not pile up
        journal.prune(100);
        assertThat(numbers()).containsExactly(5L);
        assertThat(journal.isDone(3)).isFalse();
    }

    @Test
    void sleeperFindsItsNumberPrunedAndIsFenced() throws Exception {
        for (int n = 0; n < 6; n++) {
            journal.append(entry(n, "w2", List.of()));
            journal.markDone(n);
        }
        journal.prune(5);

        // w1 last saw object 2, long ago
        assertThatThrownBy(() -> journal.append(entry(3, "w1", List.of())))
                .isInstanceOf(JournalFencedException.class)
                .hasMessageContaining("pruned");
        assertThatThrownBy(() -> journal.append(entry(0, "w1", List.of()))).isInstanceOf(JournalFencedException.class);
        assertThat(numbers()).containsExactly(5L);
    }

    @Test
    void lostObjectBeforeTheNewestHindersNobody() throws Exception {
        for (int n = 0; n < 6; n++) {
            journal.append(entry(n, "w1", List.of()));
        }
        Files.delete(objects.resolve("00000000000000000002.json"));
        Files.writeString(objects.resolve("00000000000000000004.json"), "{");

        assertThat(journal.newest()).contains(entry(5, "w1", List.of()));
        assertThat(numbers()).containsExactly(5L);
        journal.append(entry(6, "w1", List.of()));
        assertThat(numbers()).containsExactly(5L, 6L);
    }

    @Test
    void filesOfOthersInTheFolderAreNoObjects() throws Exception {
        journal.append(entry(0, "w1", List.of()));
        for (String name : List.of(
                "00000000000000000001.json.bak",
                "00000000000000000001 (copy).json",
                "1.json",
                ".DS_Store",
                "README",
                ".00000000000000000001.json.1234.tmp",
                "99999999999999999999.json")) {
            Files.writeString(objects.resolve(name), "someone else's");
        }
        Files.createDirectory(objects.resolve("00000000000000000009"));

        assertThat(journal.newest()).contains(entry(0, "w1", List.of()));
        journal.append(entry(1, "w1", List.of()));
        assertThat(numbers()).containsExactly(0L, 1L);
    }

    @Test
    void objectUnderAnotherNumberIsNotTaken() throws Exception {
        journal.append(entry(0, "w1", List.of()));
        Files.copy(objects.resolve("00000000000000000000.json"), objects.resolve("00000000000000000007.json"));

        assertThatThrownBy(journal::newest)
                .isInstanceOf(JournalCorruptedException.class)
                .hasMessageContaining("00000000000000000007.json")
                .hasMessageContaining("it says that it is object 0");
    }

    private boolean wins(JournalEntry entry) throws IOException {
        try {
            journal.append(entry);
            return true;
        } catch (JournalFencedException e) {
            return false;
        }
    }

    private List<Long> numbers() throws IOException {
        return journal.unbroken().stream().map(JournalEntry::number).sorted().toList();
    }
}

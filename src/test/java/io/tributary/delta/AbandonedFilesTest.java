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

import io.tributary.batch.StagedFile;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import io.tributary.testing.DeltaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a killed writer left behind. */
class AbandonedFilesTest {

    private static final TableSchema SCHEMA = schema(Simple.BIGINT);

    /** A claim after everything that was written. */
    private static final long ANY = 1000;

    @TempDir
    Path folder;

    @Test
    void onlyFilesThatNoObjectCanNameAnyMoreAreRemoved() throws Exception {
        try (DeltaLake dead = TestLake.open(folder, "w1");
                DeltaLake lake = TestLake.open(folder, "w2")) {
            BronzeTable made = dead.create(layout(SCHEMA, 1), IDENTITY);
            dead.journal().append(entry(0, "w1", List.of()));

            List<StagedFile> committed = rows(dead, 1, 10);
            TableCommit commit = commitOf(made, layout(SCHEMA, 1), committed);
            dead.journal().append(entry(1, "w1", List.of(commit)));
            dead.commit(1, commit, FACTS);
            List<StagedFile> intended = rows(dead, 2, 11);
            dead.journal().append(entry(2, "w1", List.of(commitOf(made, layout(SCHEMA, 1), intended))));
            // a sign of life took number 3 while the batch filled: its files are named by object 4
            List<StagedFile> late = rows(dead, 3, 12);
            List<StagedFile> given = rows(dead, 3, 12);
            dead.journal().append(entry(3, "w1", List.of()));
            dead.journal().append(entry(4, "w1", List.of(commitOf(made, layout(SCHEMA, 1), late))));
            List<StagedFile> beyond = rows(dead, 5, 13);
            List<StagedFile> own = rows(lake, 3, 14);
            Files.writeString(folder.resolve("shop/orders/part-00000.snappy.parquet"), "someone else's");

            int removed = lake.removeAbandoned(List.of(ORDERS, new TableId("shop", "none")), ANY);

            assertThat(removed).isEqualTo(1);
            assertThat(parquetFiles())
                    .containsAll(names(committed))
                    .containsAll(names(intended))
                    .containsAll(names(late))
                    .containsAll(names(beyond))
                    .containsAll(names(own))
                    .contains("part-00000.snappy.parquet")
                    .doesNotContainAnyElementsOf(names(given));
            DeltaReader.assertLogIsSound(folder.resolve("shop/orders"));
        }
    }

    @Test
    void writerThatSleptHereRemovesNothingOfTheNextOne() throws Exception {
        try (DeltaLake asleep = TestLake.open(folder, "w1");
                DeltaLake next = TestLake.open(folder, "w2")) {
            next.create(layout(SCHEMA, 1), IDENTITY);
            asleep.journal().append(entry(0, "w1", List.of()));
            next.journal().append(entry(1, "w2", List.of()));
            // its batch fills; a sign of life takes the number meanwhile
            List<StagedFile> filling = rows(next, 2, 10);
            next.journal().append(entry(2, "w2", List.of()));

            assertThat(asleep.removeAbandoned(List.of(ORDERS), 0)).isZero();
            assertThat(parquetFiles()).containsAll(names(filling));
        }
    }

    @Test
    void filesOfPrunedObjectsAreLeftAlone() throws Exception {
        try (DeltaLake dead = TestLake.open(folder, "w1");
                DeltaLake lake = TestLake.open(folder, "w2")) {
            BronzeTable made = dead.create(layout(SCHEMA, 1), IDENTITY);
            dead.journal().append(entry(0, "w1", List.of()));
            List<StagedFile> committed = rows(dead, 1, 10);
            TableCommit commit = commitOf(made, layout(SCHEMA, 1), committed);
            dead.journal().append(entry(1, "w1", List.of(commit)));
            dead.commit(1, commit, FACTS);
            dead.journal().append(entry(2, "w1", List.of()));
            dead.journal().markDone(2);
            dead.journal().prune(2);

            assertThat(lake.removeAbandoned(List.of(ORDERS), ANY)).isZero();
            assertThat(DeltaReader.rows(folder.resolve("shop/orders"))).hasSize(1);
        }
    }

    private static List<StagedFile> rows(DeltaLake lake, long batch, long sequence) throws IOException {
        return stage(lake, batch, followed(SCHEMA, 1), sequence, List.of(inserted(SCHEMA, sequence)));
    }

    private static List<String> names(List<StagedFile> files) {
        return files.stream().map(StagedFile::path).toList();
    }

    private List<String> parquetFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("shop/orders"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".parquet"))
                    .toList();
        }
    }

    @Test
    void committedFileWhoseObjectIsLostStays() throws Exception {
        Path lost = folder.resolve("_tributary/shop/journal/00000000000000000002.json");
        assertCommittedFileStays(() -> Files.delete(lost));
    }

    @Test
    void committedFileWhoseObjectIsGarbledStays() throws Exception {
        Path garbled = folder.resolve("_tributary/shop/journal/00000000000000000002.json");
        assertCommittedFileStays(() -> Files.writeString(garbled, "{"));
    }

    /** A file that object 2 names, after a sign of life took number 1, and that is in the table. */
    private void assertCommittedFileStays(Damage damage) throws Exception {
        try (DeltaLake dead = TestLake.open(folder, "w1");
                DeltaLake lake = TestLake.open(folder, "w2")) {
            BronzeTable made = dead.create(layout(SCHEMA, 1), IDENTITY);
            List<StagedFile> given = rows(dead, 1, 9);
            List<StagedFile> committed = rows(dead, 1, 10);
            TableCommit commit = commitOf(made, layout(SCHEMA, 1), committed);
            dead.commit(2, commit, FACTS);
            dead.journal().append(entry(0, "w1", List.of()));
            dead.journal().append(entry(1, "w1", List.of()));
            dead.journal().append(entry(2, "w1", List.of(commit)));
            dead.journal().append(entry(3, "w1", List.of()));
            List<StagedFile> late = rows(dead, 3, 12);
            dead.journal().append(entry(4, "w1", List.of()));
            damage.happen();

            assertThat(lake.removeAbandoned(List.of(ORDERS), ANY)).isEqualTo(1);

            assertThat(parquetFiles())
                    .containsAll(names(committed))
                    .as("nobody can tell any more")
                    .containsAll(names(given))
                    .doesNotContainAnyElementsOf(names(late));
            assertThat(DeltaReader.rows(folder.resolve("shop/orders"))).hasSize(1);
        }
    }

    @FunctionalInterface
    private interface Damage {
        void happen() throws IOException;
    }

    @Test
    void whatAKilledWriterHadNotPutInPlaceIsRemovedAfterAnHour() throws Exception {
        try (DeltaLake lake = TestLake.open(folder, "w2")) {
            lake.create(layout(SCHEMA, 1), IDENTITY);
            Path old = folder.resolve("_tributary/shop/journal/.00000000000000000000.json.x.tmp");
            Path alsoOld = folder.resolve("shop/orders/_delta_log/.00000000000000000001.json.x.tmp");
            Path young = folder.resolve("_tributary/shop/journal/.00000000000000000001.json.x.tmp");
            for (Path file : List.of(old, alsoOld, young)) {
                Files.writeString(file, "half");
            }
            FileTime anHourAgo = FileTime.from(Instant.now().minus(Duration.ofMinutes(61)));
            Files.setLastModifiedTime(old, anHourAgo);
            Files.setLastModifiedTime(alsoOld, anHourAgo);

            assertThat(lake.removeAbandoned(List.of(ORDERS), ANY)).isEqualTo(2);
            assertThat(young).exists();
            assertThat(old).doesNotExist();
        }
    }
}

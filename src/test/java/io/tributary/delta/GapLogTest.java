package io.tributary.delta;

import static io.tributary.delta.TestLake.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tributary.testing.DeltaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The control table of gaps, read back by Kernel's reader over Hadoop's file system. */
class GapLogTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00.123456Z");
    private static final long NOW_MICROS = 1_796_040_000_123_456L;
    private static final GapFact LOST = new GapFact(
            GapFact.Kind.GAP,
            Optional.empty(),
            "tributary_shop",
            "0/16B3748",
            "",
            "the replication slot is gone",
            OptionalLong.empty());
    private static final GapFact READ_ANEW = new GapFact(
            GapFact.Kind.REPAIR,
            Optional.of(ORDERS),
            "tributary_shop",
            "0/16B3748",
            "0/2000000",
            "repair by an operator",
            OptionalLong.of(2));

    @TempDir
    Path folder;

    private final HookedFileIO files = new HookedFileIO();
    private Path table;
    private DeltaLake lake;

    @BeforeEach
    void open() {
        table = folder.resolve("_tributary/shop/gaps");
        lake = open("w1", files);
    }

    @AfterEach
    void close() {
        lake.close();
    }

    @Test
    void sourceWithoutGapsHasNoTable() throws Exception {
        assertThat(lake.gaps().all()).isEmpty();
        assertThat(table).doesNotExist();
    }

    @Test
    void factsAreRowsThatAnyoneCanRead() throws Exception {
        lake.gaps().record("gap/17/slot", List.of(LOST));
        try (DeltaLake later = open("w2", files, NOW.plusSeconds(60))) {
            later.gaps().record("repair/18", List.of(READ_ANEW));
        }

        assertThat(DeltaReader.schema(table).fieldNames())
                .containsExactly(
                        "at",
                        "kind",
                        "schema",
                        "table",
                        "channel",
                        "stored_position",
                        "available_position",
                        "cause",
                        "generation",
                        "writer");
        List<Map<String, Object>> rows = DeltaReader.rows(table);
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0))
                .containsEntry("at", NOW_MICROS)
                .containsEntry("kind", "gap")
                .containsEntry("schema", null)
                .containsEntry("table", null)
                .containsEntry("channel", "tributary_shop")
                .containsEntry("stored_position", "0/16B3748")
                .containsEntry("available_position", "")
                .containsEntry("cause", "the replication slot is gone")
                .containsEntry("generation", null)
                .containsEntry("writer", "w1");
        assertThat(rows.get(1))
                .containsEntry("kind", "repair")
                .containsEntry("schema", "shop")
                .containsEntry("table", "orders")
                .containsEntry("available_position", "0/2000000")
                .containsEntry("generation", 2L)
                .containsEntry("writer", "w2");
        assertThat(DeltaReader.properties(table))
                .containsEntry("delta.enableChangeDataFeed", "true")
                .containsEntry("delta.checkpointInterval", "50")
                .containsEntry("tributary.format", "1")
                .containsEntry("tributary.source", "shop");
        assertThat(lake.gaps().all())
                .containsExactly(
                        new GapLog.Entry(NOW, "w1", LOST), new GapLog.Entry(NOW.plusSeconds(60), "w2", READ_ANEW));
    }

    @Test
    void gapThatEachStartFindsAnewIsOneRow() throws Exception {
        assertThat(lake.gaps().record("gap/17/slot", List.of(LOST))).isTrue();
        for (int start = 2; start < 5; start++) {
            try (DeltaLake next = open("w" + start, files)) {
                assertThat(next.gaps().record("gap/17/slot", List.of(LOST, LOST)))
                        .isFalse();
            }
        }
        assertThat(DeltaReader.rows(table)).hasSize(1);
        assertThat(DeltaReader.version(table)).isEqualTo(1);
    }

    @Test
    void olderJournalNumberAfterARestoreIsAnEventOfItsOwn() throws Exception {
        lake.gaps().record("gap/17/slot", List.of(LOST));
        lake.gaps().record("gap/9/slot", List.of(LOST));

        assertThat(DeltaReader.rows(table)).hasSize(2);
    }

    @Test
    void factsOfAnEventComeTogether() throws Exception {
        lake.gaps().record("repair/18", List.of(LOST, READ_ANEW, READ_ANEW));

        assertThat(DeltaReader.rows(table)).hasSize(3);
        assertThat(DeltaReader.version(table)).isEqualTo(1);
    }

    @Test
    void processesThatDetectItAtOnceAddOneRow() throws Exception {
        int writers = 4;
        CyclicBarrier start = new CyclicBarrier(writers);
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Callable<Boolean>> detections = new ArrayList<>();
            for (int w = 0; w < writers; w++) {
                String writer = "w" + w;
                detections.add(() -> {
                    try (DeltaLake other = open(writer, new HookedFileIO())) {
                        start.await();
                        return other.gaps().record("gap/17/slot", List.of(LOST));
                    }
                });
            }
            List<Boolean> added = new ArrayList<>();
            for (Future<Boolean> detection : threads.invokeAll(detections)) {
                added.add(detection.get());
            }
            assertThat(added).containsOnlyOnce(true);
        } finally {
            threads.shutdownNow();
        }
        assertThat(DeltaReader.rows(table)).hasSize(1);
    }

    @Test
    void rowThatReachedTheDiskBeforeTheFailureIsNotDoubled() throws Exception {
        lake.gaps().record("gap/1/slot", List.of(LOST));
        files.afterNext("00000000000000000002.json", path -> {
            throw new IOException("the network went away");
        });

        assertThatThrownBy(() -> lake.gaps().record("gap/17/slot", List.of(LOST)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the network went away");
        assertThat(lake.gaps().record("gap/17/slot", List.of(LOST))).isFalse();
        assertThat(DeltaReader.rows(table)).hasSize(2);
    }

    @Test
    void storageThatFailsIsSaidSo() throws Exception {
        files.beforeNext("00000000000000000000.json", path -> {
            throw new IOException("no space left on device");
        });

        assertThatThrownBy(() -> lake.gaps().record("gap/17/slot", List.of(LOST)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no space left on device");
        assertThat(lake.gaps().record("gap/17/slot", List.of(LOST))).isTrue();
        assertThat(DeltaReader.rows(table)).hasSize(1);
    }

    @Test
    void tableOfSomeoneElseIsNamed() throws Exception {
        lake.gaps().record("gap/17/slot", List.of(LOST));
        Path other = folder.resolve("_tributary/other");
        Files.move(folder.resolve("_tributary/shop"), other);

        try (DeltaLake neighbour = TestLake.open(folder, "other", "w2")) {
            assertThatThrownBy(() -> neighbour.gaps().record("gap/17/slot", List.of(LOST)))
                    .isInstanceOf(LakeConfigurationException.class)
                    .hasMessageContaining(other.resolve("gaps").toString())
                    .hasMessageContaining("not made by Tributary for the source other");
            assertThatThrownBy(() -> neighbour.gaps().all()).isInstanceOf(LakeConfigurationException.class);
        }
    }

    private DeltaLake open(String writer, HookedFileIO storage) {
        return open(writer, storage, NOW);
    }

    private DeltaLake open(String writer, HookedFileIO storage, Instant now) {
        return DeltaLake.open(
                new LakeStorage(storage, "file:" + folder),
                new TablePaths("{schema}/{table}", "shop"),
                new TableProperties(Map.of()),
                "shop",
                writer,
                StagedRowWriter.Limits.DEFAULT,
                Clock.fixed(now, ZoneOffset.UTC));
    }
}

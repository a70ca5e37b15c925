package io.tributary.delta;

import static io.tributary.delta.FormatData.GROWN;
import static io.tributary.delta.TestLake.FACTS;
import static io.tributary.delta.TestLake.IDENTITY;
import static io.tributary.delta.TestLake.ORDERS;
import static io.tributary.delta.TestLake.POSITION;
import static io.tributary.delta.TestLake.followed;
import static io.tributary.delta.TestLake.inserted;
import static io.tributary.delta.TestLake.layout;
import static io.tributary.delta.TestLake.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.testing.DeltaReader;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This build reads, finishes and goes on with the lakes that {@link FormatData} wrote in each format version. */
class FormatTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    @BeforeEach
    void copy() throws Exception {
        URI kept = Objects.requireNonNull(FormatTest.class.getResource("/formats/1"))
                .toURI();
        Path from = Path.of(kept);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path to = folder.resolve(from.relativize(file).toString());
                Files.createDirectories(to.getParent());
                Files.copy(file, to);
            }
        }
    }

    @Test
    void thereIsDataOfEveryVersion() {
        assertThat(IntStream.rangeClosed(1, JournalEntry.FORMAT)
                        .mapToObj(version -> FormatTest.class.getResource("/formats/" + version)))
                .doesNotContainNull();
        assertThat(TableProperties.FORMAT_VERSION).isEqualTo(Integer.toString(JournalEntry.FORMAT));
    }

    @Test
    void journalIsReadToTheLastField() throws Exception {
        try (DeltaLake lake = TestLake.open(folder, "w2")) {
            List<JournalEntry> objects = lake.journal().unbroken();

            assertThat(objects).extracting(JournalEntry::number).containsExactly(4L, 3L, 2L, 1L, 0L);
            assertThat(objects)
                    .extracting(JournalEntry::kind)
                    .containsExactly(
                            JournalEntry.Kind.BATCH,
                            JournalEntry.Kind.ALIVE,
                            JournalEntry.Kind.BATCH,
                            JournalEntry.Kind.CLAIM,
                            JournalEntry.Kind.CLAIM);
            assertThat(objects).extracting(JournalEntry::source).containsOnly(IDENTITY);
            assertThat(objects.get(4).position()).isEmpty();
            JournalEntry newest = objects.get(0);
            TableProgress progress = Objects.requireNonNull(newest.tables().get(ORDERS));
            assertThat(newest.position()).contains(POSITION);
            assertThat(newest.writtenAtMillis()).isEqualTo(1_700_000_002_004L);
            assertThat(newest.lastSequence()).isEqualTo(4);
            assertThat(progress.snapshot()).contains(FormatData.SNAPSHOT);
            assertThat(progress.relation()).isEqualTo("16385/701/702");
            assertThat(progress.generation()).isEqualTo(1);
            assertThat(progress.lastBatch()).hasValue(4);
            assertThat(progress.waived()).isFalse();
            TableCommit commit = newest.commits().get(0);
            assertThat(commit.layout()).isEqualTo(layout(GROWN, 2));
            assertThat(commit.rows()).isEqualTo(1);
            assertThat(commit.deltaId()).isEqualTo(progress.deltaId());
            assertThat(lake.journal().isDone(2)).isTrue();
            assertThat(lake.journal().isDone(4)).isFalse();
        }
    }

    @Test
    void intentIsFinishedAndTheTableGoesOn() throws Exception {
        try (DeltaLake lake = TestLake.open(folder, "w2")) {
            JournalEntry intent = lake.journal().newest().orElseThrow();
            TableCommit commit = intent.commits().get(0);

            assertThat(lake.commit(4, commit, FACTS)).isEqualTo(new CommitOutcome.Committed(2));
            lake.journal().markDone(4);
            BronzeTable table = lake.require(ORDERS);
            assertThat(table.layout()).isEqualTo(layout(GROWN, 2));
            assertThat(lake.create(layout(GROWN, 2), IDENTITY)).isEqualTo(table);
            lake.journal().append(FormatData.entry(5, JournalEntry.Kind.ALIVE, intent.tables(), List.of()));
            TableCommit next = TestLake.commitOf(
                    table, layout(GROWN, 2), stage(lake, 6, followed(GROWN, 2), 9, List.of(inserted(GROWN, late(4L)))));
            TableProgress progress = Objects.requireNonNull(intent.tables().get(ORDERS));
            lake.requireAsLeft(next);
            lake.journal()
                    .append(FormatData.entry(
                            6, JournalEntry.Kind.BATCH, Map.of(ORDERS, progress.withLastBatch(6)), List.of(next)));
            assertThat(lake.commit(6, next, FACTS)).isEqualTo(new CommitOutcome.Committed(3));

            List<Map<String, Object>> rows = DeltaReader.rows(folder.resolve("shop/orders"));
            assertThat(rows).extracting(row -> row.get("c0")).containsExactly(1L, 2L, 3L, 4L);
            assertThat(rows.get(2))
                    .contains(
                            entry("c6", "été"),
                            entry("c8", -141_428),
                            entry("c11", new BigDecimal("-12345678.9999")),
                            entry("c12", Arrays.asList(1, null)),
                            entry("c13", Map.of("x", 1.5)),
                            entry("late", "came late"));
            assertThat(rows.get(1)).containsEntry("c6", null).containsEntry("late", null);
            DeltaReader.assertLogIsSound(folder.resolve("shop/orders"));
        }
    }

    @Test
    void gapsAreReadAndAddedTo() throws Exception {
        try (DeltaLake lake = TestLake.open(folder, "w2")) {
            GapFact known = lake.gaps().all().get(0).fact();
            assertThat(known.kind()).isEqualTo(GapFact.Kind.GAP);
            assertThat(known.stored()).isEqualTo("0/16B3748");
            assertThat(lake.gaps().record("gap/3/CHANNEL_MISSING", List.of(known)))
                    .isFalse();
            assertThat(lake.gaps().record("repair/5", List.of(known))).isTrue();
            assertThat(lake.gaps().all()).hasSize(2);
        }
    }

    @Test
    void whatANewerBuildMerelyAddedIsPassedOver() throws Exception {
        Path newest = folder.resolve("_tributary/shop/journal/00000000000000000004.json");
        ObjectNode object =
                (ObjectNode) JSON.readTree(Files.readAllLines(newest).get(0));
        addTo(object);
        Files.write(newest, List.of(object.toString(), JournalJson.checksumLine(object.toString())));
        try (DeltaLake lake = TestLake.open(folder, "w2")) {
            JournalEntry intent = lake.journal().newest().orElseThrow();
            assertThat(lake.commit(4, intent.commits().get(0), FACTS)).isEqualTo(new CommitOutcome.Committed(2));
        }
    }

    /** A field more in every object of the tree. */
    private static void addTo(JsonNode node) {
        node.forEach(FormatTest::addTo);
        if (node instanceof ObjectNode object && !isMap(object)) {
            object.put("addedLater", "x");
        }
    }

    /** Statistics are Delta's, and keyed by the columns. */
    private static boolean isMap(ObjectNode object) {
        return object.has("numRecords") || object.has("_cdc_seq");
    }

    private static @Nullable Object[] late(long id) {
        @Nullable
        Object[] values = Arrays.copyOf(FormatData.row(id), GROWN.columns().size());
        values[values.length - 1] = "later still";
        return values;
    }
}

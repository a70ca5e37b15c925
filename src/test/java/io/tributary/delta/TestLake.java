package io.tributary.delta;

import io.tributary.batch.RowWriter;
import io.tributary.batch.StagedFile;
import io.tributary.event.ChangeEvent;
import io.tributary.event.Column;
import io.tributary.event.ColumnType;
import io.tributary.event.EventOrigin;
import io.tributary.event.RowImage;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourceIdentity;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import io.tributary.evolution.BronzeColumn;
import io.tributary.evolution.FollowedSchema;
import io.tributary.evolution.TableLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A lake in a folder, and events to fill it with. */
final class TestLake {

    static final TableId ORDERS = new TableId("shop", "orders");
    static final SourceIdentity IDENTITY = new SourceIdentity("postgres", "7301", 1, "shopdb", "tributary_shop");
    static final CommitFacts FACTS = new CommitFacts("0/16B3748", 42);
    static final SourcePosition.Wal POSITION = new SourcePosition.Wal(23_803_720, 777, 1_700_000_000_000_000L);

    private TestLake() {}

    record Lake(Optional<String> path, String tablePath, Map<String, String> hadoop) implements LakeConfig {}

    record Delta(Map<String, String> properties) implements DeltaConfig {}

    static LakeConfig at(Path folder) {
        return new Lake(Optional.of("file://" + folder), "{schema}/{table}", Map.of());
    }

    static DeltaLake open(Path folder, String writer) {
        return open(folder, "shop", writer);
    }

    static DeltaLake open(Path folder, String source, String writer) {
        DeltaLake lake = DeltaLake.open(at(folder), new Delta(Map.of()), source, writer, Clock.systemUTC());
        lake.requireWritable();
        return lake;
    }

    static LakeStorage storage(Path folder) {
        return LakeStorage.open(at(folder));
    }

    /** A schema of columns {@code c0}, {@code c1}, … */
    static TableSchema schema(ColumnType... types) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            columns.add(new Column("c" + i, types[i], "source type " + i, i == 0));
        }
        return new TableSchema(ORDERS, columns);
    }

    static TableLayout layout(TableSchema schema, int version) {
        return new TableLayout(
                schema.table(),
                version,
                schema.columns().stream()
                        .map(c -> new BronzeColumn(c.name(), c.type(), c.name(), c.sourceType(), c.key()))
                        .toList());
    }

    static FollowedSchema followed(TableSchema schema, int version) {
        return new FollowedSchema(
                layout(schema, version),
                schema,
                IntStream.range(0, schema.columns().size()).boxed().toList(),
                List.of());
    }

    static EventOrigin origin() {
        return new EventOrigin(Optional.of("777"), "0/16B3700", 1_700_000_000_123_456L, 1_700_000_001_000_000L);
    }

    static ChangeEvent inserted(TableSchema schema, @Nullable Object... values) {
        return new ChangeEvent.Inserted(
                schema, origin(), new RowImage(values, RowImage.Extent.FULL, List.of(), List.of()));
    }

    /** Stages rows with sequences from {@code firstSequence}, as one batch. */
    static List<StagedFile> stage(
            DeltaLake lake, long batch, FollowedSchema schema, long firstSequence, List<ChangeEvent> events)
            throws IOException {
        try (RowWriter writer = lake.writers().open(batch, schema, OptionalLong.empty())) {
            long sequence = firstSequence;
            for (ChangeEvent event : events) {
                writer.append(sequence++, event);
            }
            return writer.finish();
        }
    }

    static TableCommit commitOf(BronzeTable table, TableLayout layout, List<StagedFile> files) {
        return new TableCommit(
                table.table(),
                table.path(),
                table.deltaId(),
                layout,
                files.stream().mapToLong(StagedFile::rows).sum(),
                files);
    }

    static JournalEntry entry(long number, String writer, List<TableCommit> commits) {
        return new JournalEntry(
                JournalEntry.FORMAT,
                number,
                writer,
                number == 0 ? JournalEntry.Kind.CLAIM : JournalEntry.Kind.BATCH,
                IDENTITY,
                number == 0 ? Optional.empty() : Optional.of(POSITION),
                number * 10,
                commits,
                Map.of(
                        ORDERS,
                        new TableProgress(
                                "shop/orders",
                                "id-1",
                                "16385/701/702",
                                1,
                                Optional.of(SnapshotPoint.parse("0/1234@700:702:701")),
                                number == 0 ? OptionalLong.empty() : OptionalLong.of(number),
                                false)),
                1_700_000_002_000L);
    }
}

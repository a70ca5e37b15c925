package io.tributary.delta;

import static io.tributary.delta.TestLake.FACTS;
import static io.tributary.delta.TestLake.IDENTITY;
import static io.tributary.delta.TestLake.ORDERS;
import static io.tributary.delta.TestLake.POSITION;
import static io.tributary.delta.TestLake.followed;
import static io.tributary.delta.TestLake.inserted;
import static io.tributary.delta.TestLake.layout;
import static io.tributary.delta.TestLake.schema;
import static io.tributary.delta.TestLake.stage;

import io.tributary.event.Column;
import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Writes a lake in the form of today, which {@link FormatTest} keeps readable for ever: {@code mvn test
 * -Dtest=FormatData -Dtributary.test.format-folder=src/test/resources/formats/<n>}. Once for each format version, before
 * the first release that writes it; never again for the same.
 */
class FormatData {

    static final String SOURCE = "shop";
    static final SnapshotPoint SNAPSHOT = SnapshotPoint.parse("0/1234@700:702:701");

    /** Every type, and names that differ from the source's. */
    static final TableSchema SCHEMA = schema(
            Simple.BIGINT,
            Simple.BOOLEAN,
            Simple.SMALLINT,
            Simple.INT,
            Simple.FLOAT,
            Simple.DOUBLE,
            Simple.STRING,
            Simple.BINARY,
            Simple.DATE,
            Simple.TIMESTAMP,
            Simple.TIMESTAMP_NTZ,
            new ColumnType.Decimal(12, 4),
            new ColumnType.Array(Simple.INT),
            new ColumnType.Struct(List.of(new ColumnType.Field("x", Simple.DOUBLE))));

    static final TableSchema GROWN = grown();

    private static TableSchema grown() {
        List<Column> columns = new ArrayList<>(SCHEMA.columns());
        columns.add(new Column("late", Simple.STRING, "text", false));
        return new TableSchema(ORDERS, columns);
    }

    @Test
    void write() throws Exception {
        Path folder =
                Path.of(System.getProperty("tributary.test.format-folder")).toAbsolutePath();
        try (DeltaLake lake = TestLake.open(folder, SOURCE, "w1")) {
            Journal journal = lake.journal();
            journal.append(entry(0, JournalEntry.Kind.CLAIM, Map.of(), List.of()));
            BronzeTable made = lake.create(layout(SCHEMA, 1), IDENTITY);
            TableProgress begun = new TableProgress(
                    made.path(),
                    made.deltaId(),
                    "16385/701/702",
                    1,
                    Optional.of(SNAPSHOT),
                    OptionalLong.empty(),
                    false);
            journal.append(entry(1, JournalEntry.Kind.CLAIM, Map.of(ORDERS, begun), List.of()));

            TableCommit first = TestLake.commitOf(
                    made,
                    layout(SCHEMA, 1),
                    stage(
                            lake,
                            2,
                            followed(SCHEMA, 1),
                            1,
                            List.of(inserted(SCHEMA, row(1L)), inserted(SCHEMA, nulls(2L)))));
            journal.append(entry(2, JournalEntry.Kind.BATCH, Map.of(ORDERS, begun.withLastBatch(2)), List.of(first)));
            lake.commit(2, first, FACTS);
            journal.markDone(2);
            journal.append(entry(3, JournalEntry.Kind.ALIVE, Map.of(ORDERS, begun.withLastBatch(2)), List.of()));
            lake.gaps()
                    .record(
                            "gap/3/CHANNEL_MISSING",
                            List.of(new GapFact(
                                    GapFact.Kind.GAP,
                                    Optional.of(ORDERS),
                                    "tributary_shop",
                                    "0/16B3748",
                                    "",
                                    "the replication slot does not exist",
                                    OptionalLong.of(2))));
            // its writer died after the point of no return: the next build finishes it
            TableCommit second = TestLake.commitOf(
                    made,
                    layout(GROWN, 2),
                    stage(lake, 4, followed(GROWN, 2), 3, List.of(inserted(GROWN, grownRow(3L)))));
            journal.append(entry(4, JournalEntry.Kind.BATCH, Map.of(ORDERS, begun.withLastBatch(4)), List.of(second)));
        }
    }

    static JournalEntry entry(
            long number, JournalEntry.Kind kind, Map<TableId, TableProgress> tables, List<TableCommit> commits) {
        return new JournalEntry(
                JournalEntry.FORMAT,
                number,
                "w1",
                kind,
                IDENTITY,
                number == 0 ? Optional.empty() : Optional.of(POSITION),
                number,
                commits,
                tables,
                1_700_000_002_000L + number);
    }

    static @Nullable Object[] row(long id) {
        return new @Nullable Object[] {
            id,
            true,
            (short) -2,
            3,
            0.5f,
            -0.25,
            "été",
            new byte[] {0, -1},
            -141_428,
            -1L,
            1_700_000_000_000_001L,
            new BigDecimal("-12345678.9999"),
            new @Nullable Object[] {1, null},
            new Object[] {1.5}
        };
    }

    static @Nullable Object[] nulls(long id) {
        @Nullable Object[] values = new @Nullable Object[SCHEMA.columns().size()];
        values[0] = id;
        return values;
    }

    private static @Nullable Object[] grownRow(long id) {
        @Nullable Object[] values = Arrays.copyOf(row(id), GROWN.columns().size());
        values[values.length - 1] = "came late";
        return values;
    }
}

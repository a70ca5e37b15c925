package io.tributary.delta;

import static io.tributary.delta.TestLake.FACTS;
import static io.tributary.delta.TestLake.IDENTITY;
import static io.tributary.delta.TestLake.commitOf;
import static io.tributary.delta.TestLake.followed;
import static io.tributary.delta.TestLake.inserted;
import static io.tributary.delta.TestLake.layout;
import static io.tributary.delta.TestLake.schema;
import static io.tributary.delta.TestLake.stage;
import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.event.ChangeEvent;
import io.tributary.event.ColumnType;
import io.tributary.event.TableSchema;
import io.tributary.testing.DeltaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;

/** Whatever the types and values: what goes in comes out of another reader, and statistics hide none of it. */
class BronzeRowPropertyTest {

    record Rows(List<ColumnType> types, List<List<@Nullable Object>> values) {}

    @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
    void everyRowIsReadBackAndNoneIsHidden(@ForAll("tables") Rows rows) throws Exception {
        roundTrip(rows);
    }

    @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
    void columnsWithStatisticsHideNothing(@ForAll("flatTables") Rows rows) throws Exception {
        roundTrip(rows);
    }

    @Provide
    Arbitrary<Rows> tables() {
        return rows(TypedValues.types(), 5);
    }

    @Provide
    Arbitrary<Rows> flatTables() {
        return rows(TypedValues.flatTypes(), 8);
    }

    private static Arbitrary<Rows> rows(Arbitrary<ColumnType> types, int maxRows) {
        return types.list().ofMinSize(1).ofMaxSize(6).flatMap(columns -> {
            List<Arbitrary<@Nullable Object>> values =
                    columns.stream().map(TypedValues::values).toList();
            Arbitrary<List<@Nullable Object>> row = Combinators.combine(values).as(list -> list);
            return row.list().ofMinSize(1).ofMaxSize(maxRows).map(list -> new Rows(columns, list));
        });
    }

    @Property(tries = 1000)
    void namesOfTablesNeverMeet(
            @ForAll("names") String schema1,
            @ForAll("names") String table1,
            @ForAll("names") String schema2,
            @ForAll("names") String table2) {
        TablePaths paths = new TablePaths("{schema}/{table}", "shop");
        String first = paths.of(new io.tributary.event.TableId(schema1, table1));
        String second = paths.of(new io.tributary.event.TableId(schema2, table2));

        boolean same = schema1.equals(schema2) && table1.equals(table2);
        assertThat(first.equals(second)).isEqualTo(same);
        assertThat(first).matches("[A-Za-z0-9~-][A-Za-z0-9~_.-]*/[A-Za-z0-9~-][A-Za-z0-9~_.-]*");
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings().withChars("aA_.~5F/%-é {}").ofMinLength(1).ofMaxLength(4);
    }

    private static void roundTrip(Rows rows) throws Exception {
        Path folder = Files.createTempDirectory("bronze");
        try (DeltaLake lake = TestLake.open(folder, "w1")) {
            TableSchema schema = schema(rows.types().toArray(ColumnType[]::new));
            BronzeTable made = lake.create(layout(schema, 1), IDENTITY);
            List<ChangeEvent> events = new ArrayList<>();
            for (List<@Nullable Object> row : rows.values()) {
                events.add(inserted(schema, row.toArray()));
            }
            TableCommit commit = commitOf(made, layout(schema, 1), stage(lake, 1, followed(schema, 1), 10, events));
            lake.commit(1, commit, FACTS);

            Path table = folder.resolve("shop/orders");
            List<Map<String, @Nullable Object>> read = DeltaReader.rows(table);
            assertThat(read).hasSameSizeAs(events);
            for (int r = 0; r < read.size(); r++) {
                for (int c = 0; c < rows.types().size(); c++) {
                    assertThat(TypedValues.comparable(read.get(r).get("c" + c)))
                            .isEqualTo(TypedValues.expected(
                                    rows.types().get(c), rows.values().get(r).get(c)));
                }
            }
            DeltaReader.assertLogIsSound(table);
            assertThat(TestLake.open(folder, "w2")
                            .load(TestLake.ORDERS)
                            .orElseThrow()
                            .layout())
                    .isEqualTo(layout(schema, 1));
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

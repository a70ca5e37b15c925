package io.tributary.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tributary.event.Column;
import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayoutEvolutionTest {
    private static final TableId TABLE = new TableId("shop", "orders");

    @Test
    void aNewTableTakesTheSourcesColumnsInTheirOrder() {
        FollowedSchema begun = LayoutEvolution.begin(schema(key("id"), column("note", Simple.STRING)));

        assertThat(begun.layout().version()).isEqualTo(1);
        assertThat(begun.layout().columns()).extracting(BronzeColumn::name).containsExactly("id", "note");
        assertThat(begun.projection()).containsExactly(0, 1);
        assertThat(begun.drift()).isEmpty();
    }

    @Test
    void anUnchangedSchemaKeepsTheLayout() {
        TableSchema schema = schema(key("id"), column("note", Simple.STRING));
        TableLayout layout = LayoutEvolution.begin(schema).layout();

        assertThat(LayoutEvolution.follow(layout, schema).layout()).isSameAs(layout);
    }

    @Test
    void anAddedColumnIsAppendedAndOlderOnesKeepTheirPlace() {
        TableLayout layout = begin(key("id"), column("note", Simple.STRING));

        FollowedSchema followed = LayoutEvolution.follow(
                layout, schema(key("id"), column("city", Simple.STRING), column("note", Simple.STRING)));

        assertThat(followed.layout().version()).isEqualTo(2);
        assertThat(followed.layout().columns()).extracting(BronzeColumn::name).containsExactly("id", "note", "city");
        assertThat(followed.projection()).containsExactly(0, 2, 1);
        assertThat(followed.drift())
                .extracting(Drift::kind, Drift::column)
                .containsExactly(tuple(Drift.Kind.COLUMN_ADDED, "city"));
    }

    @Test
    void aDroppedColumnStaysAndIsNull() {
        TableSchema before = schema(key("id"), column("note", Simple.STRING));
        TableSchema after = schema(key("id"));

        FollowedSchema followed =
                LayoutEvolution.follow(LayoutEvolution.begin(before).layout(), after);

        assertThat(followed.layout().columns()).extracting(BronzeColumn::name).containsExactly("id", "note");
        assertThat(followed.projection()).containsExactly(0, -1);
        assertThat(LayoutEvolution.dropped(before, after))
                .extracting(Drift::column)
                .containsExactly("note");
    }

    @Test
    void aChangedTypeContinuesInANewColumnAndFindsItAgain() {
        TableLayout layout = begin(key("id"), column("n", Simple.INT));
        TableSchema wider = schema(key("id"), column("n", Simple.STRING));

        FollowedSchema followed = LayoutEvolution.follow(layout, wider);

        assertThat(followed.layout().columns()).extracting(BronzeColumn::name).containsExactly("id", "n", "n__v2");
        assertThat(followed.projection()).containsExactly(0, -1, 1);
        assertThat(LayoutEvolution.follow(followed.layout(), wider).drift()).isEmpty();
    }

    @Test
    void aVersionedNameNeverMeetsAColumnOfTheSource() {
        TableLayout layout = begin(key("id"), column("n", Simple.INT), column("N__V2", Simple.INT));

        FollowedSchema followed = LayoutEvolution.follow(
                layout, schema(key("id"), column("n", Simple.STRING), column("N__V2", Simple.INT)));

        assertThat(followed.layout().columns())
                .extracting(BronzeColumn::name)
                .containsExactly("id", "n", "N__V2", "n__v3");
    }

    @Test
    void namesThatDeltaRefusesBecomeSafeAndStayApart() {
        TableLayout layout = begin(
                key("id"),
                column("order no", Simple.INT),
                column("order_no", Simple.INT),
                column("order,no", Simple.INT),
                column("_cdc_op", Simple.INT),
                column("_Commit_Version", Simple.INT),
                column("Id", Simple.INT),
                column("日本", Simple.INT));

        // the digests come from: printf '%s' 'order no' | sha256sum, and so on
        assertThat(layout.columns())
                .extracting(BronzeColumn::name)
                .containsExactly(
                        "id",
                        "order_no_46c4fc",
                        "order_no",
                        "order_no_6c81f3",
                        "_cdc_op_0fbd44",
                        "_Commit_Version_98bc7b",
                        "Id_12156e",
                        "日本");
    }

    @Test
    void aRenamedColumnIsANewOneAndTheOldOneIsKept() {
        TableLayout layout = begin(key("id"), column("old", Simple.INT));

        FollowedSchema followed = LayoutEvolution.follow(layout, schema(key("id"), column("fresh", Simple.INT)));

        assertThat(followed.layout().columns()).extracting(BronzeColumn::name).containsExactly("id", "old", "fresh");
        assertThat(followed.projection()).containsExactly(0, -1, 1);
    }

    private static TableLayout begin(Column... columns) {
        return LayoutEvolution.begin(schema(columns)).layout();
    }

    private static TableSchema schema(Column... columns) {
        return new TableSchema(TABLE, List.copyOf(Arrays.asList(columns)));
    }

    private static Column key(String name) {
        return new Column(name, Simple.BIGINT, "int8", true);
    }

    private static Column column(String name, ColumnType type) {
        return new Column(name, type, type.toString(), false);
    }
}

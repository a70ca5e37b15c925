package io.tributary.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.crash.SourceChange.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The audit finds what it is there to find. */
class AuditTest {
    private static final SourceChange FIRST = insert("a", "1", "10");
    private static final SourceChange SECOND = insert("b", "1", "90");
    private static final SourceChange THIRD = insert("a", "2", "0");

    private final Audit audit =
            new Audit(Map.of("a", "id:l", "b", "id:l"), new Audit.Invariant("a", "b", "amount:l", 100));
    private final List<SourceTransaction> source = List.of(
            new SourceTransaction(200, "7", List.of(FIRST, SECOND)), new SourceTransaction(300, "8", List.of(THIRD)));
    private final List<BronzeRow> bronze =
            new ArrayList<>(List.of(row(2, 10, "7", FIRST), row(2, 11, "7", SECOND), row(2, 12, "8", THIRD)));

    @BeforeEach
    void snapshotsOfNoRows() {
        audit.compare(
                List.of(new SourceTransaction(50, "5", List.of(insert("a", "9", "1")))),
                List.of(snapshot(1, "a"), snapshot(2, "b")));
    }

    @Test
    void equalHistoriesAreClean() {
        audit.compare(source, bronze);
        audit.compareState(
                "a",
                new SourceState(
                        Map.of("1", Map.of("id:l", "1", "amount:l", "10"), "2", Map.of("id:l", "2", "amount:l", "0")),
                        Set.of("id:l", "amount:l")));
        assertThat(audit.findings().objections()).isEmpty();
        assertThat(audit.findings().summary()).startsWith("3 changes compared: 0 lost, 0 doubled, 0 out of order");
    }

    @Test
    void aMissingRowIsLost() {
        bronze.remove(2);
        audit.compare(source, bronze);
        assertThat(audit.findings().summary()).contains("1 lost, 0 doubled, 0 out of order");
    }

    @Test
    void aRowThatComesTwiceIsDoubled() {
        bronze.add(row(3, 13, "8", THIRD));
        audit.compare(source, bronze);
        assertThat(audit.findings().summary()).contains("0 lost, 1 doubled, 0 out of order");
    }

    @Test
    void anotherValueIsALossAndARowFromNowhere() {
        bronze.set(2, row(2, 12, "8", insert("a", "2", "1")));
        audit.compare(source, bronze);
        assertThat(audit.findings().summary()).contains("1 lost, 1 doubled, 0 out of order");
    }

    @Test
    void rowsThatChangedPlacesAreOutOfOrder() {
        bronze.set(0, row(2, 10, "7", SECOND));
        bronze.set(1, row(2, 11, "7", FIRST));
        audit.compare(source, bronze);
        assertThat(audit.findings().summary()).contains("0 lost, 0 doubled, 2 out of order");
    }

    @Test
    void aTieIsOutOfOrder() {
        bronze.set(1, row(2, 10, "7", SECOND));
        audit.compare(source, bronze);
        assertThat(audit.findings().summary()).contains("0 lost, 0 doubled, 1 out of order");
    }

    @Test
    void aTransactionInTwoBatchesIsTornAndBreaksTheSum() {
        bronze.set(1, row(3, 11, "7", SECOND));
        bronze.set(2, row(3, 12, "8", THIRD));
        audit.compare(source, bronze);
        assertThat(audit.findings().objections())
                .containsExactly(
                        "transaction 7:0/AA is torn between the batches 2 and 3",
                        "after batch 2 the tables a and b hold 10 instead of 100");
    }

    @Test
    void aTransactionThatAnotherOneCutsIsInPieces() {
        List<BronzeRow> cut = List.of(row(2, 10, "7", FIRST), row(2, 11, "8", THIRD), row(2, 12, "7", SECOND));
        audit.compare(source, cut);
        assertThat(audit.findings().objections()).anyMatch(text -> text.contains("7:0/AA is in pieces"));
    }

    @Test
    void aStateThatFoldsToSomethingElseIsSeen() {
        audit.compare(source, bronze);
        audit.compareState(
                "b", new SourceState(Map.of("1", Map.of("id:l", "1", "amount:l", "91")), Set.of("id:l", "amount:l")));
        assertThat(audit.findings().objections()).singleElement().asString().startsWith("row 1 of b is");
    }

    @Test
    void aChangedKeyKeepsTheValueThatWasNotSent() {
        TableState state = new TableState("id:l");
        state.apply(new SourceChange("d", "c", List.of(Value.of("id:l", "1"), Value.of("body:s", "large"))));
        state.apply(new SourceChange("d", "d", List.of(Value.of("id:l", "1"))));
        state.apply(new SourceChange("d", "c", List.of(Value.of("id:l", "-1"), Value.unchanged("body"))));
        assertThat(state.rows()).isEqualTo(Map.of("-1", Map.of("id:l", "-1", "body:s", "large")));
    }

    private static SourceChange insert(String table, String id, String amount) {
        return new SourceChange(table, "c", List.of(Value.of("id:l", id), Value.of("amount:l", amount)));
    }

    private static BronzeRow row(long batch, long sequence, String xid, SourceChange change) {
        return new BronzeRow(batch, sequence, "0/AB", OptionalLong.empty(), Optional.of(xid + ":0/AA"), change);
    }

    private static BronzeRow snapshot(long sequence, String table) {
        return new BronzeRow(
                1,
                sequence,
                "0/64",
                OptionalLong.of(1),
                Optional.empty(),
                new SourceChange(table, "t", Collections.emptyList()));
    }
}

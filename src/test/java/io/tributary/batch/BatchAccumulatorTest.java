package io.tributary.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tributary.event.ChangeEvent;
import io.tributary.event.Column;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.EventOrigin;
import io.tributary.event.RowImage;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import io.tributary.evolution.Drift;
import io.tributary.evolution.LayoutEvolution;
import io.tributary.evolution.TableLayout;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BatchAccumulatorTest {
    private static final TableSchema ORDERS = schema("orders", column("id", true));
    private static final TableSchema ITEMS = schema("items", column("id", true));

    private final RecordingWriters writers = new RecordingWriters();
    private final SettableClock clock = new SettableClock();

    @Test
    void aBatchCantEndInsideATransaction() throws IOException {
        BatchAccumulator batch = accumulator(bounds(1, 2));
        batch.transactionEnded(at(10));
        batch.add(row(ORDERS));
        batch.add(row(ORDERS));
        clock.advance(Duration.ofHours(1));

        assertThat(batch.full()).isFalse();
        assertThat(batch.aged()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> batch.take(8));
    }

    @Test
    void aBatchIsFullAtTheTransactionEndAfterItsRowsAreReached() throws IOException {
        BatchAccumulator batch = accumulator(bounds(1, 2));
        batch.add(row(ORDERS));
        batch.transactionEnded(at(10));
        assertThat(batch.full()).isFalse();

        batch.add(row(ITEMS));
        batch.add(row(ITEMS));
        batch.transactionEnded(at(20));

        assertThat(batch.full()).isTrue();
        FilledBatch taken = batch.take(8);
        assertThat(taken.position()).isEqualTo(at(20));
        assertThat(taken.lastSequence()).isEqualTo(103);
        assertThat(taken.rows()).isEqualTo(3);
    }

    @Test
    void theSequenceRisesOverAllTablesAndBatchesWithoutGaps() throws IOException {
        BatchAccumulator batch = accumulator(bounds(1, 2));
        batch.add(row(ORDERS));
        batch.add(row(ITEMS));
        batch.transactionEnded(at(10));
        batch.take(8);
        batch.add(row(ORDERS));

        assertThat(writers.opened)
                .extracting(writer -> writer.sequences)
                .containsExactly(List.of(101L), List.of(102L), List.of(103L));
        assertThat(writers.opened).extracting(writer -> writer.batch).containsExactly(7L, 7L, 8L);
    }

    @Test
    void aSmallBatchAgesLongerThanALargeOne() throws IOException {
        BatchAccumulator batch = accumulator(new BatchBounds(Duration.ofSeconds(5), Duration.ofSeconds(30), 2, 9, 99));
        batch.add(row(ORDERS));
        batch.transactionEnded(at(10));
        clock.advance(Duration.ofSeconds(29));
        assertThat(batch.aged()).isFalse();

        batch.add(row(ORDERS));
        batch.transactionEnded(at(20));
        assertThat(batch.aged()).isTrue();
    }

    @Test
    void anEmptyBatchNeverAges() {
        BatchAccumulator batch = accumulator(bounds(1, 2));
        batch.transactionEnded(at(10));
        clock.advance(Duration.ofDays(1));

        assertThat(batch.aged()).isFalse();
    }

    @Test
    void theLargestEncoderIsSpilledWhenMemoryIsFull() throws IOException {
        BatchAccumulator batch =
                accumulator(new BatchBounds(Duration.ofSeconds(5), Duration.ofSeconds(30), 1, 1_000_000, 1_000));
        batch.add(row(ITEMS));
        for (int i = 0; i < 1_023; i++) {
            batch.add(row(ORDERS));
        }

        assertThat(writers.opened).extracting(writer -> writer.spills).containsExactly(0, 1);
    }

    @Test
    void aFewRowsThatAreLargeForTheBoundAreSpilledBeforeTheyAreMany() throws IOException {
        BatchAccumulator batch =
                accumulator(new BatchBounds(Duration.ofSeconds(5), Duration.ofSeconds(30), 1, 1_000_000, 40));
        for (int i = 0; i < 500; i++) {
            batch.add(row(i % 2 == 0 ? ORDERS : ITEMS));

            assertThat(writers.opened.stream()
                            .mapToLong(writer -> writer.bufferedBytes())
                            .sum())
                    .isLessThanOrEqualTo(40 + 40 / 4);
        }
    }

    @Test
    void aSchemaThatChangesWithinABatchOpensAnotherEncoderAndKeepsTheRowsInOrder() throws IOException {
        TableSchema wider = schema("orders", column("id", true), column("note", false));
        BatchAccumulator batch = accumulator(bounds(1, 100));
        batch.add(row(ORDERS));
        batch.add(row(wider));
        batch.transactionEnded(at(10));

        FilledTable orders = batch.take(8).tables().get(0);

        assertThat(orders.writers()).hasSize(2);
        assertThat(orders.layout().columns()).hasSize(2);
        assertThat(orders.drift()).extracting(Drift::kind).containsExactly(Drift.Kind.COLUMN_ADDED);
        assertThat(writers.opened.get(0).spills).isEqualTo(1);
    }

    @Test
    void aLayoutThatGrewIsTheStartOfTheNextBatch() throws IOException {
        TableSchema wider = schema("orders", column("id", true), column("note", false));
        BatchAccumulator batch = accumulator(bounds(1, 100));
        batch.add(row(wider));
        batch.transactionEnded(at(10));
        batch.take(8);
        batch.add(row(wider));
        batch.transactionEnded(at(20));

        assertThat(batch.take(9).tables().get(0).drift()).isEmpty();
    }

    @Test
    void aColumnDroppedBetweenTwoBatchesIsNoted() throws IOException {
        TableSchema wider = schema("orders", column("id", true), column("note", false));
        BatchAccumulator batch = accumulator(bounds(1, 100));
        batch.add(row(wider));
        batch.transactionEnded(at(10));
        batch.take(8);
        batch.add(row(ORDERS));
        batch.transactionEnded(at(20));

        assertThat(batch.take(9).tables().get(0).drift())
                .extracting(Drift::kind)
                .containsExactly(Drift.Kind.COLUMN_DROPPED);
    }

    @Test
    void closingDiscardsEveryEncoder() throws IOException {
        BatchAccumulator batch = accumulator(bounds(1, 100));
        batch.add(row(ORDERS));
        batch.add(row(ITEMS));

        batch.close();

        assertThat(writers.opened).extracting(writer -> writer.closed).containsExactly(true, true);
    }

    @Property(tries = 200)
    void everyRowIsInExactlyOneBatchAndNoTransactionIsSplit(
            @ForAll @Size(max = 40) List<@IntRange(min = 1, max = 9) Integer> transactions,
            @ForAll @IntRange(min = 1, max = 12) int maxRows)
            throws IOException {
        // one instance of this class serves every try
        writers.opened.clear();
        BatchAccumulator batch = accumulator(bounds(0, maxRows));
        List<Long> ends = new ArrayList<>();
        List<Long> batchEnds = new ArrayList<>();
        long sequence = 100;
        for (int i = 0; i < transactions.size(); i++) {
            for (int n = 0; n < transactions.get(i); n++) {
                batch.add(row(n % 2 == 0 ? ORDERS : ITEMS));
                sequence++;
            }
            batch.transactionEnded(at(i));
            ends.add(sequence);
            if (batch.full()) {
                batchEnds.add(batch.take(8).lastSequence());
            }
        }
        if (batch.hasRows()) {
            batchEnds.add(batch.take(8).lastSequence());
        }

        assertThat(ends).containsAll(batchEnds);
        assertThat(writers.opened.stream()
                        .mapToInt(writer -> writer.events.size())
                        .sum())
                .isEqualTo((int) (sequence - 100));
    }

    @Test
    void boundsThatContradictEachOtherAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BatchBounds(Duration.ofSeconds(5), Duration.ofSeconds(1), 1, 2, 3))
                .withMessageContaining("tributary.batch.quiet-age")
                .withMessageContaining("tributary.batch.max-age");
    }

    private BatchAccumulator accumulator(BatchBounds bounds) {
        Map<TableId, TableLayout> layouts = Map.of(
                ORDERS.table(), LayoutEvolution.begin(ORDERS).layout(),
                ITEMS.table(), LayoutEvolution.begin(ITEMS).layout());
        return new BatchAccumulator(bounds, writers, clock, layouts, OptionalLong.empty(), 7, 100);
    }

    private static BatchBounds bounds(long minRows, long maxRows) {
        return new BatchBounds(Duration.ofSeconds(5), Duration.ofSeconds(30), minRows, maxRows, 1 << 20);
    }

    private static SourcePosition at(long lsn) {
        return new SourcePosition.Wal(lsn, 1, 0);
    }

    private static ChangeEvent row(TableSchema schema) {
        Object[] values = new Object[schema.columns().size()];
        values[0] = 1L;
        return new ChangeEvent.Inserted(
                schema,
                new EventOrigin(Optional.of("1:0/A"), "0/A", 5, 6),
                new RowImage(values, RowImage.Extent.FULL, List.of(), List.of()));
    }

    private static TableSchema schema(String table, Column... columns) {
        return new TableSchema(new TableId("shop", table), List.of(columns));
    }

    private static Column column(String name, boolean key) {
        return new Column(name, Simple.BIGINT, "int8", key);
    }

    private static final class SettableClock extends Clock {
        private Instant now = Instant.EPOCH;

        void advance(Duration by) {
            now = now.plus(by);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}

package io.tributary.source;

import io.tributary.event.ChangeEvent;
import io.tributary.event.EventOrigin;
import io.tributary.event.RowImage;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Turns Debezium's records into change events and transaction ends. Confined to one thread. */
final class StreamDecoder {
    private static final String HEARTBEAT_TOPIC = "__debezium-heartbeat";
    private static final String LSN_COMMIT = "lsn_commit";

    private final RowLayouts layouts;
    private final Set<TableId> tables;
    private final Map<TableId, SnapshotPoint> snapshots;
    private final CaptureListener listener;
    private final Clock clock;
    private final TransactionEnds ends;
    private final RawTexts raw = new RawTexts();
    private Optional<String> transaction = Optional.empty();

    StreamDecoder(
            RowLayouts layouts,
            Set<TableId> tables,
            Map<TableId, SnapshotPoint> snapshots,
            SourcePosition.Wal from,
            CaptureListener listener,
            Clock clock) {
        this.layouts = layouts;
        this.tables = Set.copyOf(tables);
        this.snapshots = new HashMap<>(snapshots);
        this.listener = listener;
        this.clock = clock;
        this.ends = new TransactionEnds(from.lsn());
    }

    void decode(SourceRecord record) throws InterruptedException {
        Map<String, ?> offset = record.sourceOffset();
        if (record.topic().startsWith(HEARTBEAT_TOPIC)) {
            end(ends.heartbeat(
                    "COMMIT".equals(offset.get("messageType")),
                    (Long) offset.get(LSN_COMMIT),
                    number(offset.get("txId")),
                    number(offset.get("ts_usec"))));
            return;
        }
        Struct value = (Struct) record.value();
        String operation = value.getString("op");
        // a logical message changes no row
        if (!operation.equals("m")) {
            row(record, value, operation, (Long) offset.get(LSN_COMMIT));
        }
    }

    private void row(SourceRecord record, Struct value, String operation, @Nullable Long lsnCommit)
            throws InterruptedException {
        Struct source = value.getStruct("source");
        long xid = source.getInt64("txId");
        long lsn = source.getInt64("lsn");
        long timeMicros = source.getInt64("ts_us");
        if (ends.begins(xid)) {
            transaction = Optional.of(xid + ":" + SourcePosition.Wal.formatLsn(lsn));
        }
        end(ends.row(xid, timeMicros, lsnCommit));
        TableId table = new TableId(source.getString("schema"), source.getString("table"));
        if (!tables.contains(table) || snapshotShows(table, xid)) {
            return;
        }
        RowLayout layout = layouts.layout(table, value.schema().field("after").schema(), record.keySchema());
        EventOrigin origin =
                new EventOrigin(transaction, SourcePosition.Wal.formatLsn(lsn), timeMicros, micros(clock.instant()));
        deliver(layout, origin, value, operation);
    }

    private void deliver(RowLayout layout, EventOrigin origin, Struct value, String operation)
            throws InterruptedException {
        switch (operation) {
            case "c" -> listener.event(new ChangeEvent.Inserted(layout.schema(), origin, after(layout, value)));
            case "u" -> updated(layout, origin, value);
            case "d" ->
                listener.event(
                        new ChangeEvent.Deleted(layout.schema(), origin, layout.before(present(value, "before"), raw)));
            case "t" -> listener.event(new ChangeEvent.Truncated(layout.schema(), origin));
            default ->
                throw new IllegalStateException("a record of unknown operation '" + operation + "' for "
                        + layout.schema().table() + " at " + origin.position());
        }
    }

    private void updated(RowLayout layout, EventOrigin origin, Struct value) throws InterruptedException {
        Struct before = value.getStruct("before");
        if (before == null) {
            listener.event(new ChangeEvent.Updated(layout.schema(), origin, after(layout, value), Optional.empty()));
            return;
        }
        RowImage old = layout.before(before, raw);
        if (layout.keyChanged(before, present(value, "after"))) {
            // Debezium looks at the primary key, the replica identity may be another index
            listener.event(new ChangeEvent.Deleted(layout.schema(), origin, old));
            listener.event(new ChangeEvent.Inserted(layout.schema(), origin, after(layout, value)));
            return;
        }
        Optional<RowImage> whole = old.extent() == RowImage.Extent.FULL ? Optional.of(old) : Optional.empty();
        listener.event(new ChangeEvent.Updated(layout.schema(), origin, after(layout, value), whole));
    }

    private RowImage after(RowLayout layout, Struct value) {
        return layout.after(present(value, "after"), raw);
    }

    private static Struct present(Struct value, String image) {
        return Objects.requireNonNull(value.getStruct(image), image);
    }

    private boolean snapshotShows(TableId table, long xid) {
        SnapshotPoint point = snapshots.get(table);
        return point != null && point.includes(xid);
    }

    private void end(Optional<SourcePosition.Wal> boundary) throws InterruptedException {
        if (boundary.isEmpty()) {
            return;
        }
        SourcePosition.Wal safe = boundary.get();
        // whatever comes now committed after these snapshots; their ids may wrap from here on
        snapshots
                .values()
                .removeIf(point -> Long.compareUnsigned(point.position().lsn(), safe.lsn()) <= 0);
        listener.transactionEnd(safe);
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number n ? n.longValue() : 0;
    }

    private static long micros(Instant instant) {
        return TimeUnit.SECONDS.toMicros(instant.getEpochSecond()) + instant.getNano() / 1_000;
    }
}

package io.tributary.source;

import io.tributary.event.ChangeEvent;
import io.tributary.event.Operation;
import io.tributary.event.RowImage;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps everything that a run delivers, in order. */
final class Recorder implements CaptureListener {

    /** What was delivered: an event, or the end of everything before it. */
    sealed interface Entry {
        record Row(ChangeEvent event) implements Entry {}

        record End(SourcePosition.Wal safe) implements Entry {}

        record TableEnd(TableId table) implements Entry {}
    }

    private final List<Entry> entries = new ArrayList<>();
    private Optional<SourcePosition> durable = Optional.empty();

    @Override
    public synchronized void event(ChangeEvent event) {
        entries.add(new Entry.Row(event));
    }

    @Override
    public synchronized void transactionEnd(SourcePosition safe) {
        entries.add(new Entry.End((SourcePosition.Wal) safe));
    }

    @Override
    public synchronized void tableRead(TableId table) {
        entries.add(new Entry.TableEnd(table));
    }

    @Override
    public synchronized Optional<SourcePosition> durable() {
        return durable;
    }

    synchronized void acknowledge(SourcePosition position) {
        durable = Optional.of(position);
    }

    synchronized List<Entry> entries() {
        return List.copyOf(entries);
    }

    synchronized List<ChangeEvent> events() {
        return events(entries);
    }

    static List<ChangeEvent> events(List<Entry> entries) {
        List<ChangeEvent> events = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry instanceof Entry.Row row) {
                events.add(row.event());
            }
        }
        return events;
    }

    synchronized List<SourcePosition.Wal> ends() {
        List<SourcePosition.Wal> ends = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry instanceof Entry.End end) {
                ends.add(end.safe());
            }
        }
        return ends;
    }

    /** Whether a boundary came after the last event. */
    synchronized boolean closed() {
        return !entries.isEmpty() && entries.get(entries.size() - 1) instanceof Entry.End;
    }

    /** Operation and value of the column {@code id}, such as {@code c1}. */
    static String idOf(ChangeEvent event) {
        return event.operation().code() + (event.operation() == Operation.TRUNCATE ? "" : value(event, "id"));
    }

    static RowImage image(ChangeEvent event) {
        if (event instanceof ChangeEvent.Inserted inserted) {
            return inserted.row();
        }
        if (event instanceof ChangeEvent.Updated updated) {
            return updated.row();
        }
        if (event instanceof ChangeEvent.Deleted deleted) {
            return deleted.row();
        }
        if (event instanceof ChangeEvent.Read read) {
            return read.row();
        }
        throw new IllegalArgumentException("a truncate has no row");
    }

    static @Nullable Object value(ChangeEvent event, String column) {
        for (int i = 0; i < event.schema().columns().size(); i++) {
            if (event.schema().columns().get(i).name().equals(column)) {
                return image(event).value(i);
            }
        }
        throw new IllegalArgumentException("no column " + column + " in " + event.schema());
    }
}

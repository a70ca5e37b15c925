package io.tributary.delta;

import io.tributary.event.ChangeEvent;
import io.tributary.event.RawValue;
import io.tributary.event.RowImage;
import io.tributary.evolution.BronzeColumn;
import io.tributary.evolution.FollowedSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/** Turns a change event into a bronze row: the data columns by the layout's projection, then the metadata columns. */
final class BronzeRowEncoder {

    private static final List<MetadataColumn> METADATA = List.of(MetadataColumn.values());

    private record Slot(String name, ValueEncoder encoder) {}

    private final FollowedSchema schema;
    private final OptionalLong generation;
    private final int[] projection;
    private final List<Slot> slots = new ArrayList<>();
    private final Map<String, String> bronzeNames = new HashMap<>();

    BronzeRowEncoder(FollowedSchema schema, OptionalLong generation) {
        this.schema = schema;
        this.generation = generation;
        this.projection = schema.projection().stream().mapToInt(i -> i).toArray();
        List<BronzeColumn> columns = schema.layout().columns();
        for (int i = 0; i < columns.size(); i++) {
            slots.add(new Slot(
                    columns.get(i).name(), ValueEncoder.of(columns.get(i).type())));
            if (projection[i] >= 0) {
                String sourceName = schema.schema().columns().get(projection[i]).name();
                bronzeNames.put(sourceName, columns.get(i).name());
            }
        }
        for (MetadataColumn column : METADATA) {
            slots.add(new Slot(column.columnName(), ValueEncoder.of(column.type())));
        }
    }

    /** Writes one row; returns its bytes, roughly. */
    int encode(long sequence, ChangeEvent event, RecordConsumer out, FileStatistics statistics) {
        if (!event.schema().equals(schema.schema())) {
            throw new IllegalArgumentException("an event of another schema than the one that this encoder of "
                    + event.table() + " was opened for");
        }
        RowImage image = imageOf(event);
        int size = 0;
        out.startMessage();
        for (int i = 0; i < projection.length; i++) {
            Object value = image == null || projection[i] < 0 ? null : image.value(projection[i]);
            size += write(i, value, out, statistics);
        }
        int index = projection.length;
        for (MetadataColumn column : METADATA) {
            size += write(index++, metadata(column, sequence, event, image), out, statistics);
        }
        out.endMessage();
        statistics.endRow();
        return size;
    }

    private int write(int index, @Nullable Object value, RecordConsumer out, FileStatistics statistics) {
        statistics.add(index, value);
        Slot slot = slots.get(index);
        return 1 + ValueEncoder.field(slot.name(), index, slot.encoder(), value, out);
    }

    private @Nullable Object metadata(
            MetadataColumn column, long sequence, ChangeEvent event, @Nullable RowImage image) {
        return switch (column) {
            case OP -> event.operation().code();
            case SEQ -> sequence;
            case TX -> event.origin().transaction().orElse(null);
            case POSITION -> event.origin().position();
            case SOURCE_TIME -> event.origin().sourceTimeMicros();
            case INGEST_TIME -> event.origin().ingestTimeMicros();
            case SCHEMA_VERSION -> schema.layout().version();
            case SNAPSHOT -> generationOf(event);
            case IMAGE -> image == null ? null : image.extent().code();
            case UNCHANGED -> image == null || image.unchanged().isEmpty() ? null : unchanged(image);
            case RAW -> image == null || image.raw().isEmpty() ? null : raw(image);
        };
    }

    /** The rows of a snapshot, and the truncate that goes before them, belong to its generation. */
    private @Nullable Long generationOf(ChangeEvent event) {
        if (event instanceof ChangeEvent.Read && generation.isEmpty()) {
            throw new IllegalArgumentException("a snapshot row of " + event.table() + " outside a snapshot");
        }
        boolean ofSnapshot = event instanceof ChangeEvent.Read || event instanceof ChangeEvent.Truncated;
        return ofSnapshot && generation.isPresent() ? generation.getAsLong() : null;
    }

    private Object[] unchanged(RowImage image) {
        return image.unchanged().stream().map(this::bronzeName).toArray();
    }

    private Object[] raw(RowImage image) {
        Object[] values = new Object[image.raw().size()];
        for (int i = 0; i < values.length; i++) {
            RawValue raw = image.raw().get(i);
            values[i] = new Object[] {bronzeName(raw.column()), raw.path(), raw.text()};
        }
        return values;
    }

    private String bronzeName(String sourceName) {
        return bronzeNames.getOrDefault(sourceName, sourceName);
    }

    private static @Nullable RowImage imageOf(ChangeEvent event) {
        if (event instanceof ChangeEvent.Read read) {
            return read.row();
        }
        if (event instanceof ChangeEvent.Inserted inserted) {
            return inserted.row();
        }
        if (event instanceof ChangeEvent.Updated updated) {
            return updated.row();
        }
        if (event instanceof ChangeEvent.Deleted deleted) {
            return deleted.row();
        }
        return null;
    }
}

package io.tributary.delta;

import io.delta.kernel.types.LongType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampType;
import io.tributary.event.TableId;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The control table {@code gaps}: a row for each gap that was detected, repaired or waived. A source that never had one
 * has no such table. Thread-safe.
 */
public final class GapLog {

    private static final StructType SCHEMA = new StructType()
            .add("at", TimestampType.TIMESTAMP)
            .add("kind", StringType.STRING)
            .add("schema", StringType.STRING)
            .add("table", StringType.STRING)
            .add("channel", StringType.STRING)
            .add("stored_position", StringType.STRING)
            .add("available_position", StringType.STRING)
            .add("cause", StringType.STRING)
            .add("generation", LongType.LONG)
            .add("writer", StringType.STRING);

    private final ControlTable table;
    private final String writer;
    private final Clock clock;

    GapLog(LakeStorage storage, LakeEngine engine, LogUpkeep upkeep, String source, String writer, Clock clock) {
        this.table = new ControlTable(storage, engine, upkeep, source, "gaps", SCHEMA);
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * A row as it was read back.
     *
     * @param at when it was recorded
     * @param writer the process that did
     */
    public record Entry(Instant at, String writer, GapFact fact) {}

    /**
     * Adds the facts of one event, in one commit; durable when this returns. The same event again, from this process or
     * any other, at any time, changes nothing, whatever its facts are then: a gap that every start finds anew is one row.
     *
     * @param event names what happened, the same at each try and different for anything else, such as {@code
     *     gap/<newest journal number>/<what>}
     * @return whether this call added them
     * @throws IOException if the storage failed; the facts may or may not be there, so record the same again
     * @throws LakeConfigurationException if the table is there and can't be used
     */
    public boolean record(String event, List<GapFact> facts) throws IOException {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
        return table.append(event, facts.stream().map(fact -> rowOf(fact, now)).toList());
    }

    /** Every row, oldest first; none if there never was a gap. */
    public List<Entry> all() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (Map<String, @Nullable Object> row : table.rows()) {
            entries.add(entryOf(row));
        }
        entries.sort(Comparator.comparing(Entry::at));
        return entries;
    }

    private Map<String, @Nullable Object> rowOf(GapFact fact, long now) {
        Map<String, @Nullable Object> row = new HashMap<>();
        row.put("at", now);
        row.put("kind", fact.kind().name().toLowerCase(Locale.ROOT));
        row.put("schema", fact.table().map(TableId::schema).orElse(null));
        row.put("table", fact.table().map(TableId::table).orElse(null));
        row.put("channel", fact.channel());
        row.put("stored_position", fact.stored());
        row.put("available_position", fact.available());
        row.put("cause", fact.cause());
        row.put("generation", fact.generation().isPresent() ? fact.generation().getAsLong() : null);
        row.put("writer", writer);
        return row;
    }

    private static Entry entryOf(Map<String, @Nullable Object> row) {
        Long at = (Long) row.get("at");
        Long generation = (Long) row.get("generation");
        Object schema = row.get("schema");
        GapFact fact = new GapFact(
                GapFact.Kind.valueOf(text(row, "kind").toUpperCase(Locale.ROOT)),
                schema == null ? Optional.empty() : Optional.of(new TableId(text(row, "schema"), text(row, "table"))),
                text(row, "channel"),
                text(row, "stored_position"),
                text(row, "available_position"),
                text(row, "cause"),
                generation == null ? OptionalLong.empty() : OptionalLong.of(generation));
        return new Entry(Instant.EPOCH.plus(at == null ? 0 : at, ChronoUnit.MICROS), text(row, "writer"), fact);
    }

    private static String text(Map<String, @Nullable Object> row, String column) {
        Object value = row.get(column);
        return value == null ? "" : value.toString();
    }
}

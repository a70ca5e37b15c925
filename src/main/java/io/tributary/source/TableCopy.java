package io.tributary.source;

import io.tributary.event.ChangeEvent;
import io.tributary.event.EventOrigin;
import io.tributary.event.RowImage;
import io.tributary.event.RowImage.Extent;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/** Reads the rows of one table after another by COPY, within one transaction. Confined to one thread, but for {@link #awaited()}. */
final class TableCopy {
    private final Connection connection;
    private final Catalog catalog;
    private final int moneyScale;
    private final ValueDecoders decoders;
    private final EventOrigin origin;
    private final RawTexts raw = new RawTexts();
    private volatile boolean awaiting;
    private final AtomicLong answers = new AtomicLong();

    TableCopy(Connection connection, Catalog catalog, EventOrigin origin) {
        this.connection = connection;
        this.catalog = catalog;
        this.moneyScale = catalog.types().moneyScale();
        this.decoders = new ValueDecoders(moneyScale);
        this.origin = origin;
    }

    void read(TableId table, CaptureListener listener) throws SQLException, InterruptedException {
        TableSchema schema = catalog.schema(table, moneyScale);
        ValueDecoder[] columns = catalog.columns(table).stream()
                .filter(column -> !column.generated())
                .map(column -> decoders.of(column.type()))
                .toArray(ValueDecoder[]::new);
        CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI().copyOut(sql(schema));
        for (byte[] line = next(copy); line != null; line = next(copy)) {
            listener.event(new ChangeEvent.Read(schema, origin, row(schema, columns, line)));
        }
    }

    private byte @Nullable [] next(CopyOut copy) throws SQLException {
        awaiting = true;
        byte[] line = copy.readFromCopy();
        answers.incrementAndGet();
        awaiting = false;
        return line;
    }

    /** The row that is awaited from the server, for any thread; empty while what was read is worked off. */
    Optional<SessionWatch.Awaited> awaited() {
        return awaiting ? Optional.of(new SessionWatch.Awaited(connection, answers.get())) : Optional.empty();
    }

    private String sql(TableSchema schema) {
        String names = schema.columns().stream()
                .map(column -> Identifier.quoted(column.name()))
                .collect(Collectors.joining(", "));
        // a partitioned table stands for its partitions; a child by inheritance is a table of its own in the stream
        String only = catalog.details(schema.table()).partitioned() ? "" : "ONLY ";
        return "COPY (SELECT " + names + " FROM " + only + Identifier.quoted(schema.table()) + ") TO STDOUT";
    }

    private RowImage row(TableSchema schema, ValueDecoder[] columns, byte[] line) {
        @Nullable String[] texts = CopyRow.parse(line, columns.length);
        @Nullable Object[] values = new @Nullable Object[columns.length];
        for (int i = 0; i < columns.length; i++) {
            String text = texts[i];
            if (text != null) {
                raw.column(schema.columns().get(i).name());
                values[i] = columns[i].decode(text, raw);
            }
        }
        return new RowImage(values, Extent.FULL, List.of(), raw.take());
    }
}

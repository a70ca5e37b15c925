package io.tributary.batch;

import io.tributary.event.SourcePosition;
import java.util.List;
import java.util.Objects;

/**
 * A batch that ends where a source transaction ends; its encoders are still open. Closing it without finishing every
 * writer discards what was staged.
 *
 * @param number the journal number that its staged files carry in their names
 * @param position where the source resumes after it
 * @param lastSequence the last {@code _cdc_seq} given out
 */
public record FilledBatch(long number, SourcePosition position, long lastSequence, List<FilledTable> tables)
        implements AutoCloseable {
    public FilledBatch {
        Objects.requireNonNull(position);
        tables = List.copyOf(tables);
    }

    public long rows() {
        return tables.stream().mapToLong(FilledTable::rows).sum();
    }

    @Override
    public void close() {
        tables.forEach(table -> table.writers().forEach(RowWriter::close));
    }
}

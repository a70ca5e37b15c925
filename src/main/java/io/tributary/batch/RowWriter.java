package io.tributary.batch;

import io.tributary.event.ChangeEvent;
import java.io.IOException;
import java.util.List;

/**
 * Encodes the rows of one table, batch and layout into staged files. Closing without {@link #finish()} discards them.
 * Confined to one thread at a time.
 */
public interface RowWriter extends AutoCloseable {

    /** Encodes one event; {@code sequence} is its {@code _cdc_seq} and rises from call to call. */
    void append(long sequence, ChangeEvent event) throws IOException;

    /** Heap that the encoder holds now, in bytes, roughly. */
    long bufferedBytes();

    /** Moves what is buffered into a staged file, so that {@link #bufferedBytes()} falls to nothing. */
    void spill() throws IOException;

    /** Ends the encoding; every file is durable when this returns, in the order in which the rows came. */
    List<StagedFile> finish() throws IOException;

    @Override
    void close();
}

package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.utils.FileStatus;
import io.tributary.batch.StagedFile;
import io.tributary.event.ChangeEvent;
import io.tributary.evolution.TableLayout;
import java.io.IOException;
import java.util.Map;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.crypto.FileEncryptionProperties;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/**
 * One Parquet file on its way into the lake. Parquet's own writer decides alone when a row group ends, by counting rows;
 * here the owner decides, so that memory stays bounded whatever the rows weigh and a spill needs no new file.
 */
final class StagedParquetFile implements AutoCloseable {

    /** A dictionary lives on the heap beside what Parquet counts as buffered: small ones keep wide tables bounded. */
    private static final int DICTIONARY_BYTES = 128 * 1024;

    private static final ParquetProperties PROPERTIES = ParquetProperties.builder()
            .withDictionaryPageSize(DICTIONARY_BYTES)
            .withPageSize(512 * 1024)
            .build();

    /** Spark 3 and later take dates and times of files with this key as they stand, without asking for a rebase. */
    private static final Map<String, String> FOOTER = Map.of("org.apache.spark.version", "3.5.0");

    /** Row bytes after which the buffers are measured. */
    private static final long MEASURE_EVERY = 256 * 1024;

    private final FileIO files;
    private final String folder;
    private final String name;
    private final BytesInputCompressor compressor;
    private final MessageType schema;
    private final MessageColumnIO columnIo;
    private final FileStatistics statistics;

    private @Nullable ParquetFileWriter file;
    private @Nullable RowGroup rowGroup;
    private boolean finished;

    StagedParquetFile(FileIO files, String folder, String name, BytesInputCompressor compressor, TableLayout layout) {
        this.files = files;
        this.folder = folder;
        this.name = name;
        this.compressor = compressor;
        this.schema = ParquetTypes.message(layout);
        this.columnIo = new ColumnIOFactory().getColumnIO(schema);
        this.statistics = new FileStatistics(layout);
    }

    void append(BronzeRowEncoder encoder, long sequence, ChangeEvent event) {
        if (rowGroup == null) {
            rowGroup = new RowGroup();
        }
        rowGroup.append(encoder, sequence, event);
    }

    /** Heap that the open row group takes, roughly. */
    long bufferedBytes() {
        return rowGroup == null ? 0 : rowGroup.bytes();
    }

    /** Bytes of the row groups that are written. */
    long writtenBytes() throws IOException {
        return file == null ? 0 : file.getPos();
    }

    /** Writes what is buffered as a row group. */
    void flush() throws IOException {
        if (rowGroup == null) {
            return;
        }
        if (file == null) {
            files.mkdirs(folder);
            file = new ParquetFileWriter(
                    new ParquetSink(files.newOutputFile(path())),
                    schema,
                    ParquetFileWriter.Mode.CREATE,
                    0,
                    0,
                    (@Nullable FileEncryptionProperties) null,
                    PROPERTIES);
            file.start();
        }
        try (RowGroup full = rowGroup) {
            rowGroup = null;
            full.writeTo(file);
        }
    }

    /** Ends the file; it is durable when this returns. */
    StagedFile finish() throws IOException {
        flush();
        if (file == null) {
            throw new IllegalStateException("a file without rows is never made: " + path());
        }
        file.end(FOOTER);
        file.close();
        FileStatus status = files.getFileStatus(path());
        finished = true;
        return new StagedFile(
                name, status.getSize(), status.getModificationTime(), statistics.rows(), statistics.json());
    }

    /** Gives up an unfinished file and removes it. */
    @Override
    public void close() throws IOException {
        if (finished) {
            return;
        }
        finished = true;
        if (rowGroup != null) {
            rowGroup.abandon();
            rowGroup = null;
        }
        if (file != null) {
            try {
                file.close();
            } finally {
                files.delete(path());
            }
        }
    }

    private String path() {
        return folder + "/" + name;
    }

    /** The rows that are not written yet. */
    private final class RowGroup implements AutoCloseable {
        private final ColumnChunkPageWriteStore pages;
        private final ColumnWriteStore columns;
        private final RecordConsumer rows;
        private long count;
        private long measured;
        private long sinceMeasured;

        RowGroup() {
            pages = new ColumnChunkPageWriteStore(
                    compressor, schema, PROPERTIES.getAllocator(), PROPERTIES.getColumnIndexTruncateLength());
            columns = PROPERTIES.newColumnWriteStore(schema, pages);
            rows = columnIo.getRecordWriter(columns);
        }

        void append(BronzeRowEncoder encoder, long sequence, ChangeEvent event) {
            sinceMeasured += encoder.encode(sequence, event, rows, statistics);
            count++;
            if (sinceMeasured >= MEASURE_EVERY) {
                rows.flush();
                measured = columns.getBufferedSize();
                sinceMeasured = 0;
            }
        }

        long bytes() {
            return measured + sinceMeasured;
        }

        void writeTo(ParquetFileWriter target) throws IOException {
            rows.flush();
            target.startBlock(count);
            columns.flush();
            pages.flushToFileWriter(target);
            target.endBlock();
        }

        /** Gives up the rows. Closing the columns would encode them first, and fail where a page has none yet. */
        void abandon() {
            pages.close();
        }

        @Override
        public void close() {
            columns.close();
            pages.close();
        }
    }
}

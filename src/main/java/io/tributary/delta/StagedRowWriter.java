package io.tributary.delta;

import io.tributary.batch.RowWriter;
import io.tributary.batch.StagedFile;
import io.tributary.event.ChangeEvent;
import io.tributary.evolution.FollowedSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Encodes rows of one table into staged Parquet files. Confined to one thread at a time. */
final class StagedRowWriter implements RowWriter {

    private static final Logger LOG = Logger.getLogger(StagedRowWriter.class);

    /**
     * When a row group and a file end.
     *
     * @param rowGroupBytes heap that one table's rows may take
     * @param fileBytes written bytes after which the next row goes to a new file
     */
    record Limits(long rowGroupBytes, long fileBytes) {
        static final Limits DEFAULT = new Limits(16L << 20, 128L << 20);
    }

    private final LakeStorage storage;
    private final String folder;
    private final Supplier<String> names;
    private final Limits limits;
    private final FollowedSchema schema;
    private final BronzeRowEncoder encoder;
    private final CodecFactory codecs = new CodecFactory(new Configuration(false), 0);
    private final List<StagedFile> finished = new ArrayList<>();
    private @Nullable StagedParquetFile file;
    private boolean handedOver;

    /** @param folder the table's folder, relative to the lake's root */
    StagedRowWriter(
            LakeStorage storage,
            String folder,
            Supplier<String> names,
            Limits limits,
            FollowedSchema schema,
            OptionalLong generation) {
        this.storage = storage;
        this.folder = folder;
        this.names = names;
        this.limits = limits;
        this.schema = schema;
        this.encoder = new BronzeRowEncoder(schema, generation);
    }

    @Override
    public void append(long sequence, ChangeEvent event) throws IOException {
        if (file == null) {
            file = new StagedParquetFile(
                    storage.files(),
                    storage.resolve(folder),
                    names.get(),
                    codecs.getCompressor(CompressionCodecName.ZSTD),
                    schema.layout());
        }
        file.append(encoder, sequence, event);
        if (file.bufferedBytes() >= limits.rowGroupBytes()) {
            spill();
        }
    }

    @Override
    public long bufferedBytes() {
        return file == null ? 0 : file.bufferedBytes();
    }

    @Override
    public void spill() throws IOException {
        if (file == null) {
            return;
        }
        file.flush();
        if (file.writtenBytes() >= limits.fileBytes()) {
            finished.add(file.finish());
            file = null;
        }
    }

    @Override
    public List<StagedFile> finish() throws IOException {
        if (file != null) {
            finished.add(file.finish());
            file = null;
        }
        handedOver = true;
        return List.copyOf(finished);
    }

    @Override
    public void close() {
        try {
            if (!handedOver) {
                discard();
            }
        } finally {
            codecs.release();
        }
    }

    private void discard() {
        handedOver = true;
        try {
            if (file != null) {
                file.close();
            }
            for (StagedFile staged : finished) {
                storage.files().delete(storage.resolve(folder + "/" + staged.path()));
            }
        } catch (IOException | RuntimeException e) {
            // a file that no commit names is invisible: it only takes room until removeAbandoned or VACUUM
            LOG.warnf(
                    "The discarded files of %s in %s stay for now: %s",
                    schema.layout().table(), folder, e);
        }
    }
}

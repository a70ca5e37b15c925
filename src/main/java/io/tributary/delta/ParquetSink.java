package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.PositionOutputStream;
import java.io.IOException;
import org.apache.parquet.io.DelegatingPositionOutputStream;

/** A file of the lake's storage as Parquet's writer wants it. */
record ParquetSink(OutputFile file) implements org.apache.parquet.io.OutputFile {

    @Override
    public org.apache.parquet.io.PositionOutputStream create(long blockSizeHint) throws IOException {
        PositionOutputStream out = file.create(false);
        return new DelegatingPositionOutputStream(out) {
            @Override
            public long getPos() throws IOException {
                return out.getPos();
            }
        };
    }

    @Override
    public org.apache.parquet.io.PositionOutputStream createOrOverwrite(long blockSizeHint) throws IOException {
        return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
        return false;
    }

    @Override
    public long defaultBlockSize() {
        return 0;
    }

    @Override
    public String getPath() {
        return file.path();
    }
}

package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** A file on the local disk, for reading. Not by {@code FileChannel}, which an interrupt would close. */
record LocalInputFile(String path, Path file, long length) implements InputFile {

    @Override
    public SeekableInputStream newStream() throws IOException {
        return new Stream(new RandomAccessFile(file.toFile(), "r"));
    }

    private static final class Stream extends SeekableInputStream {
        private final RandomAccessFile in;

        Stream(RandomAccessFile in) {
            this.in = in;
        }

        @Override
        public long getPos() throws IOException {
            return in.getFilePointer();
        }

        @Override
        public void seek(long newPos) throws IOException {
            in.seek(newPos);
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] b, int off, int len) throws IOException {
            return in.read(b, off, len);
        }

        @Override
        public void readFully(byte[] b, int off, int len) throws IOException {
            in.readFully(b, off, len);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}

package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.PositionOutputStream;
import io.delta.kernel.utils.CloseableIterator;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/**
 * A file on the local disk, for writing. What must appear whole is written beside its place under a name that starts with
 * a dot, so that readers and VACUUM pass it by, synced, and then linked or renamed into place.
 */
record LocalOutputFile(String path, Path file) implements OutputFile {

    private static final int BUFFER_BYTES = 64 * 1024;

    /** Fills the file beside its place. */
    @FunctionalInterface
    interface Content {
        void writeTo(Path temp) throws IOException;
    }

    @Override
    public PositionOutputStream create(boolean atomicWrite) throws IOException {
        if (!atomicWrite) {
            return new DurableStream(file);
        }
        Path temp = beside();
        return new DurableStream(temp) {
            @Override
            void settle() throws IOException {
                Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE);
            }
        };
    }

    @Override
    public void writeAtomically(CloseableIterator<String> data, boolean overwrite) throws IOException {
        try (data) {
            publish(
                    temp -> {
                        try (OutputStream out = new BufferedOutputStream(new FileOutputStream(temp.toFile()))) {
                            while (data.hasNext()) {
                                out.write(data.next().getBytes(StandardCharsets.UTF_8));
                                out.write('\n');
                            }
                        }
                    },
                    overwrite);
        }
    }

    void publish(Content content, boolean overwrite) throws IOException {
        Path temp = beside();
        try {
            try {
                content.writeTo(temp);
                sync(temp);
            } catch (IOException e) {
                throw naming(temp, e);
            }
            if (overwrite) {
                Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE);
            } else {
                // throws FileAlreadyExistsException where another process was first
                Files.createLink(file, temp);
            }
        } finally {
            Files.deleteIfExists(temp);
        }
        LocalFileIO.syncFolder(LocalFileIO.parentOf(file));
    }

    /** What a stream reports, a full disk above all, doesn't say where. */
    private static IOException naming(Path file, IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof FileSystemException || message.contains(file.toString())
                ? failure
                : new IOException(file + ": " + message, failure);
    }

    private Path beside() {
        return file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".tmp");
    }

    private static void sync(Path written) throws IOException {
        try (FileOutputStream out = new FileOutputStream(written.toFile(), true)) {
            out.getFD().sync();
        }
    }

    /** Durable once closed. Not by {@code FileChannel}, which an interrupt would close. */
    private static class DurableStream extends PositionOutputStream {
        private final Path target;
        private final FileOutputStream file;
        private final OutputStream out;
        private long position;
        private boolean closed;

        DurableStream(Path target) throws IOException {
            this.target = target;
            this.file = new FileOutputStream(target.toFile());
            this.out = new BufferedOutputStream(file, BUFFER_BYTES);
        }

        /** Brings the finished file to its place. */
        void settle() throws IOException {}

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            try {
                out.write(b, off, len);
            } catch (IOException e) {
                throw naming(target, e);
            }
            position += len;
        }

        @Override
        public void flush() throws IOException {
            try {
                out.flush();
            } catch (IOException e) {
                throw naming(target, e);
            }
        }

        @Override
        public void close() throws IOException {
            if (closed) {
                return;
            }
            closed = true;
            try (file) {
                out.flush();
                file.getFD().sync();
            } catch (IOException e) {
                throw naming(target, e);
            }
            settle();
            LocalFileIO.syncFolder(LocalFileIO.parentOf(target));
        }
    }
}

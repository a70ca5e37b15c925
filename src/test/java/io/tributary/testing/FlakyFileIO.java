package io.tributary.testing;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.PositionOutputStream;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * A storage that fails now and then: before it did anything, when it was half done, or when all was done and only the
 * answer is missing. Every failure says {@link #MARK}, so that they can be counted in the log of the process.
 */
final class FlakyFileIO extends ForwardingFileIO {
    static final String MARK = "flaky storage:";

    private static final int THOUSAND = 1000;
    /** Reads are that many times more reliable: a start reads hundreds of files, and should succeed now and then. */
    private static final int READS = 50;

    private static final int HALF = 700;

    private final int perMille;
    private final Random random;

    /** How a write fails. */
    private enum Failure {
        BEFORE,
        HALF_DONE,
        AFTER
    }

    FlakyFileIO(FileIO local, int perMille, Random random) {
        super(local);
        this.perMille = perMille;
        this.random = random;
    }

    @Override
    public OutputFile newOutputFile(String path) {
        OutputFile file = super.newOutputFile(path);
        return new OutputFile() {
            @Override
            public String path() {
                return file.path();
            }

            @Override
            public PositionOutputStream create(boolean atomicWrite) throws IOException {
                if (!writeFails()) {
                    return file.create(atomicWrite);
                }
                Failure failure = anyFailure();
                if (failure == Failure.BEFORE) {
                    throw failed("nothing was written", path);
                }
                return new FailingStream(file.create(atomicWrite), failure, path);
            }

            @Override
            public void writeAtomically(CloseableIterator<String> data, boolean overwrite) throws IOException {
                if (!writeFails()) {
                    file.writeAtomically(data, overwrite);
                    return;
                }
                switch (anyFailure()) {
                    case BEFORE -> throw failed("nothing was written", path);
                    case HALF_DONE -> {
                        writeHalf(path, data);
                        throw failed("a half was written beside the place", path);
                    }
                    case AFTER -> {
                        file.writeAtomically(data, overwrite);
                        throw failed("all was written, but the answer is lost", path);
                    }
                }
            }
        };
    }

    @Override
    public CloseableIterator<FileStatus> listFrom(String filePath) throws IOException {
        failNowAndThen("could not list", filePath);
        return super.listFrom(filePath);
    }

    @Override
    public FileStatus getFileStatus(String path) throws IOException {
        failNowAndThen("could not look at", path);
        return super.getFileStatus(path);
    }

    @Override
    public InputFile newInputFile(String path, long fileSize) {
        InputFile file = super.newInputFile(path, fileSize);
        return new InputFile() {
            @Override
            public long length() throws IOException {
                return file.length();
            }

            @Override
            public String path() {
                return file.path();
            }

            @Override
            public SeekableInputStream newStream() throws IOException {
                failNowAndThen("could not open", path);
                return file.newStream();
            }
        };
    }

    @Override
    public boolean mkdirs(String path) throws IOException {
        failNowAndThen("could not make", path);
        return super.mkdirs(path);
    }

    @Override
    public boolean delete(String path) throws IOException {
        failNowAndThen("could not delete", path);
        return super.delete(path);
    }

    private void writeHalf(String path, CloseableIterator<String> data) throws IOException {
        List<String> lines = new ArrayList<>();
        try (data) {
            data.forEachRemaining(lines::add);
        }
        byte[] bytes = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        int name = path.lastIndexOf('/') + 1;
        String beside = path.substring(0, name) + "." + path.substring(name) + "." + UUID.randomUUID() + ".tmp";
        try (PositionOutputStream stream = super.newOutputFile(beside).create(false)) {
            stream.write(bytes, 0, bytes.length / 2);
        }
    }

    private void failNowAndThen(String what, String path) throws IOException {
        if (random.nextInt(THOUSAND * READS) < perMille) {
            throw failed(what, path);
        }
    }

    private boolean writeFails() {
        return random.nextInt(THOUSAND) < perMille;
    }

    private Failure anyFailure() {
        return Failure.values()[random.nextInt(Failure.values().length)];
    }

    private static IOException failed(String what, String path) {
        // on the console, since not every failure need reach the log
        System.err.println(MARK + " " + what + " " + path);
        return new IOException(MARK + " " + what + " " + path);
    }

    /** Breaks in the middle, or at the end when everything is durable. */
    private static final class FailingStream extends PositionOutputStream {
        private final PositionOutputStream stream;
        private final Failure failure;
        private final String path;
        private boolean failed;

        FailingStream(PositionOutputStream stream, Failure failure, String path) {
            this.stream = stream;
            this.failure = failure;
            this.path = path;
        }

        @Override
        public long getPos() throws IOException {
            return stream.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            if (failure == Failure.HALF_DONE && stream.getPos() + len > HALF) {
                stream.write(b, off, (int) Math.max(0, HALF - stream.getPos()));
                stream.flush();
                failed = true;
                throw failed("the rest was not written of", path);
            }
            stream.write(b, off, len);
        }

        @Override
        public void flush() throws IOException {
            stream.flush();
        }

        @Override
        public void close() throws IOException {
            stream.close();
            if (failure == Failure.AFTER && !failed) {
                failed = true;
                throw failed("all was written, but the answer is lost", path);
            }
        }
    }
}

package io.tributary.testing;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.PositionOutputStream;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.utils.CloseableIterator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** A storage that halts the process at one stage of the protocol, told apart by what is written where. */
final class HaltingFileIO extends ForwardingFileIO {
    private static final Pattern INTENT = Pattern.compile(".*/journal/\\d{20}\\.json");
    private static final Pattern DONE = Pattern.compile(".*/journal/\\d{20}\\.done");
    private static final Pattern COMMIT = Pattern.compile(".*/_delta_log/\\d{20}\\.json");
    private static final Pattern CHECKPOINT = Pattern.compile(".*/_delta_log/.*checkpoint.*\\.parquet");
    private static final Pattern STAGED = Pattern.compile("(?!.*_delta_log).*\\.parquet");
    private static final int HALF = 64;

    private final HaltStage stage;
    private final int count;
    private final AtomicInteger reached = new AtomicInteger();
    private volatile boolean doneWritten;

    HaltingFileIO(FileIO local, HaltStage stage, int count) {
        super(local);
        this.stage = stage;
        this.count = count;
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
                return createStream(path, file, atomicWrite);
            }

            @Override
            public void writeAtomically(CloseableIterator<String> data, boolean overwrite) throws IOException {
                List<String> lines = new ArrayList<>();
                try (data) {
                    data.forEachRemaining(lines::add);
                }
                write(path, file, lines, overwrite);
            }
        };
    }

    private PositionOutputStream createStream(String path, OutputFile file, boolean atomicWrite) throws IOException {
        boolean staged = STAGED.matcher(path).matches();
        if (staged && stage == HaltStage.BEFORE_STAGING) {
            reach();
        }
        boolean halfway = (staged && stage == HaltStage.PARQUET_HALF_WRITTEN)
                || (CHECKPOINT.matcher(path).matches() && stage == HaltStage.CHECKPOINT_HALF_WRITTEN);
        PositionOutputStream stream = file.create(atomicWrite);
        return halfway ? new HalfWritten(stream) : stream;
    }

    private void write(String path, OutputFile file, List<String> lines, boolean overwrite) throws IOException {
        // one at a time, so that no other table of the batch slips in between a write and the halt
        synchronized (this) {
            before(path, lines);
            file.writeAtomically(Utils.toCloseableIterator(lines.iterator()), overwrite);
            after(path, lines);
        }
    }

    private void before(String path, List<String> lines) {
        boolean intent = INTENT.matcher(path).matches();
        if (intent && stage == HaltStage.ACKNOWLEDGED && doneWritten) {
            reach();
        }
        if (intent && stage == HaltStage.BEFORE_INTENT && isBatch(lines)) {
            reach();
        }
        if (DONE.matcher(path).matches() && stage == HaltStage.ALL_TABLES_COMMITTED) {
            reach();
        }
        if (COMMIT.matcher(path).matches() && stage == HaltStage.BEFORE_SCHEMA_COMMIT && changesSchema(lines)) {
            reach();
        }
    }

    private void after(String path, List<String> lines) {
        if (INTENT.matcher(path).matches() && stage == HaltStage.INTENT_WRITTEN && isBatch(lines)) {
            reach();
        }
        if (COMMIT.matcher(path).matches()) {
            if (stage == HaltStage.FIRST_TABLE_COMMITTED && !createsTable(path)) {
                reach();
            }
            if (stage == HaltStage.SCHEMA_COMMITTED && changesSchema(lines)) {
                reach();
            }
        }
        if (DONE.matcher(path).matches()) {
            if (stage == HaltStage.DONE_WRITTEN) {
                reach();
            }
            doneWritten = true;
        }
    }

    private static boolean isBatch(List<String> lines) {
        return String.join("", lines).contains("BATCH");
    }

    private static boolean createsTable(String path) {
        return path.endsWith("/00000000000000000000.json");
    }

    private static boolean changesSchema(List<String> lines) {
        String all = String.join("", lines);
        return all.contains("\"metaData\"") && all.contains("\"txn\"");
    }

    private void reach() {
        if (reached.incrementAndGet() >= count) {
            Runtime.getRuntime().halt(137);
        }
    }

    /** Halts once some bytes are on their way to the disk. */
    private final class HalfWritten extends PositionOutputStream {
        private final PositionOutputStream stream;

        HalfWritten(PositionOutputStream stream) {
            this.stream = stream;
        }

        @Override
        public long getPos() throws IOException {
            return stream.getPos();
        }

        @Override
        public void write(int b) throws IOException {
            stream.write(b);
            haltWhenHalf();
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            stream.write(b, off, len);
            haltWhenHalf();
        }

        private void haltWhenHalf() throws IOException {
            if (stream.getPos() >= HALF) {
                stream.flush();
                reach();
            }
        }

        @Override
        public void flush() throws IOException {
            stream.flush();
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}

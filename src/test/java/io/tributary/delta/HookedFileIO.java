package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.PositionOutputStream;
import io.delta.kernel.utils.CloseableIterator;
import io.tributary.testing.ForwardingFileIO;
import java.io.IOException;

/** The local disk with something happening right before or right after a file is put in place. */
final class HookedFileIO extends ForwardingFileIO {

    /** What happens; may throw as the storage would. */
    @FunctionalInterface
    interface Hook {
        Hook NONE = path -> {};

        void at(String path) throws IOException;
    }

    private final boolean careless;
    private Hook before = Hook.NONE;
    private Hook after = Hook.NONE;

    HookedFileIO() {
        this(false);
    }

    /** @param careless overwrites what is there, as some object stores do */
    HookedFileIO(boolean careless) {
        super(new LocalFileIO("file"));
        this.careless = careless;
    }

    /** Runs once, before the next file with this name is put in place. */
    void beforeNext(String name, Hook hook) {
        before = once(name, hook);
    }

    /** Runs once, after the next file with this name is in place. */
    void afterNext(String name, Hook hook) {
        after = once(name, hook);
    }

    private Hook once(String name, Hook hook) {
        boolean[] ran = new boolean[1];
        return path -> {
            if (path.endsWith("/" + name) && !ran[0]) {
                ran[0] = true;
                hook.at(path);
            }
        };
    }

    @Override
    public OutputFile newOutputFile(String path) {
        OutputFile file = super.newOutputFile(path);
        return new OutputFile() {
            @Override
            public String path() {
                return path;
            }

            @Override
            public PositionOutputStream create(boolean atomicWrite) throws IOException {
                return file.create(atomicWrite);
            }

            @Override
            public void writeAtomically(CloseableIterator<String> data, boolean overwrite) throws IOException {
                before.at(path);
                file.writeAtomically(data, overwrite || careless);
                after.at(path);
            }
        };
    }
}

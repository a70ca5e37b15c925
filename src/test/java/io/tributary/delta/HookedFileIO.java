package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.PositionOutputStream;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.util.Optional;

/** The local disk with something happening right before or right after a file is put in place. */
final class HookedFileIO implements FileIO {

    /** What happens; may throw as the storage would. */
    @FunctionalInterface
    interface Hook {
        Hook NONE = path -> {};

        void at(String path) throws IOException;
    }

    private final LocalFileIO disk = new LocalFileIO("file");
    private final boolean careless;
    private Hook before = Hook.NONE;
    private Hook after = Hook.NONE;

    HookedFileIO() {
        this(false);
    }

    /** @param careless overwrites what is there, as some object stores do */
    HookedFileIO(boolean careless) {
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
        OutputFile file = disk.newOutputFile(path);
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

    @Override
    public CloseableIterator<FileStatus> listFrom(String filePath) throws IOException {
        return disk.listFrom(filePath);
    }

    @Override
    public FileStatus getFileStatus(String path) throws IOException {
        return disk.getFileStatus(path);
    }

    @Override
    public String resolvePath(String path) {
        return disk.resolvePath(path);
    }

    @Override
    public boolean mkdirs(String path) throws IOException {
        return disk.mkdirs(path);
    }

    @Override
    public InputFile newInputFile(String path, long fileSize) {
        return disk.newInputFile(path, fileSize);
    }

    @Override
    public boolean delete(String path) throws IOException {
        return disk.delete(path);
    }

    @Override
    public Optional<String> getConf(String confKey) {
        return disk.getConf(confKey);
    }

    @Override
    public void copyFileAtomically(String srcPath, String destPath, boolean overwrite) throws IOException {
        disk.copyFileAtomically(srcPath, destPath, overwrite);
    }
}

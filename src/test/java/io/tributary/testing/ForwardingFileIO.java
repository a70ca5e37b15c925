package io.tributary.testing;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.util.Optional;

/** A storage that hands everything to another one, for tests that break a part of it. */
public class ForwardingFileIO implements FileIO {
    private final FileIO storage;

    protected ForwardingFileIO(FileIO storage) {
        this.storage = storage;
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return storage.newOutputFile(path);
    }

    @Override
    public CloseableIterator<FileStatus> listFrom(String filePath) throws IOException {
        return storage.listFrom(filePath);
    }

    @Override
    public FileStatus getFileStatus(String path) throws IOException {
        return storage.getFileStatus(path);
    }

    @Override
    public String resolvePath(String path) throws IOException {
        return storage.resolvePath(path);
    }

    @Override
    public boolean mkdirs(String path) throws IOException {
        return storage.mkdirs(path);
    }

    @Override
    public InputFile newInputFile(String path, long fileSize) {
        return storage.newInputFile(path, fileSize);
    }

    @Override
    public boolean delete(String path) throws IOException {
        return storage.delete(path);
    }

    @Override
    public Optional<String> getConf(String confKey) {
        return storage.getConf(confKey);
    }

    @Override
    public void copyFileAtomically(String srcPath, String destPath, boolean overwrite) throws IOException {
        storage.copyFileAtomically(srcPath, destPath, overwrite);
    }
}

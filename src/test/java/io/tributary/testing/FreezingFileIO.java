package io.tributary.testing;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A storage that answers nothing for as long as a file exists, as a network disk whose server is gone. */
final class FreezingFileIO extends ForwardingFileIO {
    private final Path sign;

    FreezingFileIO(FileIO local, Path sign) {
        super(local);
        this.sign = sign;
    }

    private void awaitThaw() throws IOException {
        try {
            while (Files.exists(sign)) {
                Thread.sleep(50);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the storage is frozen");
        }
    }

    @Override
    public OutputFile newOutputFile(String path) {
        thaw();
        return super.newOutputFile(path);
    }

    @Override
    public InputFile newInputFile(String path, long fileSize) {
        thaw();
        return super.newInputFile(path, fileSize);
    }

    private void thaw() {
        try {
            awaitThaw();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public CloseableIterator<FileStatus> listFrom(String filePath) throws IOException {
        awaitThaw();
        return super.listFrom(filePath);
    }

    @Override
    public FileStatus getFileStatus(String path) throws IOException {
        awaitThaw();
        return super.getFileStatus(path);
    }

    @Override
    public boolean mkdirs(String path) throws IOException {
        awaitThaw();
        return super.mkdirs(path);
    }

    @Override
    public boolean delete(String path) throws IOException {
        awaitThaw();
        return super.delete(path);
    }
}

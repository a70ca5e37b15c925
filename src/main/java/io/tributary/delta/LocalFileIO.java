package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The local disk as Kernel's storage, made durable: what a call reports as written survives a power cut, file and folder
 * alike, and a file that must not exist yet is put there by a hard link, which the file system grants to one process only.
 *
 * <p>Hadoop's local file system does neither. Paths are taken as Hadoop and Spark take them: as they stand, without
 * percent-decoding. Thread-safe; without state.
 */
public final class LocalFileIO implements FileIO {

    private final String scheme;

    /** @param scheme the scheme of the paths that come in and go out, {@code file} but for tests that wrap this class */
    public LocalFileIO(String scheme) {
        this.scheme = Objects.requireNonNull(scheme);
    }

    @Override
    public CloseableIterator<FileStatus> listFrom(String filePath) throws IOException {
        Path start = local(filePath);
        Path folder = parentOf(start);
        String first = start.getFileName().toString();
        List<Path> found;
        try (Stream<Path> entries = Files.list(folder)) {
            found = entries.filter(entry -> entry.getFileName().toString().compareTo(first) >= 0)
                    .sorted((a, b) ->
                            a.getFileName().toString().compareTo(b.getFileName().toString()))
                    .toList();
        } catch (NoSuchFileException e) {
            throw new FileNotFoundException(folder + " does not exist");
        }
        List<FileStatus> files = new ArrayList<>(found.size());
        for (Path path : found) {
            statusIfThere(path).ifPresent(files::add);
        }
        return KernelInternals.iterator(files);
    }

    @Override
    public FileStatus getFileStatus(String path) throws IOException {
        Path file = local(path);
        return statusIfThere(file).orElseThrow(() -> new FileNotFoundException(file + " does not exist"));
    }

    @Override
    public String resolvePath(String path) {
        return name(local(path));
    }

    @Override
    public boolean mkdirs(String path) throws IOException {
        Deque<Path> absent = new ArrayDeque<>();
        for (Path folder = local(path); folder != null && !Files.isDirectory(folder); folder = folder.getParent()) {
            absent.push(folder);
        }
        for (Path folder : absent) {
            Files.createDirectories(folder);
            syncFolder(parentOf(folder));
        }
        return true;
    }

    @Override
    public InputFile newInputFile(String path, long fileSize) {
        return new LocalInputFile(path, local(path), fileSize);
    }

    @Override
    public OutputFile newOutputFile(String path) {
        return new LocalOutputFile(path, local(path));
    }

    @Override
    public boolean delete(String path) throws IOException {
        Path file = local(path);
        if (Files.isDirectory(file)) {
            throw new IOException(file + " is a folder, and only files are deleted here");
        }
        boolean deleted = Files.deleteIfExists(file);
        if (deleted) {
            syncFolder(parentOf(file));
        }
        return deleted;
    }

    @Override
    public Optional<String> getConf(String confKey) {
        return Optional.empty();
    }

    @Override
    public void copyFileAtomically(String srcPath, String destPath, boolean overwrite) throws IOException {
        Path source = local(srcPath);
        if (!Files.exists(source)) {
            throw new FileNotFoundException(source + " does not exist");
        }
        new LocalOutputFile(destPath, local(destPath)).publish(temp -> Files.copy(source, temp), overwrite);
    }

    /** Makes the entries of a folder durable, whether or not this thread was interrupted meanwhile. */
    static void syncFolder(Path folder) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                // an interrupt closes the channel instead of syncing it
                interrupted |= Thread.interrupted();
                try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                    channel.force(true);
                    return;
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static Path parentOf(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    private Path local(String path) {
        String rest = path.startsWith(scheme + ":") ? path.substring(scheme.length() + 1) : path;
        if (rest.startsWith("///")) {
            rest = rest.substring(2);
        }
        if (!rest.startsWith("/") || rest.startsWith("//")) {
            throw new IllegalArgumentException("not an absolute " + scheme + ": path: " + path);
        }
        return Path.of(rest).normalize();
    }

    private String name(Path path) {
        return scheme + ":" + path;
    }

    private Optional<FileStatus> statusIfThere(Path path) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return Optional.of(FileStatus.of(
                    name(path), attributes.size(), attributes.lastModifiedTime().toMillis()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}

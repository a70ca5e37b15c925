package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of one lake. Paths are relative to its root unless a name says otherwise.
 *
 * @param files the storage
 * @param root qualified, without a slash at its end
 */
record LakeStorage(FileIO files, String root) {

    private static final Pattern LOCATION = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(//([^/]*))?(/.*)");

    /** Finds the provider of the lake's scheme and opens the storage; writes nothing. */
    static LakeStorage open(LakeConfig lake) {
        String location = lake.path()
                .orElseThrow(() -> new LakeConfigurationException(
                        "tributary.lake.path is not set: give the lake's root, such as file:///data/lake"));
        Matcher parts = LOCATION.matcher(location);
        if (!parts.matches()) {
            throw new LakeConfigurationException(
                    "tributary.lake.path=" + location
                            + " is not an absolute location with a scheme: write it like file:///data/lake or hdfs://host/lake");
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        StorageProvider provider = providerOf(scheme, location);
        try {
            URI root = new URI(scheme, parts.group(3), parts.group(4), null, null);
            FileIO files = provider.open(root, lake.hadoop());
            String qualified = files.resolvePath(scheme + location.substring(scheme.length()));
            return new LakeStorage(files, qualified.replaceAll("/+$", ""));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new LakeConfigurationException(
                    "tributary.lake.path=" + location + " is not a valid location: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new LakeConfigurationException(
                    "tributary.lake.path=" + location + " can't be opened: " + e
                            + ". Check the path, the client library of its scheme and tributary.lake.hadoop",
                    e);
        }
    }

    private static StorageProvider providerOf(String scheme, String location) {
        TreeSet<String> known = new TreeSet<>();
        for (StorageProvider provider :
                ServiceLoader.load(StorageProvider.class, StorageProvider.class.getClassLoader())) {
            if (provider.schemes().contains(scheme)) {
                return provider;
            }
            known.addAll(provider.schemes());
        }
        throw new LakeConfigurationException("tributary.lake.path=" + location + ": there is no storage for the scheme "
                + scheme + ". Use one of " + known);
    }

    /** Makes a folder and proves that files in it are writable and put-if-absent, leaving nothing but the folder. */
    void requireWritable(String folder) {
        String probe = resolve(folder + "/.probe-" + UUID.randomUUID());
        try {
            files.mkdirs(resolve(folder));
            putIfAbsent(probe, List.of("probe"));
            try {
                putIfAbsent(probe, List.of("probe"));
                throw new LakeConfigurationException("tributary.lake.path: the storage of " + root
                        + " wrote one object twice, so that two writers could not exclude each other."
                        + " Use a storage with put-if-absent");
            } catch (FileAlreadyExistsException e) {
                files.delete(probe);
            }
        } catch (IOException | UnsupportedOperationException e) {
            throw new LakeConfigurationException(
                    "tributary.lake.path: can't write to " + resolve(folder) + ": " + e
                            + ". Check that the folder may be written by this user and that its file system knows"
                            + " hard links",
                    e);
        }
    }

    /** The full path of one that is relative to the root. */
    String resolve(String relative) {
        return root + "/" + relative;
    }

    /** @param path a full path */
    Optional<FileStatus> status(String path) throws IOException {
        try {
            return Optional.of(files.getFileStatus(path));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /**
     * The files of a folder whose names are not below {@code first}, by name; none if the folder is missing.
     *
     * @param folder a full path
     */
    List<FileStatus> list(String folder, String first) throws IOException {
        List<FileStatus> found = new ArrayList<>();
        try (CloseableIterator<FileStatus> entries = files.listFrom(folder + "/" + first)) {
            entries.forEachRemaining(found::add);
        } catch (FileNotFoundException e) {
            return List.of();
        }
        found.sort(Comparator.comparing(FileStatus::getPath));
        return found;
    }

    /** @param path a full path */
    Optional<String> read(String path) throws IOException {
        Optional<FileStatus> status = status(path);
        if (status.isEmpty()) {
            return Optional.empty();
        }
        try (SeekableInputStream in =
                files.newInputFile(path, status.get().getSize()).newStream()) {
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /**
     * Writes a file that must not exist yet, durable when this returns.
     *
     * @param path a full path
     * @throws FileAlreadyExistsException if it exists
     */
    void putIfAbsent(String path, List<String> lines) throws IOException {
        files.newOutputFile(path).writeAtomically(KernelInternals.iterator(lines), false);
    }

    /** The last part of a path. */
    static String nameOf(FileStatus file) {
        return file.getPath().substring(file.getPath().lastIndexOf('/') + 1);
    }
}

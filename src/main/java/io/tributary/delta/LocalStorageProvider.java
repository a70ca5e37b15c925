package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/** The local disk. Public because {@link java.util.ServiceLoader} makes it. */
public final class LocalStorageProvider implements StorageProvider {

    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    @Override
    public FileIO open(URI root, Map<String, String> hadoop) {
        return new LocalFileIO("file");
    }
}

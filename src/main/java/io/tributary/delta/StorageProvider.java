package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/** Opens the storage behind a URI scheme; found by {@link java.util.ServiceLoader}. */
public interface StorageProvider {

    /** The lower-case schemes that this provider opens. */
    Set<String> schemes();

    /**
     * Opens the storage. Its writes without overwrite must be put-if-absent over all processes, and durable when they
     * return: the journal's fence and Delta's commits rest on it.
     *
     * @param root the lake, for its scheme and authority
     * @param hadoop {@code tributary.lake.hadoop} as it is
     */
    FileIO open(URI root, Map<String, String> hadoop) throws IOException;
}

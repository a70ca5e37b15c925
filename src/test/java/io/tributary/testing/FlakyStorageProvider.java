package io.tributary.testing;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.tributary.delta.LocalFileIO;
import io.tributary.delta.StorageProvider;
import java.net.URI;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The scheme {@code flaky:}: the local disk, but of a thousand writes as many fail as the system property
 * {@code flaky.per-mille} says, and of fifty thousand other calls, each chosen by {@code flaky.seed}.
 */
public final class FlakyStorageProvider implements StorageProvider {
    private static final String SCHEME = "flaky";

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public FileIO open(URI root, Map<String, String> hadoop) {
        int perMille = Integer.getInteger("flaky.per-mille", 0);
        FileIO local = new LocalFileIO(SCHEME);
        return perMille == 0 ? local : new FlakyFileIO(local, perMille, new Random(Long.getLong("flaky.seed", 1)));
    }
}

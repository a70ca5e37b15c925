package io.tributary.testing;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.tributary.delta.LocalFileIO;
import io.tributary.delta.StorageProvider;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * The scheme {@code halt:}: the local disk, but the process halts at the stage that the system property
 * {@code halt.stage} names, when it comes for the {@code halt.count}-th time; and it freezes while the file exists that
 * {@code freeze.sign} names.
 */
public final class HaltingStorageProvider implements StorageProvider {
    private static final String SCHEME = "halt";

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public FileIO open(URI root, Map<String, String> hadoop) {
        String stage = System.getProperty("halt.stage");
        String sign = System.getProperty("freeze.sign");
        FileIO disk = new LocalFileIO(SCHEME);
        FileIO local = sign == null ? disk : new FreezingFileIO(disk, Path.of(sign));
        return stage == null
                ? local
                : new HaltingFileIO(local, HaltStage.valueOf(stage), Integer.getInteger("halt.count", 1));
    }
}

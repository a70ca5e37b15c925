package io.tributary.delta;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.hadoopio.HadoopFileIO;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * The stores whose put-if-absent Delta's log stores do natively. {@code s3a} is not among them: the log store that Delta
 * uses there by default keeps order within one process only, so two writers can both believe that they wrote the same
 * object, and one commit is lost. Public because {@link java.util.ServiceLoader} makes it.
 */
public final class HadoopStorageProvider implements StorageProvider {

    @Override
    public Set<String> schemes() {
        return Set.of("abfs", "abfss", "gs", "hdfs");
    }

    @Override
    public FileIO open(URI root, Map<String, String> hadoop) throws IOException {
        Configuration configuration = new Configuration();
        hadoop.forEach(configuration::set);
        // the scheme's client may be missing on the class path, or its account: better said here than at the first
        // write
        FileSystem.get(root, configuration);
        return new HadoopFileIO(configuration);
    }
}

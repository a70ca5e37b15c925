package io.tributary.batch;

import java.util.Objects;

/**
 * A finished, durable Parquet file that no commit names yet.
 *
 * @param path relative to the table's folder
 * @param sizeBytes as stored
 * @param modifiedMillis its modification time, milliseconds since epoch
 * @param statistics Delta's statistics of the file, as the JSON text of an add action
 */
public record StagedFile(String path, long sizeBytes, long modifiedMillis, long rows, String statistics) {
    public StagedFile {
        Objects.requireNonNull(path);
        Objects.requireNonNull(statistics);
    }
}

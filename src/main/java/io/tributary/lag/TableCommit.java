package io.tributary.lag;

/**
 * What one commit put into one table.
 *
 * @param bytes size of the new files
 * @param deltaVersion the table's version that has them
 * @param newestSourceMicros newest commit time at the source among the rows, microseconds since epoch; 0 without rows
 */
public record TableCommit(long rows, long bytes, long deltaVersion, long newestSourceMicros) {
    public TableCommit {
        if (rows < 0 || bytes < 0 || deltaVersion < 0) {
            throw new IllegalArgumentException(
                    "not a commit: rows " + rows + ", bytes " + bytes + ", version " + deltaVersion);
        }
    }
}

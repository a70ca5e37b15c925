package io.tributary.source;

import io.tributary.event.SourceIdentity;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import java.util.List;
import java.util.Objects;

/**
 * What a preflight saw; nothing was written.
 *
 * @param serverVersion as the server spells it
 * @param tables the captured tables, ordered by name
 */
public record SourceReport(
        String serverVersion, SourceIdentity identity, List<CapturedTable> tables, List<Finding> findings) {

    /**
     * A table that the configuration selects.
     *
     * @param schema as the stream will send it
     * @param rowEstimate the server's own estimate; -1 when it never analyzed the table
     * @param bytes size on disk without indexes
     * @param replicaIdentity {@code default}, {@code full}, {@code index} or {@code nothing}
     */
    public record CapturedTable(TableSchema schema, long rowEstimate, long bytes, String replicaIdentity) {
        public CapturedTable {
            Objects.requireNonNull(schema);
            Objects.requireNonNull(replicaIdentity);
        }

        public TableId table() {
            return schema.table();
        }
    }

    public SourceReport {
        Objects.requireNonNull(serverVersion);
        Objects.requireNonNull(identity);
        tables = List.copyOf(tables);
        findings = List.copyOf(findings);
    }

    /** What stands in the way of a start. */
    public List<Finding> errors() {
        return findings.stream()
                .filter(f -> f.severity() != Finding.Severity.WARNING)
                .toList();
    }

    /** What an operator should know although nothing stands in the way. */
    public List<Finding> warnings() {
        return findings.stream()
                .filter(f -> f.severity() == Finding.Severity.WARNING)
                .toList();
    }

    /** Throws with every error in one message, if there is one that isn't a gap. */
    public void requireUsable() {
        List<Finding> errors = errors().stream()
                .filter(f -> f.severity() != Finding.Severity.GAP)
                .toList();
        if (errors.isEmpty()) {
            return;
        }
        String message =
                String.join("\n", errors.stream().map(Finding::toString).toList());
        if (errors.stream().allMatch(f -> f.severity() == Finding.Severity.WAIT)) {
            throw new SourceUnavailableException(message);
        }
        throw new SourceConfigurationException(message);
    }
}

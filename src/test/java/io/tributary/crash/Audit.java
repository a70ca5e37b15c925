package io.tributary.crash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds bronze against the source, period by period: what was compared once isn't kept, but for the state that the rows
 * fold to, so that an audit of hours needs no more memory than one of minutes.
 */
final class Audit {
    private final Findings findings = new Findings();
    private final StreamComparison stream = new StreamComparison(findings);
    private final Map<String, TableState> states = new TreeMap<>();
    /** Where the snapshot of a table was taken: what committed up to there came with it. */
    private final Map<String, Long> snapshots = new HashMap<>();

    private final Invariant invariant;
    private long lastSequence;
    private long lastBatch;

    /** A sum over two tables that every transaction keeps. */
    record Invariant(String one, String other, String column, long sum) {}

    /** @param keys the captured tables, each with the column that tells its rows apart */
    Audit(Map<String, String> keys, Invariant invariant) {
        keys.forEach((table, key) -> states.put(table, new TableState(key)));
        this.invariant = invariant;
    }

    Findings findings() {
        return findings;
    }

    /**
     * Compares what is new on both sides since the last call.
     *
     * @param rows in the order of {@code _cdc_seq}
     */
    void compare(List<SourceTransaction> transactions, List<BronzeRow> rows) {
        boolean cut = snapshots.containsKey(invariant.one()) && snapshots.containsKey(invariant.other());
        requireOrder(rows);
        rows.stream().filter(BronzeRow::ofSnapshot).forEach(this::snapshotRow);
        stream.compare(
                expected(transactions),
                rows.stream().filter(row -> !row.ofSnapshot()).toList());
        fold(rows, cut);
    }

    /** Compares what the rows of a table fold to with what the source holds. */
    void compareState(String table, SourceState source) {
        Map<String, Map<String, String>> folded = states(table).rows();
        Set<String> keys = new HashSet<>(source.rows().keySet());
        keys.addAll(folded.keySet());
        for (String key : keys) {
            Map<String, String> bronze = new HashMap<>(folded.getOrDefault(key, Map.of()));
            // what the source has dropped stays in bronze
            bronze.keySet().retainAll(source.columns());
            if (!bronze.equals(source.rows().getOrDefault(key, Map.of()))) {
                findings.other("row " + key + " of " + table + " is "
                        + source.rows().get(key) + " at the source, bronze folds to " + folded.get(key));
            }
        }
    }

    private TableState states(String table) {
        TableState state = states.get(table);
        if (state == null) {
            throw new IllegalArgumentException(table + " isn't captured");
        }
        return state;
    }

    private void requireOrder(List<BronzeRow> rows) {
        for (BronzeRow row : rows) {
            if (row.sequence() <= lastSequence) {
                findings.outOfOrder("_cdc_seq " + row.sequence() + " after " + lastSequence + ": " + row);
            }
            if (row.batch() < lastBatch) {
                findings.outOfOrder("batch " + row.batch() + " after " + lastBatch + ": " + row);
            }
            lastSequence = Math.max(lastSequence, row.sequence());
            lastBatch = Math.max(lastBatch, row.batch());
        }
    }

    private void snapshotRow(BronzeRow row) {
        long point = lsn(row.position());
        Long before = snapshots.put(row.change().table(), point);
        if (before != null && before != point) {
            findings.other(row.change().table() + " was read anew at " + row.position() + " without a reason");
        }
    }

    /** In PostgreSQL's spelling, such as {@code 16/B374D848}. */
    private static long lsn(String text) {
        int slash = text.indexOf('/');
        return (Long.parseLong(text.substring(0, slash), 16) << 32) + Long.parseLong(text.substring(slash + 1), 16);
    }

    private List<SourceTransaction> expected(List<SourceTransaction> transactions) {
        List<SourceTransaction> expected = new ArrayList<>();
        for (SourceTransaction transaction : transactions) {
            List<SourceChange> changes = transaction.changes().stream()
                    .filter(change -> byStream(change, transaction))
                    .toList();
            if (!changes.isEmpty()) {
                expected.add(new SourceTransaction(transaction.end(), transaction.xid(), changes));
            }
        }
        return expected;
    }

    private boolean byStream(SourceChange change, SourceTransaction transaction) {
        Long point = snapshots.get(change.table());
        return point != null && Long.compareUnsigned(transaction.end(), point) > 0;
    }

    private void fold(List<BronzeRow> rows, boolean cut) {
        for (int i = 0; i < rows.size(); i++) {
            BronzeRow row = rows.get(i);
            states(row.change().table()).apply(row.change());
            boolean batchEnds = i + 1 == rows.size() || rows.get(i + 1).batch() != row.batch();
            if (cut && batchEnds) {
                requireInvariant(row.batch());
            }
        }
    }

    private void requireInvariant(long batch) {
        long sum = states(invariant.one()).sum(invariant.column())
                + states(invariant.other()).sum(invariant.column());
        if (sum != invariant.sum()) {
            findings.other("after batch " + batch + " the tables " + invariant.one() + " and " + invariant.other()
                    + " hold " + sum + " instead of " + invariant.sum());
        }
    }
}

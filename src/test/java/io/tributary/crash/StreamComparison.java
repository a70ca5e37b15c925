package io.tributary.crash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the rows that came by the stream with what the server's own decoding says, one by one and in order. */
final class StreamComparison {
    private final Findings findings;

    StreamComparison(Findings findings) {
        this.findings = findings;
    }

    /**
     * Compares one period.
     *
     * @param expected only changes that the stream must bring
     * @param rows in the order of {@code _cdc_seq}
     */
    void compare(List<SourceTransaction> expected, List<BronzeRow> rows) {
        List<String> source = new ArrayList<>();
        expected.forEach(
                transaction -> transaction.changes().forEach(change -> source.add(transaction.xid() + " " + change)));
        List<String> bronze =
                rows.stream().map(row -> xid(row) + " " + row.change()).toList();
        findings.compared(source.size());
        if (!source.equals(bronze)) {
            tellApart(source, bronze);
        }
        requireWholeTransactions(rows);
    }

    private void tellApart(List<String> source, List<String> bronze) {
        List<String> arrived = common(source, bronze, findings::lost);
        List<String> known = common(bronze, source, findings::doubled);
        for (int i = 0; i < arrived.size(); i++) {
            if (!arrived.get(i).equals(known.get(i))) {
                findings.outOfOrder("the source has " + arrived.get(i) + ", bronze " + known.get(i));
            }
        }
    }

    /** The part of a list that another one has, too, as often. */
    private static List<String> common(
            List<String> list, List<String> other, java.util.function.Consumer<String> rest) {
        Map<String, Integer> left = new HashMap<>();
        other.forEach(text -> left.merge(text, 1, Integer::sum));
        List<String> common = new ArrayList<>();
        for (String text : list) {
            if (left.merge(text, -1, Integer::sum) >= 0) {
                common.add(text);
            } else {
                rest.accept(text);
            }
        }
        return common;
    }

    /** A transaction's rows follow one another and came in one batch, whatever tables they are in. */
    private void requireWholeTransactions(List<BronzeRow> rows) {
        Set<String> closed = new HashSet<>();
        String current = "";
        long batch = -1;
        for (BronzeRow row : rows) {
            String transaction = row.transaction().orElse("none");
            if (!transaction.equals(current)) {
                closed.add(current);
                if (closed.contains(transaction)) {
                    findings.other("transaction " + transaction + " is in pieces, at _cdc_seq " + row.sequence());
                }
                current = transaction;
            } else if (row.batch() != batch) {
                findings.other(
                        "transaction " + transaction + " is torn between the batches " + batch + " and " + row.batch());
            }
            batch = row.batch();
        }
    }

    private static String xid(BronzeRow row) {
        return row.transaction()
                .map(transaction -> transaction.substring(0, transaction.indexOf(':')))
                .orElse("none");
    }
}

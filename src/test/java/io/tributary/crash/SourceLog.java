package io.tributary.crash;

import io.tributary.testing.Scenario;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The oracle: every committed change in commit order, from a replication slot of its own and the server's own
 * {@code test_decoding}. All that it reads is also written to a file, for whoever looks into a difference.
 */
final class SourceLog {
    private final Scenario scenario;
    private final Set<String> keyless;
    private final String slot;
    private final Path dump;
    private long end;

    /** Begins here: what was committed before isn't seen. */
    SourceLog(Scenario scenario, Set<String> keyless, Path dump) {
        this.scenario = scenario;
        this.keyless = Set.copyOf(keyless);
        this.slot = "oracle_" + scenario.name();
        this.dump = dump;
        scenario.query("select pg_create_logical_replication_slot('" + slot + "', 'test_decoding')::text");
    }

    /** The transactions since the last call. */
    List<SourceTransaction> read() throws SQLException, IOException {
        List<SourceTransaction> transactions = new ArrayList<>();
        try (Connection connection = scenario.connect();
                Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery("select lsn - '0/0'::pg_lsn, xid::text, data from"
                        + " pg_logical_slot_get_changes('" + slot + "', null, null, 'skip-empty-xacts', '1')");
                BufferedWriter out =
                        Files.newBufferedWriter(dump, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            List<SourceChange> changes = new ArrayList<>();
            while (lines.next()) {
                String line = lines.getString(3);
                if (line.startsWith("BEGIN")) {
                    changes.clear();
                } else if (!line.startsWith("COMMIT")) {
                    changes.addAll(DecodedLine.read(line, keyless));
                } else {
                    committed(new SourceTransaction(lines.getLong(1), lines.getString(2), changes), transactions);
                }
                out.write(lines.getString(1) + " " + line + "\n");
            }
        }
        return transactions;
    }

    private void committed(SourceTransaction transaction, List<SourceTransaction> transactions) {
        // a server that crashes may forget how far the slot was read, and says everything since then again
        if (Long.compareUnsigned(transaction.end(), end) > 0) {
            end = transaction.end();
            transactions.add(transaction);
        }
    }
}

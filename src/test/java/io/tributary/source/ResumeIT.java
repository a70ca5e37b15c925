package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.event.ChangeEvent;
import io.tributary.event.SourcePosition;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/** A run that goes on from any boundary delivers exactly what came after it. */
class ResumeIT {
    private static final String TABLE = "CREATE TABLE t (id int PRIMARY KEY, v text)";

    /** Something that sessions do. */
    @FunctionalInterface
    private interface Workload {
        void run(Capture capture) throws SQLException, java.io.IOException;
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void interleavedTransactionsSurviveEveryResume(Version version) throws Exception {
        List<String> all = resumeEverywhere(version, ResumeIT::interleaved);

        assertThat(all).containsExactly("c201", "c202", "c101", "c102", "c301");
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void copiedRowsThatShareAnLsnSurviveEveryResume(Version version) throws Exception {
        List<String> all = resumeEverywhere(version, capture -> {
            copy(capture, 1, 500);
            capture.execute("INSERT INTO t VALUES (501, 'x')");
            copy(capture, 502, 900);
        });

        assertThat(all)
                .isEqualTo(IntStream.rangeClosed(1, 900).mapToObj(i -> "c" + i).toList());
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void logicalMessagesInsideTransactionsSurviveEveryResume(Version version) throws Exception {
        List<String> all = resumeEverywhere(version, ResumeIT::messages);

        assertThat(all).containsExactly("c1", "c2", "c10", "c11", "c20", "c21", "c30");
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void savepointsAndPreparedTransactionsComeInCommitOrder(Version version) throws Exception {
        List<String> all = resumeEverywhere(version, capture -> {
            try (Connection a = capture.server.connect(capture.database);
                    Connection b = capture.server.connect(capture.database)) {
                sql(a, "BEGIN", "INSERT INTO shop.t VALUES (1)", "SAVEPOINT s", "INSERT INTO shop.t VALUES (2)");
                sql(b, "BEGIN", "INSERT INTO shop.t VALUES (3)", "PREPARE TRANSACTION 'p_" + capture.database + "'");
                sql(a, "ROLLBACK TO s", "INSERT INTO shop.t VALUES (4)", "COMMIT");
                sql(b, "COMMIT PREPARED 'p_" + capture.database + "'");
            }
        });

        assertThat(all).containsExactly("c1", "c4", "c3");
    }

    /** The offset that the engine itself would store at the end of B: this is why ours is another one. */
    @Test
    void naiveOffsetLosesTheTransactionThatWasOpen() throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE)) {
            Recorder first = capture.begin();
            ResumeIT.interleaved(capture);
            capture.settle();
            SourcePosition.Wal endOfB = endAfter(first, "c202");
            capture.stop();

            capture.streamFromOffset(
                    "{\"lsn\":%1$d,\"lsn_proc\":%1$d,\"lsn_commit\":%1$d,\"messageType\":\"COMMIT\",\"txId\":%2$d,\"ts_usec\":%3$d}"
                            .formatted(endOfB.lsn(), endOfB.xid(), endOfB.commitTimeMicros()));
            List<String> naive = capture.settle();
            capture.stop();
            capture.stream(endOfB, Map.of());
            List<String> ours = capture.settle();

            assertThat(ours).containsExactly("c101", "c102", "c301");
            assertThat(naive).as("rows of the open transaction are missing").doesNotContain("c101");
        }
    }

    /** C36: a previous COMMIT, the next BEGIN and its first row share an LSN. */
    @Test
    void theFirstChangeAfterARestartIsNeverSkipped() throws Exception {
        int rounds = 100;
        List<String> seen = new ArrayList<>();
        try (Capture capture =
                new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE, "CREATE TABLE uncaptured (id serial)")) {
            capture.position = (SourcePosition.Wal) capture.source.createChannel();
            for (int round = 0; round < rounds; round++) {
                int first = 2 * round + 1;
                capture.execute("INSERT INTO t VALUES (" + first + ")");
                Recorder run = capture.stream(capture.position, Map.of());
                capture.execute("INSERT INTO t VALUES (" + (first + 1) + ")");
                if (round % 3 == 0) {
                    capture.execute("INSERT INTO uncaptured DEFAULT VALUES");
                }
                capture.settle();
                capture.stop();
                run.events().stream().map(Recorder::idOf).forEach(seen::add);
                // in odd rounds what closes the last row, a row's own end; in even ones the message behind it
                capture.position =
                        round % 2 == 0 ? run.ends().get(run.ends().size() - 1) : endAfter(run, "c" + (first + 1));
            }
        }
        assertThat(seen)
                .isEqualTo(IntStream.rangeClosed(1, 2 * rounds)
                        .mapToObj(i -> "c" + i)
                        .toList());
    }

    private static void interleaved(Capture capture) throws SQLException {
        try (Connection a = capture.server.connect(capture.database);
                Connection b = capture.server.connect(capture.database)) {
            sql(a, "BEGIN", "INSERT INTO shop.t VALUES (101)");
            sql(b, "BEGIN", "INSERT INTO shop.t VALUES (201), (202)", "COMMIT");
            sql(a, "INSERT INTO shop.t VALUES (102)", "COMMIT");
            sql(b, "INSERT INTO shop.t VALUES (301)");
        }
    }

    /** Messages before, between and after the rows of transactions that are open at the same time, and outside them. */
    private static void messages(Capture capture) throws SQLException {
        try (Connection a = capture.server.connect(capture.database);
                Connection b = capture.server.connect(capture.database)) {
            String message = "SELECT pg_logical_emit_message(true, 'app', 'x')";
            sql(a, "BEGIN", message);
            sql(b, "BEGIN", "INSERT INTO shop.t VALUES (1), (2)", "COMMIT");
            sql(a, "INSERT INTO shop.t VALUES (10)", message, "INSERT INTO shop.t VALUES (11)", "COMMIT");
            sql(b, "SELECT pg_logical_emit_message(false, 'app', 'outside')");
            sql(a, "BEGIN", "INSERT INTO shop.t VALUES (20)");
            sql(b, message, "SELECT pg_logical_emit_message(false, 'app', 'outside')");
            sql(a, "INSERT INTO shop.t VALUES (21)", message, "COMMIT");
            sql(b, "INSERT INTO shop.t VALUES (30)");
        }
    }

    private static void copy(Capture capture, int from, int to) throws SQLException, java.io.IOException {
        StringBuilder rows = new StringBuilder();
        for (int id = from; id <= to; id++) {
            rows.append(id).append("\tv\n");
        }
        try (Connection connection = capture.server.connect(capture.database)) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY shop.t FROM STDIN", new java.io.StringReader(rows.toString()));
        }
    }

    private static List<String> resumeEverywhere(Version version, Workload workload) throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(version), "shop.t", TABLE)) {
            Recorder first = capture.begin();
            workload.run(capture);
            List<String> all = capture.settle();
            capture.stop();

            List<Recorder.Entry> entries = first.entries();
            assertThat(first.ends()).as("boundaries").isNotEmpty();
            for (int i = 0; i < entries.size(); i++) {
                if (entries.get(i) instanceof Recorder.Entry.End end) {
                    Recorder resumed = capture.stream(end.safe(), Map.of());
                    capture.settle();
                    capture.stop();
                    assertThat(identities(resumed.events()))
                            .as("after the boundary %s", end.safe().text())
                            .isEqualTo(identities(Recorder.events(entries.subList(i, entries.size()))));
                }
            }
            return all;
        }
    }

    /** What must be equal whenever an event is delivered again. */
    private static List<String> identities(List<ChangeEvent> events) {
        List<String> identities = new ArrayList<>();
        for (ChangeEvent event : events) {
            identities.add(Recorder.idOf(event) + " "
                    + event.origin().transaction().orElseThrow() + " "
                    + event.origin().position());
        }
        return identities;
    }

    private static SourcePosition.Wal endAfter(Recorder recorder, String id) {
        boolean seen = false;
        for (Recorder.Entry entry : recorder.entries()) {
            if (entry instanceof Recorder.Entry.Row row) {
                seen |= Recorder.idOf(row.event()).equals(id);
            } else if (seen && entry instanceof Recorder.Entry.End end) {
                return end.safe();
            }
        }
        throw new AssertionError("no boundary after " + id);
    }

    private static void sql(Connection connection, String... statements) throws SQLException {
        try (var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}

package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tributary.event.ChangeEvent;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A snapshot and the stream that goes with it show every row once. */
class SnapshotIT {
    private static final TableId T = Capture.table("t");

    @ParameterizedTest
    @EnumSource(Version.class)
    void rowsCommittedAroundTheSnapshotComeExactlyOnce(Version version) throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(version), "shop.t", "CREATE TABLE t (id int PRIMARY KEY, writer text)")) {
            AtomicBoolean writing = new AtomicBoolean(true);
            List<Thread> writers = List.of(writer(capture, writing, "a", 1), writer(capture, writing, "b", 2));
            writers.forEach(Thread::start);
            SourcePosition from = capture.source.createChannel();

            Recorder read = new Recorder();
            CaptureRun snapshot = capture.source.snapshot(Set.of(T), "temp_" + capture.database, read);
            snapshot.start();
            snapshot.ended().get(60, TimeUnit.SECONDS);
            SnapshotPoint point = snapshot.snapshotPoint().orElseThrow();
            Recorder streamed = capture.stream(from, Map.of(T, SnapshotPoint.parse(point.text())));
            await().atMost(Duration.ofSeconds(30)).until(() -> streamed.events().size() > 50);
            writing.set(false);
            for (Thread writer : writers) {
                writer.join();
            }
            capture.settle();

            List<Integer> ids = new ArrayList<>();
            read.events().forEach(event -> ids.add((Integer) Recorder.value(event, "id")));
            streamed.events().forEach(event -> ids.add((Integer) Recorder.value(event, "id")));
            List<Integer> expected =
                    capture.server.query(capture.database, "SELECT id FROM shop.t ORDER BY id").stream()
                            .map(Integer::valueOf)
                            .toList();
            assertThat(read.events()).as("rows in the snapshot").isNotEmpty();
            assertThat(ids.stream().sorted().toList()).isEqualTo(expected);
        }
    }

    /** Commits small transactions as fast as it can; every other one stays open for a while. */
    private static Thread writer(Capture capture, AtomicBoolean writing, String name, int start) {
        return new Thread(
                () -> {
                    try (Connection connection = capture.server.connect(capture.database);
                            Statement statement = connection.createStatement()) {
                        connection.setAutoCommit(false);
                        for (int id = start; writing.get(); id += 2) {
                            statement.execute("INSERT INTO shop.t VALUES (" + id + ", '" + name + "')");
                            if (id % 5 == 0) {
                                statement.execute("SELECT pg_sleep(0.02)");
                            }
                            connection.commit();
                        }
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                },
                "writer-" + name);
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void everyTableIsReadAlsoEmptyAndPartitionedOnes(Version version) throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(version),
                "shop.*",
                "CREATE TABLE empty (id int PRIMARY KEY)",
                "CREATE TABLE p (id int PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (10) TO (20)",
                "CREATE TABLE parent (id int PRIMARY KEY)",
                "CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent)",
                "INSERT INTO p VALUES (1), (11)",
                "INSERT INTO parent VALUES (100)",
                "INSERT INTO child VALUES (200)")) {
            Recorder streamed = capture.begin();
            Set<TableId> tables =
                    Set.of(Capture.table("empty"), Capture.table("p"), Capture.table("parent"), Capture.table("child"));

            Recorder read = capture.snapshot(tables);

            assertThat(read.events().stream().map(e -> e.table().table() + Recorder.idOf(e)))
                    .containsExactly("childr200", "pr1", "pr11", "parentr100");
            assertThat(read.entries().stream()
                            .filter(Recorder.Entry.TableEnd.class::isInstance)
                            .map(e -> ((Recorder.Entry.TableEnd) e).table().table()))
                    .containsExactly("child", "empty", "p", "parent");
            capture.execute("INSERT INTO p VALUES (2), (12)", "INSERT INTO child VALUES (201)");
            capture.settle();
            assertThat(streamed.events().stream().map(e -> e.table().table() + Recorder.idOf(e)))
                    .as("the stream names the same tables")
                    .containsExactly("pc2", "pc12", "childc201");
        }
    }

    @Test
    void rowsOfASnapshotCarryItsPointAndNoTransaction() throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(Version.V18),
                "shop.t",
                "CREATE TABLE t (id int PRIMARY KEY)",
                "INSERT INTO t SELECT generate_series(1, 1000)")) {
            Recorder read = new Recorder();
            CaptureRun run = capture.source.snapshot(Set.of(T), "temp_" + capture.database, read);
            assertThat(run.snapshotPoint()).isEmpty();
            run.start();
            run.ended().get(30, TimeUnit.SECONDS);

            assertThat(read.events().stream().map(Recorder::idOf))
                    .isEqualTo(IntStream.rangeClosed(1, 1000)
                            .mapToObj(i -> "r" + i)
                            .toList());
            ChangeEvent first = read.events().get(0);
            assertThat(first.origin().transaction()).isEmpty();
            assertThat(first.origin().position())
                    .isEqualTo(run.snapshotPoint().orElseThrow().position().text());
            assertThat(capture.server.query(
                            capture.database,
                            "SELECT slot_name FROM pg_replication_slots WHERE slot_name LIKE 'temp_" + capture.database
                                    + "'"))
                    .as("slots left behind")
                    .isEmpty();
        }
    }

    @Test
    void snapshotThatWaitsForARunningTransactionCanBeStopped() throws Exception {
        try (Capture capture =
                        new Capture(TestPostgres.shared(Version.V18), "shop.t", "CREATE TABLE t (id int PRIMARY KEY)");
                Connection open = capture.server.connect(capture.database);
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("INSERT INTO shop.t VALUES (1)");
            CaptureRun run = capture.source.snapshot(Set.of(T), "temp_" + capture.database, new Recorder());
            run.start();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !capture.server
                            .query(
                                    capture.database,
                                    "SELECT 1 FROM pg_replication_slots WHERE slot_name = 'temp_" + capture.database
                                            + "'")
                            .isEmpty());

            run.stop(Duration.ofSeconds(10));

            run.ended().get(1, TimeUnit.SECONDS);
            open.rollback();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> capture.server
                            .query(
                                    capture.database,
                                    "SELECT 1 FROM pg_replication_slots WHERE slot_name = 'temp_" + capture.database
                                            + "'")
                            .isEmpty());
        }
    }

    @Test
    void tableRewrittenWhileTheSnapshotBeginsIsNotReadAsEmpty() throws Exception {
        try (Capture capture = new Capture(
                        TestPostgres.shared(Version.V18),
                        "shop.t,shop.u",
                        "CREATE TABLE t (id int PRIMARY KEY)",
                        "CREATE TABLE u (id int PRIMARY KEY)",
                        "INSERT INTO t VALUES (1)");
                Connection open = capture.server.connect(capture.database);
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("INSERT INTO shop.u VALUES (1)");
            CaptureRun run = capture.source.snapshot(Set.of(T), "temp_" + capture.database, new Recorder());
            run.start();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !capture.server
                            .query(
                                    capture.database,
                                    "SELECT 1 FROM pg_replication_slots WHERE slot_name = 'temp_" + capture.database
                                            + "'")
                            .isEmpty());

            statement.execute("ALTER TABLE shop.t ALTER id TYPE bigint");
            open.commit();

            assertThatThrownBy(() -> run.ended().get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SourceUnavailableException.class)
                    .hasMessageContaining("rewritten");
        }
    }
}

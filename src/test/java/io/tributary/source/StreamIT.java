package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tributary.event.ChangeEvent;
import io.tributary.event.RowImage;
import io.tributary.event.SourcePosition;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What arrives when rows change. */
class StreamIT {

    @ParameterizedTest
    @EnumSource(Version.class)
    void everyKindOfChangeArrivesInOrder(Version version) throws Exception {
        try (Capture capture =
                new Capture(TestPostgres.shared(version), "shop.t", "CREATE TABLE t (id int PRIMARY KEY, v text)")) {
            Recorder recorder = capture.begin();

            capture.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
            capture.execute("UPDATE t SET v = 'c' WHERE id = 1");
            capture.execute("UPDATE t SET id = 3 WHERE id = 2");
            capture.execute("DELETE FROM t WHERE id = 1");
            capture.execute("TRUNCATE t");

            assertThat(capture.settle()).containsExactly("c1", "c2", "u1", "d2", "c3", "d1", "t");
            assertThat(recorder.ends()).isNotEmpty();
        }
    }

    @Test
    void fullIdentityBringsTheRowBeforeTheChange() throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(Version.V18),
                "shop.t",
                "CREATE TABLE t (id int PRIMARY KEY, v text)",
                "ALTER TABLE t REPLICA IDENTITY FULL")) {
            Recorder recorder = capture.begin();
            capture.execute("INSERT INTO t VALUES (1, 'a')", "UPDATE t SET v = 'b'", "DELETE FROM t");

            assertThat(capture.settle()).containsExactly("c1", "u1", "d1");
            RowImage before =
                    ((ChangeEvent.Updated) recorder.events().get(1)).before().orElseThrow();
            assertThat(before.extent()).isEqualTo(RowImage.Extent.FULL);
            assertThat(before.value(1)).isEqualTo("a");
            RowImage deleted = Recorder.image(recorder.events().get(2));
            assertThat(deleted.extent()).isEqualTo(RowImage.Extent.FULL);
            assertThat(deleted.value(1)).isEqualTo("b");
        }
    }

    @Test
    void deleteByKeyHoldsTheKeyOnly() throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(Version.V14),
                "shop.t",
                "CREATE TABLE t (a int, id int, v text NOT NULL DEFAULT 'x', PRIMARY KEY (id, a))")) {
            Recorder recorder = capture.begin();
            capture.execute("INSERT INTO t VALUES (1, 2)", "DELETE FROM t");

            assertThat(capture.settle()).containsExactly("c2", "d2");
            RowImage deleted = Recorder.image(recorder.events().get(1));
            assertThat(deleted.extent()).isEqualTo(RowImage.Extent.KEY);
            assertThat(deleted.value(0)).isEqualTo(1);
            assertThat(deleted.value(2)).isNull();
        }
    }

    /** The key is what identifies a row in the stream, which need not be the primary key. */
    @ParameterizedTest
    @EnumSource(Version.class)
    void changedIdentityIndexIsAChangedKey(Version version) throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(version),
                "shop.t",
                "CREATE TABLE t (id int PRIMARY KEY, code text NOT NULL)",
                "CREATE UNIQUE INDEX t_code ON t (code)",
                "ALTER TABLE t REPLICA IDENTITY USING INDEX t_code")) {
            Recorder recorder = capture.begin();
            capture.execute(
                    "INSERT INTO t VALUES (1, 'a')", "UPDATE t SET code = 'b'", "UPDATE t SET id = 2", "DELETE FROM t");

            assertThat(capture.settle()).containsExactly("c1", "dnull", "c1", "u2", "dnull");
            assertThat(recorder.events().stream().map(event -> Recorder.value(event, "code")))
                    .containsExactly("a", "a", "b", "b", "b");
        }
    }

    @Test
    void tablesThatAreNotConfiguredStayOut() throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(Version.V18),
                "shop.orders",
                "CREATE TABLE orders (id int PRIMARY KEY)",
                "CREATE TABLE \"Orders\" (id int PRIMARY KEY)",
                "CREATE PUBLICATION tributary_shop FOR ALL TABLES")) {
            capture.begin();
            capture.execute("INSERT INTO \"Orders\" VALUES (1)", "INSERT INTO orders VALUES (2)");

            assertThat(capture.settle()).containsExactly("c2");
        }
    }

    @Test
    void truncateOfSeveralTablesIsOneEventEach() throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(Version.V18),
                "shop.a,shop.b",
                "CREATE TABLE a (id int PRIMARY KEY)",
                "CREATE TABLE b (id int REFERENCES a PRIMARY KEY)")) {
            Recorder recorder = capture.begin();
            capture.execute("INSERT INTO a VALUES (1)", "TRUNCATE a CASCADE");
            capture.settle();

            assertThat(recorder.events().stream()
                            .map(e -> e.operation().code() + e.table().table()))
                    .containsExactlyInAnyOrder("ca", "ta", "tb");
        }
    }

    /** 200 MB in values of 1 MB, while nothing is taken from the queue for a while. */
    @Test
    void queueIsBoundedByTheSizeOfValues() throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(Version.V18), "shop.t", "CREATE TABLE t (id int PRIMARY KEY, v text)")) {
            SourcePosition from = capture.source.createChannel();
            capture.execute("INSERT INTO t SELECT i, repeat(md5(i::text), 32768) FROM generate_series(1, 200) i");
            CountDownLatch taken = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            AtomicInteger events = new AtomicInteger();
            CaptureRun run = capture.source.stream(from, Map.of(), new CaptureListener() {
                @Override
                public void event(ChangeEvent event) throws InterruptedException {
                    events.incrementAndGet();
                    taken.countDown();
                    go.await();
                }

                @Override
                public void transactionEnd(SourcePosition safe) {}
            });
            run.start();
            taken.await();

            ObjectName queue = new ObjectName("debezium.postgres:type=connector-metrics,context=streaming,server=shop");
            var beans = ManagementFactory.getPlatformMBeanServer();
            try {
                await().during(Duration.ofSeconds(2))
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> {
                            long bytes = (Long) beans.getAttribute(queue, "CurrentQueueSizeInBytes");
                            return bytes > 14L << 20 && bytes < 24L << 20;
                        });
            } finally {
                go.countDown();
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> events.get() == 200);
            run.stop(Duration.ofSeconds(20));
        }
    }
}

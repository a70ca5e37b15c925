package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tributary.event.SourcePosition;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The slot moves with what is acknowledged, never ahead of it. */
class AcknowledgeIT {
    private static final String TABLE = "CREATE TABLE t (id int PRIMARY KEY)";

    @ParameterizedTest
    @EnumSource(Version.class)
    void slotFollowsTheAcknowledgementAndStaysThere(Version version) throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(version), "shop.t", TABLE)) {
            Recorder recorder = capture.begin();
            capture.execute("INSERT INTO t VALUES (1)");
            capture.settle();
            SourcePosition.Wal first = recorder.ends().get(recorder.ends().size() - 1);
            assertThat(capture.confirmedFlush())
                    .as("before anything is acknowledged")
                    .isEqualTo(capture.position.lsn());

            recorder.acknowledge(first);
            await().atMost(Duration.ofSeconds(20)).until(() -> capture.confirmedFlush() == first.lsn());
            capture.execute("INSERT INTO t VALUES (2)");
            capture.settle();
            capture.settle();
            assertThat(capture.confirmedFlush()).as("while more is delivered").isEqualTo(first.lsn());

            SourcePosition.Wal second = recorder.ends().get(recorder.ends().size() - 1);
            recorder.acknowledge(second);
            await().atMost(Duration.ofSeconds(20)).until(() -> capture.confirmedFlush() == second.lsn());
            capture.stop();
            assertThat(capture.confirmedFlush()).isEqualTo(second.lsn());

            capture.execute("INSERT INTO t VALUES (3)");
            capture.stream(second, Map.of());
            assertThat(capture.settle()).containsExactly("c3");
        }
    }

    @Test
    void positionBehindTheSlotIsAGap() throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE)) {
            Recorder recorder = capture.begin();
            capture.execute("INSERT INTO t VALUES (1)");
            capture.settle();
            SourcePosition.Wal end = recorder.ends().get(recorder.ends().size() - 1);
            recorder.acknowledge(end);
            await().atMost(Duration.ofSeconds(20)).until(() -> capture.confirmedFlush() == end.lsn());
            capture.stop();

            capture.stream(capture.position, Map.of());

            assertThatThrownBy(() -> capture.run().ended().get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SourceGapException.class)
                    .hasMessageContaining("acknowledged past the stored position")
                    .hasMessageContaining("stored position " + capture.position.text())
                    .hasMessageContaining("available position " + end.text());
        }
    }

    @Test
    void droppedSlotIsAGapAndIsNotMadeAnew() throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE)) {
            SourcePosition from = capture.source.createChannel();
            capture.source.dropChannel();

            capture.stream(from, Map.of());

            assertThatThrownBy(() -> capture.run().ended().get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SourceGapException.class)
                    .hasMessageContaining("does not exist");
            assertThat(capture.source.channel()).isEqualTo(new ChannelState.Absent());
        }
    }

    @Test
    void secondRunOnTheSlotIsRefusedWithThePidOfTheFirst() throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE)) {
            capture.begin();
            capture.settle();

            CaptureRun second = capture.source.stream(capture.position, Map.of(), new Recorder());
            second.start();

            int pid = ((ChannelState.Present) capture.source.channel())
                    .activePid()
                    .orElseThrow();
            assertThatThrownBy(() -> second.ended().get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SourceUnavailableException.class)
                    .hasMessageContaining("pid " + pid);
            capture.settle();
        }
    }

    @Test
    void takeOverEndsTheReaderAndItsRunFailsOnce() throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE)) {
            Recorder recorder = capture.begin();
            capture.execute("INSERT INTO t VALUES (1)");
            capture.settle();

            capture.source.takeOver();

            assertThatThrownBy(() -> capture.run().ended().get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SourceUnavailableException.class);
            capture.execute("INSERT INTO t VALUES (2)");
            assertThat(recorder.events().stream().map(Recorder::idOf))
                    .as("the run that broke delivers nothing more")
                    .containsExactly("c1");
            capture.stream(capture.position, Map.of());
            assertThat(capture.settle()).containsExactly("c1", "c2");
        }
    }

    @Test
    void restartOfTheServerEndsTheRunAsUnavailable() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                Capture capture = new Capture(server, "shop.t", TABLE)) {
            capture.begin();
            capture.execute("INSERT INTO t VALUES (1)");
            capture.settle();

            server.stop();
            assertThatThrownBy(() -> capture.run().ended().get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(SourceUnavailableException.class);
            assertThatThrownBy(capture.source::status).isInstanceOf(SourceUnavailableException.class);
            server.startAgain();

            capture.stream(capture.position, Map.of());
            assertThat(capture.settle()).containsExactly("c1");
            assertThat(capture.source.status().channel()).isInstanceOf(ChannelState.Present.class);
        }
    }

    @Test
    void stoppedRunLeavesNoThread() throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE)) {
            java.util.Set<Thread> before = Thread.getAllStackTraces().keySet();
            capture.begin();
            capture.settle();
            capture.stop();

            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                            .filteredOn(thread -> !before.contains(thread))
                            .extracting(Thread::getName)
                            .filteredOn(name -> !name.startsWith("awaitility"))
                            .isEmpty());
            assertThat(Capture.engineThreads()).isEmpty();
        }
    }

    @Test
    void runThatIsStoppedAtAnyMomentEnds() throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE)) {
            capture.begin();
            capture.settle();
            capture.stop();
            for (int millis = 0; millis < 2_000; millis += 250) {
                capture.stream(capture.position, Map.of());
                long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
                await().pollInterval(Duration.ofMillis(10)).until(() -> System.nanoTime() > until);
                capture.stop();
            }
        }
    }

    @Test
    void failingListenerEndsTheRunWithItsOwnException() throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE)) {
            SourcePosition from = capture.source.createChannel();
            IllegalStateException thrown = new IllegalStateException("the disk is full");
            CaptureRun run = capture.source.stream(from, Map.of(), new CaptureListener() {
                @Override
                public void event(io.tributary.event.ChangeEvent event) {
                    throw thrown;
                }

                @Override
                public void transactionEnd(SourcePosition safe) {}
            });
            run.start();
            capture.execute("INSERT INTO t VALUES (1)");

            assertThatThrownBy(() -> run.ended().get(30, TimeUnit.SECONDS)).hasCause(thrown);
            assertThat(capture.confirmedFlush()).isEqualTo(((SourcePosition.Wal) from).lsn());
        }
    }
}

package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.testing.TestPostgres;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One database and the source that captures it. */
final class Capture implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(30);

    final TestPostgres server;
    final String database;
    final TestConfig config;
    final Source source;
    SourcePosition.Wal position = new SourcePosition.Wal(0, 0, 0);
    private Recorder recorder = new Recorder();
    private CaptureRun run = new NoRun();

    Capture(TestPostgres server, String tables, String... ddl) {
        this.server = server;
        this.database = server.createDatabase();
        server.execute(database, "CREATE SCHEMA shop");
        execute(ddl);
        this.config = TestConfig.of(server, database, tables.split(",", -1));
        this.source = Sources.open(config, "writer-1", Clock.systemUTC());
    }

    /** Makes the channel and streams from it. */
    Recorder begin() {
        position = (SourcePosition.Wal) source.createChannel();
        return stream(position, Map.of());
    }

    Recorder stream(SourcePosition from, Map<TableId, SnapshotPoint> points) {
        Recorder started = new Recorder();
        recorder = started;
        run = source.stream(from, points, started);
        run.start();
        return started;
    }

    /** Streams with an offset of the test's own making, as the engine would take it from any store. */
    Recorder streamFromOffset(String offset) {
        ConnectionSettings settings = new ConnectionSettings(
                "localhost",
                server.port(),
                database,
                server.user(),
                Password.of(Optional.of(server.password())),
                "test",
                Map.of());
        String slot = config.slot.orElseThrow();
        Failures failures = new Failures(settings, slot);
        Database session = new Database(settings, failures);
        Channel channel = new Channel(session, settings, failures, slot, "tributary_shop");
        Set<TableId> tables = TablePattern.select(
                config.tables.orElseThrow().stream().map(TablePattern::parse).toList(), new Catalog(session).tables());
        Properties properties =
                new EngineProperties("shop", settings, slot, "tributary_shop", Map.of()).streaming(position, tables);
        properties.setProperty(HeldOffset.START, offset);
        Recorder started = new Recorder();
        recorder = started;
        run = new EngineRun(
                channel,
                new Continuity(
                        new Server(session, settings, failures),
                        channel,
                        new WalHistory(settings, channel, failures),
                        settings),
                failures,
                properties,
                position,
                () -> new StreamDecoder(
                        new RowLayouts(new Catalog(session)), tables, Map.of(), position, started, Clock.systemUTC()),
                started);
        run.start();
        return started;
    }

    CaptureRun run() {
        return run;
    }

    /** Waits until something that is written now was delivered, with everything before it closed. */
    List<String> settle() {
        SourcePosition.Wal end = mark();
        await().atMost(BOUND).until(() -> failed() || recorder.ends().stream().anyMatch(e -> e.lsn() >= end.lsn()));
        assertThat(run.ended()).as("the run goes on").isNotDone();
        return recorder.events().stream().map(Recorder::idOf).toList();
    }

    private boolean failed() {
        return run.ended().isDone();
    }

    /** Writes a message and answers with the end of the WAL then. */
    SourcePosition.Wal mark() {
        long before = currentLsn();
        source.emitIdleMessage();
        return new SourcePosition.Wal(before, 0, 0);
    }

    long currentLsn() {
        return Lsn.parse(server.query(database, "SELECT pg_current_wal_lsn()").get(0));
    }

    void stop() throws Exception {
        run.stop(BOUND);
        run.ended().get(1, TimeUnit.SECONDS);
    }

    Recorder snapshot(Set<TableId> tables) throws Exception {
        Recorder read = new Recorder();
        CaptureRun snapshot = source.snapshot(tables, "temp_" + database, read);
        snapshot.start();
        snapshot.ended().get(60, TimeUnit.SECONDS);
        return read;
    }

    void execute(String... sql) {
        for (String statement : sql) {
            server.execute(database, "SET search_path = shop, public; " + statement);
        }
    }

    static TableId table(String name) {
        return new TableId("shop", name);
    }

    long confirmedFlush() {
        return ((ChannelState.Present) source.channel()).confirmedFlush();
    }

    /** Threads of an engine that are alive. */
    static Set<String> engineThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("capture-") || name.startsWith("debezium-"))
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        run.stop(BOUND);
        source.dropChannel();
        source.close();
    }

    /** Before the first run. */
    private static final class NoRun implements CaptureRun {
        @Override
        public void start() {}

        @Override
        public java.util.concurrent.CompletableFuture<Void> ended() {
            return java.util.concurrent.CompletableFuture.completedFuture(null);
        }

        @Override
        public void stop(Duration bound) {}
    }
}

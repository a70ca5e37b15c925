package io.tributary.source;

import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourceIdentity;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** A PostgreSQL database. */
final class PostgresSource implements Source {
    private static final Duration TAKE_OVER = Duration.ofSeconds(30);

    private final String name;
    private final ConnectionSettings settings;
    private final List<TablePattern> patterns;
    private final List<TablePattern> insertOnly;
    private final Clock clock;
    private final Failures failures;
    private final Database database;
    private final Server server;
    private final Channel channel;
    private final Continuity continuity;
    private final EngineProperties engineProperties;

    PostgresSource(
            String name,
            ConnectionSettings settings,
            List<TablePattern> patterns,
            List<TablePattern> insertOnly,
            String slot,
            String publication,
            Map<String, String> passThrough,
            Clock clock) {
        this.name = name;
        this.settings = settings;
        this.patterns = List.copyOf(patterns);
        this.insertOnly = List.copyOf(insertOnly);
        this.clock = clock;
        this.failures = new Failures(settings, slot);
        this.database = new Database(settings, failures);
        this.server = new Server(database, settings, failures);
        this.channel = new Channel(database, settings, failures, slot, publication);
        this.continuity = new Continuity(server, channel, new WalHistory(settings, channel, failures), settings);
        this.engineProperties = new EngineProperties(name, settings, slot, publication, passThrough);
    }

    @Override
    public SourceReport inspect() {
        return new Preflight(server, channel, settings, new Catalog(database), patterns, insertOnly).report();
    }

    @Override
    public SourceIdentity identity() {
        return server.identity(channel.slot());
    }

    @Override
    public void requireSame(SourceIdentity stored) {
        continuity.requireSame(stored);
    }

    @Override
    public SourceIdentity requireContinues(SourceIdentity stored, SourcePosition position) {
        return continuity.require(stored, (SourcePosition.Wal) position);
    }

    @Override
    public ChannelState channel() {
        return channel.state();
    }

    @Override
    public void ensurePublication() {
        channel.ensurePublication(tables());
    }

    @Override
    public Map<TableId, String> relations() {
        return channel.relations(tables());
    }

    @Override
    public SortedSet<TableId> unidentified() {
        SortedSet<TableId> unidentified = new Catalog(database).unidentified(tables());
        unidentified.removeIf(table -> insertOnly.stream().anyMatch(pattern -> pattern.matches(table)));
        return unidentified;
    }

    @Override
    public SourcePosition createChannel() {
        // a slot that is older than its publication can never be read
        ensurePublication();
        return channel.createSlot();
    }

    @Override
    public SourcePosition renewChannel() {
        channel.dropSlot();
        return createChannel();
    }

    @Override
    public Optional<String> dropChannel() {
        channel.dropSlot();
        return channel.dropPublication();
    }

    private SortedSet<TableId> tables() {
        return TablePattern.select(patterns, new Catalog(database).tables());
    }

    @Override
    public CaptureRun stream(SourcePosition from, Map<TableId, SnapshotPoint> snapshots, CaptureListener listener) {
        SourcePosition.Wal position = (SourcePosition.Wal) from;
        Set<TableId> tables = tables();
        Map<TableId, SnapshotPoint> points = Map.copyOf(snapshots);
        return new EngineRun(
                channel,
                continuity,
                failures,
                engineProperties.streaming(position, tables),
                position,
                () -> new StreamDecoder(
                        new RowLayouts(new Catalog(database)), tables, points, position, listener, clock),
                listener);
    }

    @Override
    public CaptureRun snapshot(Set<TableId> tables, String temporarySlot, CaptureListener listener) {
        if (tables.isEmpty()) {
            throw new IllegalArgumentException("a snapshot of no table");
        }
        return new SnapshotRun(settings, failures, database, new TreeSet<>(tables), temporarySlot, listener, clock);
    }

    @Override
    public SourceStatus status() {
        Server.Moment now = server.now();
        return new SourceStatus(now.lsn(), now.time(), channel.state());
    }

    @Override
    public boolean otherInstancePresent() {
        return database.one(
                "looking for other instances",
                "SELECT EXISTS (SELECT FROM pg_catalog.pg_stat_activity WHERE datname = pg_catalog.current_database()"
                        + " AND pg_catalog.left(application_name, ?) = ? AND application_name <> ?)",
                row -> row.getBoolean(1),
                Sources.applicationPrefix(name).length(),
                Sources.applicationPrefix(name),
                settings.application());
    }

    @Override
    public void takeOver() {
        channel.terminateReader();
        channel.awaitFree(TAKE_OVER);
    }

    @Override
    public void emitIdleMessage() {
        database.execute(
                "writing the idle message", "SELECT pg_catalog.pg_logical_emit_message(true, 'tributary', '')");
    }

    @Override
    public void close() {
        database.close();
    }
}

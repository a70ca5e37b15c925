package io.tributary.source;

import io.tributary.event.EventOrigin;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all rows of some tables in the view that a temporary replication slot exports. The slot lives as long as its
 * connection and never longer, so that nothing is left behind however the process ends.
 *
 * <p>The rows come by COPY rather than through a second Debezium engine: that one's slot can't be temporary, its view of
 * an existing slot is not consistent, and values would pass through the driver's types, which the stream's don't.
 */
final class SnapshotRun implements CaptureRun {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotRun.class);

    private final ConnectionSettings settings;
    private final Failures failures;
    private final Database database;
    private final SortedSet<TableId> tables;
    private final String temporarySlot;
    private final CaptureListener listener;
    private final Clock clock;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Thread thread;

    private volatile @Nullable Connection current;
    private volatile Supplier<Optional<SessionWatch.Awaited>> awaited = Optional::empty;
    private volatile @Nullable SnapshotPoint point;

    SnapshotRun(
            ConnectionSettings settings,
            Failures failures,
            Database database,
            SortedSet<TableId> tables,
            String temporarySlot,
            CaptureListener listener,
            Clock clock) {
        this.settings = settings;
        this.failures = failures;
        this.database = database;
        this.tables = tables;
        this.temporarySlot = temporarySlot;
        this.listener = listener;
        this.clock = clock;
        this.thread = new Thread(this::run, "snapshot-" + temporarySlot);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    @Override
    public Optional<SnapshotPoint> snapshotPoint() {
        return Optional.ofNullable(point);
    }

    private void run() {
        try (Connection reader = settings.open(Duration.ZERO);
                SessionWatch watch = new SessionWatch(database, () -> awaited.get())) {
            watch.start();
            reader.setAutoCommit(false);
            List<String> files = files();
            begin(reader);
            lock(reader, files);
            readAll(reader);
            ended.complete(null);
        } catch (SQLException e) {
            finish(failures.of("reading the snapshot of " + tables, e));
        } catch (Throwable e) {
            // whatever it is, the run has ended with it
            finish(e);
        }
    }

    /** From now on, this session's answers are waited for. */
    private void await(Connection session) {
        current = session;
        Optional<SessionWatch.Awaited> answer = Optional.of(new SessionWatch.Awaited(session, 0));
        awaited = () -> answer;
    }

    private void finish(Throwable e) {
        if (stopping.get()) {
            LOG.debug("snapshot of {}: ended while it was being stopped", tables, e);
            ended.complete(null);
        } else {
            ended.completeExceptionally(e);
        }
    }

    /** Opens the reader's transaction on the exported view; the slot is gone when this returns. */
    private void begin(Connection reader) throws SQLException {
        // waits for every transaction that is running now: there is no consistent point before they end
        try (Connection exporter = settings.openReplication(Duration.ZERO)) {
            await(exporter);
            requireRunning();
            try (Statement create = exporter.createStatement();
                    ResultSet slot = create.executeQuery("CREATE_REPLICATION_SLOT " + Identifier.quoted(temporarySlot)
                            + " TEMPORARY LOGICAL pgoutput EXPORT_SNAPSHOT");
                    Statement statement = reader.createStatement()) {
                await(reader);
                slot.next();
                String consistentPoint = slot.getString("consistent_point");
                String view = slot.getString("snapshot_name");
                statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
                statement.execute("SET TRANSACTION SNAPSHOT " + Identifier.literal(view));
                // the texts that the decoders read; and rows that a policy hides must be an error, not missing
                statement.execute("SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres';"
                        + " SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 3; SET LOCAL timezone = 'UTC';"
                        + " SET LOCAL row_security = off; SET LOCAL statement_timeout = 0;"
                        + " SET LOCAL idle_in_transaction_session_timeout = 0");
                try (ResultSet row = statement.executeQuery("SELECT pg_catalog.txid_current_snapshot()::text")) {
                    row.next();
                    point = new SnapshotPoint(
                            new SourcePosition.Wal(Lsn.parse(consistentPoint), 0, 0), row.getString(1));
                }
            }
        }
    }

    private void readAll(Connection reader) throws SQLException, InterruptedException {
        TableCopy copy = new TableCopy(reader, new Catalog(database), origin(reader));
        awaited = copy::awaited;
        for (TableId table : tables) {
            requireRunning();
            copy.read(table, listener);
            listener.tableRead(table);
        }
    }

    private EventOrigin origin(Connection reader) throws SQLException {
        try (Statement statement = reader.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT (extract(epoch FROM pg_catalog.transaction_timestamp()) * 1000000)::bigint")) {
            row.next();
            long micros = TimeUnit.MILLISECONDS.toMicros(clock.millis());
            String position = snapshotPoint().orElseThrow().position().text();
            return new EventOrigin(Optional.empty(), position, row.getLong(1), micros);
        }
    }

    /**
     * Locks the tables against being rewritten, and makes sure that none was since the view exists: to an older view a
     * rewritten table looks empty. Locking before would let an ALTER TABLE and the slot wait for each other for ever.
     */
    private void lock(Connection reader, List<String> filesBefore) throws SQLException {
        String names = tables.stream().map(Identifier::quoted).collect(Collectors.joining(", "));
        try (Statement statement = reader.createStatement()) {
            statement.execute("LOCK TABLE " + names + " IN ACCESS SHARE MODE");
        }
        awaited = Optional::empty;
        if (!files().equals(filesBefore)) {
            throw new SourceUnavailableException("a table of " + tables
                    + " was rewritten or truncated while its snapshot began; the snapshot has to be taken again");
        }
    }

    /** The files that hold each table, partitions included; a rewrite changes them. */
    private List<String> files() {
        return tables.stream()
                .map(table -> database.one(
                        "reading the files of " + table,
                        "SELECT pg_catalog.string_agg(pg_catalog.pg_relation_filenode(r.id)::text, ',' ORDER BY r.id)"
                                + " FROM (SELECT ?::regclass AS id UNION "
                                + database.version().partitions("?") + ") AS r",
                        row -> String.valueOf(row.getString(1)),
                        Identifier.quoted(table),
                        Identifier.quoted(table)))
                .toList();
    }

    private void requireRunning() throws SQLException {
        if (stopping.get()) {
            throw new SQLException("the snapshot was stopped");
        }
    }

    @Override
    public void stop(Duration bound) {
        stopping.set(true);
        if (thread.getState() == Thread.State.NEW) {
            ended.complete(null);
            return;
        }
        Connection open = current;
        try {
            if (open != null) {
                open.abort(Runnable::run);
            }
            ended.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("snapshot of {}: did not stop within {}; interrupting it", tables, bound);
            thread.interrupt();
        } catch (ExecutionException | SQLException e) {
            LOG.debug("snapshot of {}: stopped", tables, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.tributary.crash;

import static java.util.Objects.requireNonNull;

import io.tributary.testing.Scenario;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.postgresql.PGConnection;

/** The transactions of one session, each chosen and filled by the session's own random numbers. */
final class LoadTransactions {
    private static final String NEW_REVISION = "rev = nextval('shop.rev')";
    private static final int KEPT_IN_BULK = 4_000;

    private final Scenario scenario;
    private final int session;
    private final Random random;
    private final ShapeChanges shapes;
    private final NavigableMap<Integer, Kind> kinds = new TreeMap<>();
    private int weights;
    private int prepared;
    private volatile boolean truncate;

    /** A kind of transaction; autocommit is on before and after it. */
    @FunctionalInterface
    private interface Kind {
        void run(Connection connection, Statement statement) throws SQLException;
    }

    LoadTransactions(Scenario scenario, int session, Random random) {
        this.scenario = scenario;
        this.session = session;
        this.random = random;
        this.shapes = new ShapeChanges(random);
        add(20, (connection, statement) -> account(statement));
        add(10, this::transfer);
        add(5, this::copy);
        add(2, this::large);
        add(3, (connection, statement) -> prune(statement));
        add(8, (connection, statement) -> document(statement));
        add(8, (connection, statement) -> ledger(statement));
        add(6, (connection, statement) -> shape(statement));
        add(5, this::savepoints);
        add(5, this::interleaved);
        add(3, this::twoPhases);
        add(4, (connection, statement) -> message(statement));
        add(4, (connection, statement) -> statement.execute("insert into private_note(v) values ('not captured')"));
        add(6, (connection, statement) -> late(statement));
        if (session == 0) {
            // only one session, so that no two of them alter the table at once
            add(6, shapes::alter);
        }
    }

    private void add(int weight, Kind kind) {
        kinds.put(weights, kind);
        weights += weight;
    }

    void allowTruncate() {
        truncate = true;
    }

    /** Runs one of them. */
    void any(Connection connection) throws SQLException {
        Kind kind = requireNonNull(kinds.floorEntry(random.nextInt(weights))).getValue();
        try (Statement statement = connection.createStatement()) {
            kind.run(connection, statement);
        }
    }

    private void account(Statement statement) throws SQLException {
        int id = random.nextInt(1, LoadTables.ACCOUNTS);
        switch (random.nextInt(6)) {
            case 0, 1 ->
                statement.execute("insert into account values (" + id + ", 'it''s " + random.nextInt() + "', "
                        + random.nextInt(100_000) + ".05, " + random.nextBoolean() + ")"
                        + " on conflict (id) do update set balance = excluded.balance, " + NEW_REVISION);
            case 2 -> statement.execute("update account set owner = null, " + NEW_REVISION + " where id = " + id);
            case 3 -> statement.execute("delete from account where id = " + id);
            case 4 -> statement.execute("update account set id = -id, " + NEW_REVISION + " where id = " + id);
            default ->
                statement.execute("update account set active = not active, " + NEW_REVISION + " where id % 40 = "
                        + random.nextInt(40));
        }
    }

    /** The sum over both tables stays. */
    private void transfer(Connection connection, Statement statement) throws SQLException {
        connection.setAutoCommit(false);
        moveMoney(statement);
        if (random.nextInt(5) == 0) {
            connection.rollback();
        } else {
            connection.commit();
        }
        connection.setAutoCommit(true);
    }

    private void moveMoney(Statement statement) throws SQLException {
        int amount = random.nextInt(-50, 50);
        statement.execute("update wallet set amount = amount - " + amount + ", " + NEW_REVISION + " where id = "
                + random.nextInt(1, LoadTables.HOLDERS + 1));
        statement.execute("update vault set amount = amount + " + amount + ", " + NEW_REVISION + " where id = "
                + random.nextInt(1, LoadTables.HOLDERS + 1));
    }

    private void copy(Connection connection, Statement statement) throws SQLException {
        long block = block(statement);
        StringBuilder rows = new StringBuilder();
        int count = random.nextInt(20, 120);
        for (int i = 0; i < count; i++) {
            rows.append(block + i).append("\tcopied ").append(random.nextInt()).append('\n');
        }
        connection.setAutoCommit(false);
        try {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("copy bulk(id, payload) from stdin", new StringReader(rows.toString()));
        } catch (IOException e) {
            throw new SQLException(e);
        }
        statement.execute("insert into attachment values (" + block + ", " + block + ")");
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** Larger than a batch. */
    private void large(Connection connection, Statement statement) throws SQLException {
        long block = block(statement);
        connection.setAutoCommit(false);
        statement.execute("insert into bulk select " + block + " + g, 'large ' || g from generate_series(0, "
                + random.nextInt(200, 600) + ") g");
        moveMoney(statement);
        statement.execute("update history set " + NEW_REVISION + " where id between " + random.nextInt(1_000)
                + " * 20 and " + random.nextInt(1_000) + " * 20 and id % 20 = 0");
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void prune(Statement statement) throws SQLException {
        if (truncate && random.nextInt(3) == 0) {
            statement.execute(random.nextBoolean() ? "truncate bulk" : "truncate bulk, attachment");
        } else {
            statement.execute("delete from bulk where id < (select id from bulk order by id desc offset " + KEPT_IN_BULK
                    + " limit 1)");
        }
    }

    private void document(Statement statement) throws SQLException {
        int id = random.nextInt(1, LoadTables.DOCUMENTS + 1);
        String body = "repeat(md5('" + random.nextInt() + "'), " + random.nextInt(1, 250) + ")";
        switch (random.nextInt(6)) {
            case 0 ->
                statement.execute("update document set body = " + body + ", " + NEW_REVISION + " where id = " + id);
            case 1 -> statement.execute("update document set id = -id, " + NEW_REVISION + " where id = " + id);
            case 2 -> statement.execute("delete from document where id = -" + id);
            case 3 ->
                statement.execute("insert into document values (" + id + ", " + body + ", 0) on conflict (id) do update"
                        + " set views = document.views + 1, " + NEW_REVISION);
            default ->
                statement.execute("update document set views = views + 1, " + NEW_REVISION + " where id = " + id);
        }
    }

    private void ledger(Statement statement) throws SQLException {
        switch (random.nextInt(4)) {
            case 0, 1 ->
                statement.execute("insert into ledger(memo) select 'memo ' || g from generate_series(1, "
                        + random.nextInt(1, 5) + ") g");
            case 2 ->
                statement.execute("update ledger set memo = 'again', " + NEW_REVISION
                        + " where entry = (select max(entry) - " + random.nextInt(20) + " from ledger)");
            default ->
                statement.execute("delete from ledger where entry < (select max(entry) - " + random.nextInt(90, 120)
                        + " from ledger)");
        }
    }

    private void shape(Statement statement) throws SQLException {
        statement.execute("update shape set note = 'n" + random.nextInt() + "', " + NEW_REVISION + " where id = "
                + random.nextInt(1, LoadTables.SHAPES + 1));
    }

    private void savepoints(Connection connection, Statement statement) throws SQLException {
        connection.setAutoCommit(false);
        account(statement);
        statement.execute("savepoint one");
        moveMoney(statement);
        statement.execute("savepoint two");
        ledger(statement);
        statement.execute("release savepoint two");
        if (random.nextBoolean()) {
            statement.execute("rollback to savepoint one");
            document(statement);
        }
        statement.execute("savepoint three");
        shape(statement);
        if (random.nextInt(6) == 0) {
            connection.rollback();
        } else {
            connection.commit();
        }
        connection.setAutoCommit(true);
    }

    /** Another session's transaction begins later and commits earlier. */
    private void interleaved(Connection connection, Statement statement) throws SQLException {
        connection.setAutoCommit(false);
        ledger(statement);
        try (Connection other = scenario.connect();
                Statement second = other.createStatement()) {
            second.execute("set lock_timeout = '200ms'");
            other.setAutoCommit(false);
            moveMoney(second);
            statement.execute("insert into ledger(memo) values ('between')");
            second.execute("insert into ledger(memo) values ('first')");
            other.commit();
        }
        statement.execute("insert into ledger(memo) values ('last')");
        connection.commit();
        connection.setAutoCommit(true);
    }

    private void twoPhases(Connection connection, Statement statement) throws SQLException {
        String name = "load_" + session + "_" + ++prepared;
        connection.setAutoCommit(false);
        moveMoney(statement);
        ledger(statement);
        statement.execute("prepare transaction '" + name + "'");
        connection.setAutoCommit(true);
        statement.execute((random.nextInt(4) == 0 ? "rollback" : "commit") + " prepared '" + name + "'");
    }

    private void message(Statement statement) throws SQLException {
        statement.execute("select pg_logical_emit_message(" + random.nextBoolean() + ", 'load', 'a message')");
    }

    private void late(Statement statement) throws SQLException {
        String table = "late" + random.nextInt(1, LoadTables.LATE + 1);
        int id = random.nextInt(1, LoadTables.LATE_ROWS);
        statement.execute("update " + table + " set v = 'n" + random.nextInt() + "', " + NEW_REVISION
                + " where id between " + id + " and " + (id + 5));
    }

    private static long block(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select nextval('block') * 1000")) {
            row.next();
            return row.getLong(1);
        }
    }
}

package io.tributary.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** People at work: every 200 ms one transaction of payments, with now and then a customer who comes, moves or goes. */
final class PaymentsLoad implements AutoCloseable {
    private static final long PACE_MILLIS = 200;

    private final Connection connection;
    private final Random random = new Random(1);
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "demo-load"));

    PaymentsLoad(Connection connection) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
    }

    void start() {
        var unused = thread.scheduleAtFixedRate(this::oneTransaction, 0, PACE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void oneTransaction() {
        try (Statement statement = connection.createStatement()) {
            for (String sql : List.of(pay(), settle(), book(), moveHouse(), forget())) {
                statement.addBatch(sql);
            }
            statement.executeBatch();
            connection.commit();
        } catch (SQLException e) {
            if (!thread.isShutdown()) {
                throw new IllegalStateException("the demo's load failed", e);
            }
        }
    }

    private String pay() {
        return "INSERT INTO bank.payments (account_id, amount, details)"
                + " SELECT 1 + (random() * 499)::int, round((random() * 200)::numeric, 2), '{\"channel\": \"web\"}'"
                + " FROM generate_series(1, " + (1 + random.nextInt(8)) + ")";
    }

    private String settle() {
        return "UPDATE bank.payments SET status = 'settled' WHERE status = 'pending'"
                + " AND paid_at < now() - interval '3 seconds'";
    }

    private String book() {
        return "UPDATE bank.accounts SET balance = balance - 1 WHERE id = " + (1 + random.nextInt(500));
    }

    private String moveHouse() {
        return "UPDATE bank.customers SET email = 'new' || id || '@example.com' WHERE id = "
                + (1 + random.nextInt(2000));
    }

    private String forget() {
        return "DELETE FROM bank.payments WHERE id = " + (1 + random.nextInt(20_000)) + " AND status = 'settled'";
    }

    /** The last transaction is committed when this returns. */
    void stop() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the demo's load doesn't stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws SQLException {
        stop();
        connection.close();
    }
}

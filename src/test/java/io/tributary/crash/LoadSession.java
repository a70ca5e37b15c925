package io.tributary.crash;

import io.tributary.testing.Scenario;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One client of the source, with a thread of its own. A transaction that fails, because of a deadlock, a conflict or a
 * server that is gone, is given up: what counts is what the server says it committed.
 */
final class LoadSession extends Thread {
    private static final int SHORTEST_PAUSE = 80;
    private static final int LONGEST_PAUSE = 600;
    private static final long AFTER_FAILURE = 200;

    private final Scenario scenario;
    private final Gate gate;
    private final Random random;
    private final LoadTransactions transactions;
    private final AtomicLong committed;
    private volatile boolean stopped;
    private @Nullable Connection connection;

    LoadSession(Scenario scenario, Gate gate, int number, Random random, AtomicLong committed) {
        super("load-" + number);
        this.scenario = scenario;
        this.gate = gate;
        this.random = random;
        this.committed = committed;
        this.transactions = new LoadTransactions(scenario, number, random);
    }

    /** Allows what would leave tables empty. */
    void allowTruncate() {
        transactions.allowTruncate();
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                gate.pass(this::work);
                Thread.sleep(random.nextInt(SHORTEST_PAUSE, LONGEST_PAUSE));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException("the load ended early", e);
        } finally {
            disconnect();
        }
    }

    void end() {
        stopped = true;
    }

    private void work() throws InterruptedException {
        try {
            transactions.any(connected());
            committed.incrementAndGet();
        } catch (SQLException e) {
            disconnect();
            Thread.sleep(AFTER_FAILURE);
        }
    }

    private Connection connected() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = scenario.connect();
            connection = current;
            try (Statement statement = current.createStatement()) {
                // a prepared transaction that a crash left behind keeps its locks
                statement.execute("set lock_timeout = '2s'");
            }
        }
        return current;
    }

    private void disconnect() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                // it is gone, which is all that was wanted
                return;
            }
        }
    }
}

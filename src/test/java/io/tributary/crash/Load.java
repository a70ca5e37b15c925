package io.tributary.crash;

import io.tributary.testing.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** All sessions that write to the source. */
final class Load implements AutoCloseable {
    private static final int SESSIONS = 4;

    private final Scenario scenario;
    private final Gate gate = new Gate();
    private final AtomicLong committed = new AtomicLong();
    private final List<LoadSession> sessions = new ArrayList<>();

    Load(Scenario scenario, long seed) {
        this.scenario = scenario;
        for (int number = 0; number < SESSIONS; number++) {
            sessions.add(new LoadSession(scenario, gate, number, new Random(seed + number), committed));
        }
    }

    void start() {
        sessions.forEach(Thread::start);
    }

    /** Holds every session between two transactions, and ends the prepared ones that crashes left. */
    void pause() {
        gate.shut();
        if (!sessions.stream().allMatch(Thread::isAlive)) {
            throw new IllegalStateException("a session of the load has ended early");
        }
        for (String name : scenario.query("select gid from pg_prepared_xacts where database = current_database()")) {
            scenario.sql("rollback prepared '" + name + "'");
        }
    }

    void goOn() {
        gate.open();
    }

    void allowTruncate() {
        sessions.forEach(LoadSession::allowTruncate);
    }

    /** How many transactions ended as they should, rolled back ones among them. */
    long committed() {
        return committed.get();
    }

    @Override
    public void close() {
        sessions.forEach(LoadSession::end);
        try {
            for (LoadSession session : sessions) {
                session.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

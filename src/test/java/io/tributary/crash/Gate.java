package io.tributary.crash;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Lets the sessions of the load work, or holds all of them between two transactions. Safe for many threads. */
final class Gate {
    private final ReadWriteLock lock = new ReentrantReadWriteLock(true);

    /** One piece of work. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    void pass(Work work) throws Exception {
        lock.readLock().lock();
        try {
            work.run();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Waits until nobody works, and lets nobody begin. By the thread that also opens it. */
    void shut() {
        lock.writeLock().lock();
    }

    void open() {
        lock.writeLock().unlock();
    }
}

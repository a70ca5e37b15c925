package io.tributary.testing;

/** A PostgreSQL server that a test starts, breaks and starts again on the same port and data. */
interface PostgresServer {

    /** Starts it, or starts it again, and returns when it takes connections. */
    void start();

    /** Stops it and returns when it is gone. */
    void stop(TestPostgres.Shutdown how);

    /** Removes what it left behind. */
    void remove();
}

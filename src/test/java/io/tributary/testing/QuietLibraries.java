package io.tributary.testing;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Turns the storage libraries down in tests that run without Quarkus: there every logger starts at its finest level, and
 * Parquet looks once, when it is loaded, whether it shall log each value that it writes.
 */
public final class QuietLibraries implements LauncherSessionListener {

    /** Held, because the log manager itself forgets loggers that nobody uses. */
    private final List<Logger> loggers = List.of(
            Logger.getLogger("org.apache.parquet"),
            Logger.getLogger("org.apache.hadoop"),
            Logger.getLogger("io.delta.kernel"));

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        loggers.forEach(logger -> logger.setLevel(Level.SEVERE));
    }
}

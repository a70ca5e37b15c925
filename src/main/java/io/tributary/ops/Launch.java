package io.tributary.ops;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.tributary.ops.config.ConfigCheck;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Starts the application for one command, after the settings have been found right. */
final class Launch {
    private final Console console;

    Launch(Console console) {
        this.console = console;
    }

    /** As {@link #run}, for a command beside a bridge: no endpoint that could meet its own, and only results on stdout. */
    int runBeside(Class<? extends QuarkusApplication> application, String logLevel, String... arguments) {
        System.setProperty("quarkus.http.host-enabled", "false");
        System.setProperty("quarkus.log.console.stderr", "true");
        System.setProperty("quarkus.log.level", logLevel);
        return run(application, arguments);
    }

    /** Runs to the end and returns the exit code. */
    int run(Class<? extends QuarkusApplication> application, String... arguments) {
        List<String> problems = problems();
        if (!problems.isEmpty()) {
            console.refuse(String.join("\n", problems));
            return ExitCode.CONFIGURATION;
        }
        AtomicInteger exit = new AtomicInteger(ExitCode.OTHER);
        Quarkus.run(application, (code, failure) -> exit.set(ended(code, failure)), arguments);
        return exit.get();
    }

    private static List<String> problems() {
        try {
            return ConfigCheck.ofProcess().problems();
        } catch (IOException e) {
            return List.of("config/application.properties can't be read: " + e.getMessage());
        } catch (RuntimeException e) {
            // what the configuration library itself refuses: a location that isn't there, a broken file
            return List.of("the configuration can't be read: " + e.getMessage());
        }
    }

    private int ended(int code, @Nullable Throwable failure) {
        if (failure == null) {
            return code;
        }
        StartFailure start = StartFailure.of(failure);
        console.refuse(start.message());
        return start.exitCode();
    }
}

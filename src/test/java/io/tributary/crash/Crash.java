package io.tributary.crash;

/**
 * The command line of the crash test: {@code mvn -Pcrash}. Properties: {@code crash.minutes}, {@code crash.kills},
 * {@code crash.seed}, {@code crash.postgres} (14 or 18), {@code crash.kills-per-period}, {@code crash.folder}. The exit
 * code is 1 when bronze differs from the source or the bridge didn't recover by itself.
 */
public final class Crash {
    private Crash() {}

    public static void main(String... arguments) throws Exception {
        // Ctrl-C must leave no bridge behind
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly)));
        System.exit(new CrashRun(CrashPlan.ofProperties(), System.out).run() ? 0 : 1);
    }
}

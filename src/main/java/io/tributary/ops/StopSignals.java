package io.tributary.ops;

import java.lang.reflect.Proxy;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * SIGTERM and SIGINT. Shutdown hooks would stop the HTTP endpoints while the bridge still drains, and could not choose
 * the exit code, so the signals themselves are taken.
 */
final class StopSignals {
    private static final Logger LOG = Logger.getLogger(StopSignals.class);

    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Runnable drain;
    private String first = "";
    private long firstNanos;

    /** @param drain called on a thread of its own, perhaps again at the end of the process */
    StopSignals(Runnable drain) {
        this.drain = drain;
    }

    /**
     * Takes over both signals. The JDK's only way to do so, {@code sun.misc.Signal}, is called by reflection: javac
     * warns of it in a way that nothing suppresses. Where it is missing, the signals end the process as they always
     * do, and the next start repeats what isn't committed.
     */
    void listen() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object receiver = Proxy.newProxyInstance(
                    StopSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            received("SIG" + signal.getMethod("getName").invoke(arguments[0]));
                            return null;
                        }
                        return method.invoke(this, arguments);
                    });
            for (String name : new String[] {"TERM", "INT"}) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), receiver);
            }
        } catch (ReflectiveOperationException e) {
            LOG.warnf("This JVM doesn't hand over signals, so SIGTERM stops at once instead of draining: %s", e);
        }
    }

    /**
     * Has the end of the process drain, too: a signal that was on its way before {@link #listen} ends it that way.
     *
     * @return false if the process is already ending, and only waits for the application to return
     */
    boolean drainAtExit() {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(drain, "tributary-exit"));
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /**
     * Impatience is the same signal again, after a moment: Ctrl-C reaches a whole group of processes, and whoever
     * started this one may pass on a SIGTERM of its own.
     */
    private synchronized void received(String signal) {
        long now = System.nanoTime();
        if (first.isEmpty()) {
            first = signal;
            firstNanos = now;
            LOG.infof("%s: committing what is decoded, then stopping", signal);
            new Thread(drain, "tributary-drain").start();
        } else if (signal.equals(first) && now - firstNanos > MOMENT.toNanos()) {
            LOG.warnf("%s again: stopping at once; the next start repeats what isn't committed", signal);
            Runtime.getRuntime().halt(ExitCode.OTHER);
        }
    }
}

package io.tributary.testing;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * A JVM whose wall clock goes wrong: {@code java.time.Clock} of the JDK that runs the tests, patched to add an offset.
 * Other clocks of the process, the monotonic one above all, stay as they are, as on a machine without time service.
 */
public final class SkewedClock {
    private static final String OFFSET = "skew.millis";

    private SkewedClock() {}

    /** Options that start a JVM with a clock that is so far ahead; {@code folder} takes the patched classes. */
    public static List<String> ahead(Duration offset, Path folder) {
        try {
            patch(Clock.class, "currentInstant", AddToInstant.class, folder);
            patch(Class.forName("java.time.Clock$SystemClock"), "millis", AddToMillis.class, folder);
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("this JDK's clock can't be patched", e);
        }
        return List.of("--patch-module=java.base=" + folder.toAbsolutePath(), "-D" + OFFSET + "=" + offset.toMillis());
    }

    private static void patch(Class<?> type, String method, Class<?> advice, Path folder) throws IOException {
        List<String> methods = java.util.Arrays.stream(type.getDeclaredMethods())
                .map(Method::getName)
                .toList();
        if (!methods.contains(method)) {
            throw new IllegalStateException(type + " of this JDK has no method " + method);
        }
        new ByteBuddy()
                .redefine(type)
                .visit(Advice.to(advice).on(ElementMatchers.named(method)))
                .make()
                .saveIn(folder.toFile());
    }

    /** Inlined into the JDK's class, so it may use the JDK only. */
    static final class AddToInstant {
        private AddToInstant() {}

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Instant now) {
            now = now.plusMillis(Long.getLong("skew.millis", 0));
        }
    }

    /** Inlined into the JDK's class, so it may use the JDK only. */
    static final class AddToMillis {
        private AddToMillis() {}

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long now) {
            now = now + Long.getLong("skew.millis", 0);
        }
    }
}

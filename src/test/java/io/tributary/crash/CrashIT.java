package io.tributary.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.TestPostgres.Version;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short crash test by a fixed seed; {@code mvn -Pcrash} runs it for as long as wanted. */
class CrashIT {
    private static final int KILLS = 8;

    @TempDir
    Path folder;

    @Test
    void bronzeEqualsTheSourceAfterFaultsByAFixedSeed() throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        CrashPlan plan = new CrashPlan(
                Version.V18,
                3,
                Optional.empty(),
                OptionalInt.of(KILLS),
                KILLS,
                OptionalInt.empty(),
                folder.resolve("crash"));
        boolean clean = new CrashRun(plan, new PrintStream(output, true, StandardCharsets.UTF_8)).run();
        assertThat(clean).as(output.toString(StandardCharsets.UTF_8)).isTrue();
    }
}

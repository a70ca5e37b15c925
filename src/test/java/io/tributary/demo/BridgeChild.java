package io.tributary.demo;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The packaged application as a child process, with a working folder of its own. */
final class BridgeChild implements AutoCloseable {
    private static final Duration DRAIN = Duration.ofSeconds(40);

    private final Process process;
    private final int port;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private BridgeChild(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static BridgeChild start(Path application, Path folder, String properties) throws IOException {
        Path config = Files.createDirectories(folder.resolve("config"));
        int port = freePort();
        Files.writeString(config.resolve("application.properties"), properties + "quarkus.http.port=" + port + "\n");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        application.resolve("quarkus-run.jar").toAbsolutePath().toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("tributary.log").toFile());
        // settings of the shell belong to another bridge
        builder.environment().keySet().removeIf(name -> name.startsWith("TRIBUTARY_") || name.startsWith("QUARKUS_"));
        return new BridgeChild(builder.start(), port);
    }

    /** The usual port if it is free, else any. */
    private static int freePort() throws IOException {
        try (ServerSocket usual = new ServerSocket()) {
            usual.bind(new InetSocketAddress(8080));
            return 8080;
        } catch (IOException taken) {
            try (ServerSocket any = new ServerSocket(0)) {
                return any.getLocalPort();
            }
        }
    }

    String address() {
        return "http://localhost:" + port;
    }

    /** The body of {@code /lag}; empty while there's no answer. */
    Optional<String> lag() throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address() + "/lag"))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return Optional.of(
                    http.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM, then waits for its orderly end. */
    int drain() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(DRAIN.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
        }
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

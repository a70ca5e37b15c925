package io.tributary.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The packaged application in a JVM of its own. Its class path is that of the package, laid out flat, with the test
 * classes behind it: so a test's storage can be chosen by the lake's scheme, and nothing in the product knows of tests.
 */
public final class BridgeProcess implements AutoCloseable {
    private static final Path APPLICATION =
            Path.of(System.getProperty("tributary.test.application", "target/quarkus-app"));
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^:]+:(\\d+)");

    private final Process process;
    private final Path log;

    private BridgeProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** How to start one. */
    public static final class Setup {
        private final Map<String, String> properties = new LinkedHashMap<>();
        private final Map<String, String> environment = new LinkedHashMap<>();
        private final List<String> jvmOptions = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();
        private final Path workingFolder;
        private boolean optimized;
        private List<String> prefix = List.of();

        public Setup(Path workingFolder) {
            this.workingFolder = workingFolder;
            properties.put("quarkus.http.port", "0");
        }

        public Setup with(String key, String value) {
            properties.put(key, value);
            return this;
        }

        public Setup withoutEnvironment(String key) {
            environment.remove(key);
            return this;
        }

        public Setup environment(String key, String value) {
            environment.put(key, value);
            return this;
        }

        public Setup jvm(String option) {
            jvmOptions.add(option);
            return this;
        }

        /** With every level of the JIT compiler, as in production. */
        public Setup optimized() {
            optimized = true;
            return this;
        }

        /**
         * As a user whom modes of files stop. Who runs the tests as root has no such user at hand, but root can do without the
         * capabilities that make modes meaningless.
         */
        public Setup withoutRootsPowers() {
            if (System.getProperty("user.name").equals("root")) {
                prefix = List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner");
            }
            return this;
        }

        public Setup argument(String argument) {
            arguments.add(argument);
            return this;
        }

        public Setup halt(HaltStage stage, int count) {
            return with("halt.stage", stage.name()).with("halt.count", Integer.toString(count));
        }

        public BridgeProcess start() {
            try {
                Files.createDirectories(workingFolder);
                Path log = Files.createTempFile(workingFolder, "bridge-", ".log");
                ProcessBuilder builder = new ProcessBuilder(command())
                        .directory(workingFolder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
                builder.environment().putAll(environment);
                return new BridgeProcess(builder.start(), log);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private List<String> command() {
            List<String> command = new ArrayList<>(prefix);
            command.add(ProcessHandle.current().info().command().orElse("java"));
            if (!optimized) {
                // a test's bridge lives for seconds
                command.add("-XX:TieredStopAtLevel=1");
            }
            command.add("-Djava.util.logging.manager=org.jboss.logmanager.LogManager");
            command.addAll(jvmOptions);
            properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
            command.add("-cp");
            command.add(classPath());
            command.add("io.tributary.ops.Main");
            command.addAll(arguments);
            return command;
        }
    }

    /** Of the packaged application, with the tests' classes behind it. */
    public static String classPath() {
        List<String> entries = new ArrayList<>();
        for (String folder : List.of("quarkus", "app", "lib/boot", "lib/main")) {
            try (Stream<Path> jars = Files.list(APPLICATION.resolve(folder))) {
                jars.filter(jar -> jar.toString().endsWith(".jar"))
                        .map(jar -> jar.toAbsolutePath().toString())
                        .sorted()
                        .forEach(entries::add);
            } catch (IOException e) {
                throw new UncheckedIOException("the application is not packaged; run mvn package first", e);
            }
        }
        entries.add(Path.of("target/test-classes").toAbsolutePath().toString());
        return String.join(System.getProperty("path.separator"), entries);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it ends within a while. */
    public boolean endsWithin(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Everything that it printed so far. */
    public String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What its HTTP server answers: status and body; status 0 when nobody answers. */
    public Answer get(String path) {
        Matcher listening = LISTENING.matcher(output());
        if (!listening.find()) {
            return new Answer(0, "");
        }
        try {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + listening.group(1) + path))
                                    .timeout(Duration.ofSeconds(5))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return new Answer(answer.statusCode(), answer.body());
        } catch (IOException e) {
            return new Answer(0, "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Waits until {@code /lag} names this state. */
    public void awaitState(String word) {
        Awaitility.await().atMost(PATIENCE).until(() -> get("/lag").body().contains("\"state\":\"" + word + "\""));
    }

    /** An HTTP answer. */
    public record Answer(int status, String body) {}

    /** Waits for its end and gives the exit code. */
    public int awaitExit(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the bridge still runs after " + patience + "; it printed:\n" + tail());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The power goes. */
    public void kill() {
        process.destroyForcibly();
        awaitExit(PATIENCE);
    }

    /** SIGTERM: an orderly end, with its exit code. */
    public int terminate() {
        process.destroy();
        return awaitExit(PATIENCE);
    }

    /** SIGSTOP or SIGCONT and the like. */
    public void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -" + name + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private String tail() {
        return output().lines()
                .collect(Collectors.collectingAndThen(
                        Collectors.toList(),
                        lines -> String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()))));
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

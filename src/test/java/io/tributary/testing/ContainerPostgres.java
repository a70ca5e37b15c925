package io.tributary.testing;

import java.util.Map;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** The server from the official image; the profile {@code containers} chooses it. */
final class ContainerPostgres implements PostgresServer {
    private final FixedPortContainer container;
    private boolean created;

    ContainerPostgres(int major, int port, Map<String, String> settings) {
        this.container = new FixedPortContainer("postgres:" + major, port);
        container.withDatabaseName("postgres").withUsername("postgres").withPassword("postgres");
        StringBuilder command = new StringBuilder("postgres");
        settings.forEach(
                (name, value) -> command.append(" -c ").append(name).append('=').append(value));
        container.setCommand(command.toString());
    }

    @Override
    public void start() {
        if (!created) {
            container.start();
            created = true;
            return;
        }
        DockerClientFactory.lazyClient()
                .startContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void stop(TestPostgres.Shutdown how) {
        // the image's first process is the postmaster
        DockerClientFactory.lazyClient()
                .killContainerCmd(container.getContainerId())
                .withSignal(how.signal())
                .exec();
    }

    @Override
    public void remove() {
        container.stop();
    }

    /** Keeps its port over a restart, which a mapped one doesn't. */
    private static final class FixedPortContainer extends PostgreSQLContainer {
        FixedPortContainer(String image, int port) {
            super(image);
            addFixedExposedPort(port, POSTGRESQL_PORT);
        }
    }
}

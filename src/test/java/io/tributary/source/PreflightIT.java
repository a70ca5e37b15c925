package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tributary.event.SourceIdentity;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each thing that is wrong is said once, with what to do about it, and nothing is written. */
class PreflightIT {
    private static final String TABLE = "CREATE TABLE t (id int PRIMARY KEY)";

    @ParameterizedTest
    @EnumSource(Version.class)
    void databaseThatIsReadyHasNoError(Version version) throws Exception {
        TestPostgres server = TestPostgres.shared(version);
        try (Capture capture = new Capture(server, "shop.t", TABLE)) {
            SourceReport report = capture.source.inspect();

            assertThat(report.errors()).isEmpty();
            assertThat(report.serverVersion()).startsWith(version == Version.V14 ? "14." : "18.");
            SourceIdentity identity = report.identity();
            assertThat(identity.server())
                    .isEqualTo(server.query(capture.database, "SELECT system_identifier FROM pg_control_system()")
                            .get(0));
            assertThat(identity.timeline()).isEqualTo(1);
            assertThat(report.tables()).hasSize(1);
            assertThat(report.tables().get(0).replicaIdentity()).isEqualTo("default");
            assertThat(capture.source.channel()).as("nothing was made").isEqualTo(new ChannelState.Absent());
            assertThat(server.query(capture.database, "SELECT count(*) FROM pg_publication"))
                    .containsExactly("0");
        }
    }

    @Test
    void tableWithoutReplicaIdentityIsAnErrorWithTheSqlThatHelps() {
        assertThat(errors("shop.t", "CREATE TABLE t (id int)")).singleElement().satisfies(finding -> {
            assertThat(finding.subject()).isEqualTo("shop.t");
            assertThat(finding.remedy()).startsWith("ALTER TABLE \"shop\".\"t\" REPLICA IDENTITY FULL");
        });
        assertThat(errors("shop.t", "CREATE TABLE t (id int)", "ALTER TABLE t REPLICA IDENTITY FULL"))
                .isEmpty();
    }

    /** REPLICA IDENTITY isn't handed on to partitions, and it is theirs that counts. */
    @Test
    void aPartitionWithoutReplicaIdentityIsAnErrorOfItsTable() {
        String[] ddl = {
            "CREATE TABLE t (id int) PARTITION BY RANGE (id)",
            "CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (1) TO (10)",
            "ALTER TABLE t REPLICA IDENTITY FULL"
        };
        assertThat(errors("shop.t", ddl)).extracting(Finding::subject).containsExactly("shop.t");
        assertThat(errors("shop.t", ddl[0], ddl[1], ddl[2], "ALTER TABLE t1 REPLICA IDENTITY FULL"))
                .isEmpty();
        assertThat(errors(
                        "shop.t",
                        "CREATE TABLE t (id int PRIMARY KEY) PARTITION BY RANGE (id)",
                        "CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (1) TO (10)"))
                .isEmpty();
    }

    @Test
    void aPartitionedTableIsRefusedWhereItCannotBePublishedAsOne() {
        try (TestPostgres server = TestPostgres.ofMajor(12);
                Capture capture =
                        new Capture(server, "shop.t", "CREATE TABLE t (id int PRIMARY KEY) PARTITION BY RANGE (id)")) {
            assertThat(capture.source.inspect().errors()).singleElement().satisfies(finding -> {
                assertThat(finding.subject()).isEqualTo("shop.t");
                assertThat(finding.what()).contains("nothing of it would be captured");
            });
        }
    }

    @Test
    void columnsThatBronzeCannotShowAreNamed() {
        try (Capture capture = new Capture(
                TestPostgres.shared(Version.V14),
                "shop.t",
                "CREATE TABLE t (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED, z timetz)")) {
            SourceReport report = capture.source.inspect();

            assertThat(report.findings().stream()
                            .filter(f -> f.subject().startsWith("shop."))
                            .map(Finding::subject))
                    .containsExactly("shop.t.g", "shop.t.z");
            assertThat(report.tables().get(0).schema().columns().stream().map(c -> c.name()))
                    .containsExactly("id", "z");
        }
    }

    @Test
    void unloggedTableAndNamesThatDifferInCaseOnlyAreErrors() {
        assertThat(errors("shop.t", "CREATE UNLOGGED TABLE t (id int PRIMARY KEY, \"ID\" int)"))
                .extracting(Finding::subject)
                .containsExactlyInAnyOrder("shop.t", "shop.t.ID");
    }

    @Test
    void patternThatMatchesNothingNamesWhatIsNear() {
        assertThat(errors("shop.Orders", "CREATE TABLE orders (id int PRIMARY KEY)"))
                .singleElement()
                .satisfies(
                        finding -> assertThat(finding.what()).contains("'shop.Orders'", "near names are shop.orders"));
    }

    private static List<Finding> errors(String tables, String... ddl) {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), tables, ddl)) {
            return capture.source.inspect().errors();
        }
    }

    @Test
    void wrongPasswordNamesTheUserAndTheProperty() throws Exception {
        TestPostgres server = TestPostgres.start(Version.V18);
        try (server;
                Capture capture = new Capture(server, "shop.t", TABLE, "CREATE ROLE reader LOGIN PASSWORD 'right'")) {
            requirePasswords(server);
            capture.config.username = Optional.of("reader");
            capture.config.password = Optional.of("wr0ng-s3cret");

            assertThatThrownBy(() -> open(capture.config).inspect())
                    .isInstanceOf(SourceConfigurationException.class)
                    .hasMessageContaining("reader")
                    .hasMessageContaining("tributary.source.password")
                    .hasMessageNotContaining("wr0ng-s3cret");
        }
    }

    private static void requirePasswords(TestPostgres server) {
        String file = server.query("postgres", "SHOW hba_file").get(0);
        server.execute(
                "postgres",
                "COPY (SELECT unnest(ARRAY['host all postgres all trust', 'host all all all scram-sha-256']))" + " TO '"
                        + file + "'",
                "SELECT pg_reload_conf()");
    }

    @Test
    void unknownHostAndDeafPortNameTheProperty() {
        TestConfig config = TestConfig.of(TestPostgres.shared(Version.V18), "postgres", "shop.t");
        config.hostname = "no-such-host.invalid";
        assertThatThrownBy(() -> open(config).inspect())
                .isInstanceOf(SourceUnavailableException.class)
                .hasMessageContaining("no-such-host.invalid")
                .hasMessageContaining("tributary.source.hostname");

        config.hostname = "localhost";
        config.port = Optional.of(1);
        assertThatThrownBy(() -> open(config).inspect())
                .isInstanceOf(SourceUnavailableException.class)
                .hasMessageContaining("localhost:1")
                .hasMessageContaining("tributary.source.port");
    }

    @Test
    void unknownDatabaseNamesTheProperty() {
        TestConfig config = TestConfig.of(TestPostgres.shared(Version.V18), "nowhere", "shop.t");
        assertThatThrownBy(() -> open(config).inspect())
                .isInstanceOf(SourceConfigurationException.class)
                .hasMessageContaining("no database nowhere")
                .hasMessageContaining("tributary.source.database");
    }

    @Test
    void walLevelIsAnErrorWithItsRemedy() {
        try (TestPostgres server = TestPostgres.start(Version.V18, "wal_level", "replica");
                Capture capture = new Capture(server, "shop.t", TABLE)) {
            assertThat(capture.source.inspect().errors())
                    .extracting(Finding::subject)
                    .contains("wal_level");
        }
    }

    @Test
    void userWithLeastPrivilegesIsToldWhatIsMissing() throws Exception {
        TestPostgres server = TestPostgres.shared(Version.V18);
        try (Capture capture = new Capture(server, "shop.t", TABLE)) {
            String role = "least_" + capture.database;
            server.execute(capture.database, "CREATE ROLE " + role + " LOGIN");
            capture.config.username = Optional.of(role);

            try (Source source = open(capture.config)) {
                assertThat(source.inspect().errors())
                        .extracting(Finding::remedy)
                        .anySatisfy(remedy -> assertThat(remedy).contains("REPLICATION"))
                        .anySatisfy(remedy -> assertThat(remedy).contains("GRANT SELECT ON \"shop\".\"t\""))
                        .anySatisfy(remedy -> assertThat(remedy)
                                .startsWith("CREATE PUBLICATION \"tributary_shop\" FOR TABLE \"shop\".\"t\""));
                server.execute(
                        capture.database,
                        "ALTER ROLE " + role + " REPLICATION",
                        "GRANT USAGE ON SCHEMA shop TO " + role,
                        "GRANT SELECT ON shop.t TO " + role,
                        "CREATE PUBLICATION tributary_shop FOR TABLE shop.t WITH (publish_via_partition_root = true)");

                assertThat(source.inspect().errors()).isEmpty();
                source.createChannel();
                assertThat(source.channel()).isInstanceOf(ChannelState.Present.class);
            }
        }
    }

    @Test
    void publicationGrowsByTheTablesThatAreAdded() throws Exception {
        TestPostgres server = TestPostgres.shared(Version.V18);
        try (Capture capture = new Capture(server, "shop.t", TABLE, "CREATE TABLE u (id int PRIMARY KEY)")) {
            capture.source.createChannel();
            capture.config.tables = Optional.of(List.of("shop.?"));
            try (Source source = open(capture.config)) {
                source.ensurePublication();
            }
            assertThat(server.query(
                            capture.database,
                            "SELECT tablename FROM pg_publication_tables WHERE pubname = 'tributary_shop' ORDER BY 1"))
                    .containsExactly("t", "u");
        }
    }

    @Test
    void publicationThatLeavesRowsOutIsAnError() {
        assertThat(
                        errors(
                                "shop.t",
                                TABLE,
                                "CREATE PUBLICATION tributary_shop FOR TABLE t WHERE (id > 5) WITH (publish = 'insert, update')"))
                .extracting(Finding::subject)
                .containsExactlyInAnyOrder("publication tributary_shop", "shop.t");
    }

    @Test
    void otherInstanceIsSeenByTheNameOfItsSession() throws Exception {
        try (Capture capture = new Capture(TestPostgres.shared(Version.V18), "shop.t", TABLE);
                Source other = Sources.open(capture.config, "writer-2", Clock.systemUTC())) {
            capture.source.status();
            assertThat(capture.source.otherInstancePresent()).isFalse();
            other.status();
            assertThat(capture.source.otherInstancePresent()).isTrue();
            assertThat(other.otherInstancePresent()).isTrue();
        }
    }

    private static Source open(TestConfig config) {
        return Sources.open(config, "writer-1", Clock.systemUTC());
    }
}

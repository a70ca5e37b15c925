package io.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.testing.BridgeProcess;
import io.tributary.testing.OtherWriter;
import io.tributary.testing.Scenario;
import io.tributary.testing.Status;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other engines write to the bronze tables while the bridge does (cases C51 and C70). */
class OtherWritersIT {
    private static final int ROWS = 150;

    @TempDir
    Path folder;

    @Test
    void everyRowArrivesOnceBesideOptimizeDeleteVacuumAndAppenders() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql("create table mt(id bigserial primary key, v text)");
            BridgeProcess bridge = scenario.start("mt");
            scenario.awaitMarker(bridge);
            Set<Object> deleted = ConcurrentHashMap.newKeySet();
            AtomicInteger optimized = new AtomicInteger();
            AtomicInteger appended = new AtomicInteger();
            List<ScheduledFuture<?>> works = new ArrayList<>();
            ScheduledExecutorService others = Executors.newScheduledThreadPool(6);
            try {
                OtherWriter maintenance = new OtherWriter(scenario.path("mt"));
                works.add(again(others, 50, () -> {
                    optimized.addAndGet(maintenance.optimize() ? 1 : 0);
                    maintenance.vacuum();
                    return deleted.addAll(maintenance.deleteWhere(id -> id % 10 == 0));
                }));
                for (int i = 0; i < 4; i++) {
                    OtherWriter appender = new OtherWriter(scenario.path("mt"));
                    works.add(again(others, 100, () -> appended.addAndGet(appender.append() ? 1 : 0)));
                }
                OtherWriter owner = new OtherWriter(scenario.path("mt"));
                works.add(again(others, 1000, () -> {
                    owner.alter(metadata ->
                            metadata.withObject("/configuration").put("touched", Integer.toString(appended.get())));
                    return true;
                }));
                scenario.sql("do $$ begin for i in 1.." + ROWS + " loop insert into shop.mt(v) values ('x'); commit;"
                        + " perform pg_sleep(0.1); end loop; end $$");
                scenario.awaitMarker(bridge, Duration.ofMinutes(3));
                // on a busy machine one round of a writer can take as long as all the rows
                Awaitility.await()
                        .atMost(Duration.ofMinutes(2))
                        .until(() -> !deleted.isEmpty() && optimized.get() > 0 && appended.get() > 10);
            } finally {
                others.shutdown();
                assertThat(others.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(works).as("none of them failed").allMatch(ScheduledFuture::isCancelled);
            assertThat(Status.of(bridge).ready()).isEqualTo(200);
            assertThat(bridge.terminate()).as(bridge::output).isZero();

            // reads every file that the log names
            List<Object> ids = scenario.column("mt", "id");
            Set<Object> expected =
                    new HashSet<>(LongStream.rangeClosed(1, ROWS).boxed().toList());
            expected.removeAll(deleted);
            assertThat(ids).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(bridge.output()).doesNotContain("\tat ");
        }
    }

    @Test
    void columnsThatOthersAddAreKeptAndThoseThatTheyTakeAwayBlockTheirTableAlone() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql(
                    "create table ss(id bigint primary key, v text)",
                    "create table other(id int primary key)",
                    "insert into ss values (1, 'a')");
            BridgeProcess bridge = scenario.start("ss", "other");
            scenario.awaitMarker(bridge);
            OtherWriter spark = new OtherWriter(scenario.path("ss"));

            spark.alter(OtherWritersIT::addTeam);
            scenario.sql("insert into ss values (2, 'b')");
            scenario.awaitMarker(bridge);
            assertThat(scenario.rows("ss").get(1)).containsEntry("v", "b").containsEntry("team", null);

            JsonNode whole = withoutColumn(spark, "v");
            scenario.sql("begin", "insert into ss values (3, 'c')", "insert into other values (3)", "commit");
            awaitBlocked(bridge, "of the 2 columns that Tributary gave it only [id] are left");
            assertThat(scenario.column("other", "id"))
                    .as("the rest of the batch")
                    .containsExactly(3);
            assertThat(scenario.column("ss", "id")).containsExactly(1L, 2L);
            spark.alter(metadata -> metadata.set("schemaString", whole));
            awaitStreaming(scenario, bridge);

            spark.alter(metadata -> metadata.withObject("/configuration").put("delta.constraints.c", "id < 5"));
            scenario.sql("begin", "insert into ss values (6, 'd')", "insert into other values (6)", "commit");
            awaitBlocked(bridge, "checkConstraints");
            assertThat(scenario.column("other", "id")).containsExactly(3, 6);
            BridgeProcess again = restarted(scenario, bridge);
            awaitBlocked(again, "checkConstraints");
            spark.alter(metadata -> metadata.withObject("/configuration").remove("delta.constraints.c"));
            awaitStreaming(scenario, again);

            assertThat(again.terminate()).as(again::output).isZero();
            assertThat(scenario.history("ss", "id")).containsExactly("r:1", "c:2", "c:3", "c:6");
            assertThat(scenario.column("ss", "v")).containsExactly("a", "b", "c", "d");
            assertThat(scenario.column("other", "id")).containsExactly(3, 6);
            assertThat(bridge.output() + again.output()).doesNotContain("\tat ");
        }
    }

    @Test
    void whatANewerBuildWroteIsRefusedByName() throws Exception {
        try (TestPostgres server = TestPostgres.start(Version.V18);
                Scenario scenario = new Scenario(server, folder)) {
            scenario.sql("create table nf(id int primary key)");
            BridgeProcess bridge = scenario.start("nf");
            scenario.awaitMarker(bridge);
            assertThat(bridge.terminate()).as(bridge::output).isZero();
            scenario.sql("insert into nf values (1)");

            OtherWriter newer = new OtherWriter(scenario.path("nf"));
            newer.alter(metadata -> metadata.withObject("/configuration").put("tributary.format", "2"));
            assertRefused(scenario.start("nf"), "bronze table shop.nf");
            newer.alter(metadata -> metadata.withObject("/configuration").put("tributary.format", "1"));

            Path journal = scenario.lake().resolve("_tributary/" + scenario.name() + "/journal");
            Path newest;
            try (Stream<Path> objects = Files.list(journal)) {
                newest = objects.filter(object -> object.toString().endsWith(".json"))
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
            }
            List<String> lines = Files.readAllLines(newest);
            String later = lines.get(0).replace("\"format\":1", "\"format\":2");
            CRC32C checksum = new CRC32C();
            checksum.update(later.getBytes(StandardCharsets.UTF_8));
            Files.write(newest, List.of(later, "{\"crc32c\":\"%08x\"}".formatted(checksum.getValue())));
            assertRefused(scenario.start("nf"), newest.toString());

            Files.write(newest, lines);
            BridgeProcess again = scenario.start("nf");
            scenario.awaitMarker(again);
            assertThat(scenario.history("nf", "id")).containsExactly("c:1");
        }
    }

    private static void assertRefused(BridgeProcess bridge, String what) {
        assertThat(bridge.awaitExit(Duration.ofSeconds(60))).as(bridge::output).isEqualTo(2);
        assertThat(bridge.output())
                .contains(what)
                .contains("was written by a newer Tributary, format 2, and this one knows 1: upgrade")
                .doesNotContain("\tat ");
    }

    private static BridgeProcess restarted(Scenario scenario, BridgeProcess bridge) throws Exception {
        assertThat(bridge.terminate()).as(bridge::output).isZero();
        return scenario.start("ss", "other");
    }

    private static void awaitBlocked(BridgeProcess bridge, String why) {
        bridge.awaitState("blocked");
        Status status = Status.of(bridge);
        assertThat(status.ready()).isEqualTo(503);
        assertThat(status.lag().toString())
                .contains("bronze table shop.ss")
                .contains("at version")
                .contains(why);
    }

    private static void awaitStreaming(Scenario scenario, BridgeProcess bridge) {
        scenario.awaitMarker(bridge);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> Status.of(bridge).ready() == 200);
    }

    private static void addTeam(ObjectNode metadata) {
        ObjectNode schema = schemaOf(metadata);
        schema.withArray("/fields")
                .addObject()
                .put("name", "team")
                .put("type", "string")
                .put("nullable", true)
                .putObject("metadata");
        metadata.put("schemaString", schema.toString());
    }

    /** Takes a column out of the schema, as a rewrite with overwriteSchema does, and answers with what it was. */
    private static JsonNode withoutColumn(OtherWriter spark, String column) throws IOException {
        List<JsonNode> before = new ArrayList<>();
        spark.alter(metadata -> {
            before.add(metadata.get("schemaString"));
            ObjectNode schema = schemaOf(metadata);
            ArrayNode fields = schema.withArray("/fields");
            for (int i = fields.size() - 1; i >= 0; i--) {
                if (fields.get(i).get("name").textValue().equals(column)) {
                    fields.remove(i);
                }
            }
            metadata.put("schemaString", schema.toString());
        });
        return before.get(before.size() - 1);
    }

    private static ObjectNode schemaOf(ObjectNode metadata) {
        try {
            return OtherWriter.schemaOf(metadata);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ScheduledFuture<?> again(ScheduledExecutorService on, long millis, Callable<?> work) {
        return on.scheduleWithFixedDelay(
                () -> {
                    try {
                        work.call();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                0,
                millis,
                TimeUnit.MILLISECONDS);
    }
}

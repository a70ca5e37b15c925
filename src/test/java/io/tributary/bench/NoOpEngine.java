package io.tributary.bench;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The stock Debezium engine with a consumer that does nothing but acknowledge: what the bridge is compared with. Prints
 * the milliseconds between the first and the last of the expected events.
 *
 * <p>Arguments: port, database, user, slot, publication, tables (comma-separated, schema.table), expected events, folder
 * for the offsets. The slot and the publication must exist.
 */
public final class NoOpEngine {
    private NoOpEngine() {}

    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("name", "noop");
        properties.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        properties.setProperty("topic.prefix", "noop");
        properties.setProperty("database.hostname", "localhost");
        properties.setProperty("database.port", arguments[0]);
        properties.setProperty("database.dbname", arguments[1]);
        properties.setProperty("database.user", arguments[2]);
        properties.setProperty("database.password", arguments[2]);
        properties.setProperty("plugin.name", "pgoutput");
        properties.setProperty("slot.name", arguments[3]);
        properties.setProperty("publication.name", arguments[4]);
        properties.setProperty("publication.autocreate.mode", "disabled");
        properties.setProperty("table.include.list", arguments[5].replace(".", "\\."));
        properties.setProperty("snapshot.mode", "no_data");
        properties.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        properties.setProperty(
                "offset.storage.file.filename",
                Path.of(arguments[7], "noop-offsets.dat").toString());
        properties.setProperty("offset.flush.interval.ms", "1000");
        long expected = Long.parseLong(arguments[6]);

        PrintStream result = System.out;
        AtomicLong seen = new AtomicLong();
        AtomicLong first = new AtomicLong();
        ExecutorService runner = Executors.newSingleThreadExecutor();
        DebeziumEngine<RecordChangeEvent<SourceRecord>> engine = DebeziumEngine.create(
                        ChangeEventFormat.of(Connect.class))
                .using(properties)
                .notifying(
                        (List<RecordChangeEvent<SourceRecord>> events,
                                DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer) -> {
                            for (RecordChangeEvent<SourceRecord> event : events) {
                                if (event.record().value() instanceof Struct value
                                        && value.schema().field("op") != null) {
                                    first.compareAndSet(0, System.nanoTime());
                                    seen.incrementAndGet();
                                }
                                committer.markProcessed(event);
                            }
                            committer.markBatchFinished();
                            if (seen.get() >= expected) {
                                result.println(
                                        "noop-millis " + (System.nanoTime() - first.get()) / 1_000_000 + " cpu-millis "
                                                + ProcessHandle.current()
                                                        .info()
                                                        .totalCpuDuration()
                                                        .orElseThrow()
                                                        .toMillis());
                                Runtime.getRuntime().halt(0);
                            }
                        })
                .build();
        runner.execute(engine);
    }
}

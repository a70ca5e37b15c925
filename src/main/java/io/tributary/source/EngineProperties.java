package io.tributary.source;

import io.debezium.connector.postgresql.PostgresConnector;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The properties of a streaming engine. */
final class EngineProperties {
    private static final String HEARTBEAT_MILLIS = "200";
    private static final String QUEUE_BYTES = Integer.toString(16 << 20);

    private final String source;
    private final ConnectionSettings settings;
    private final String slot;
    private final String publication;
    private final Map<String, String> passThrough;

    EngineProperties(
            String source,
            ConnectionSettings settings,
            String slot,
            String publication,
            Map<String, String> passThrough) {
        this.source = source;
        this.settings = settings;
        this.slot = slot;
        this.publication = publication;
        this.passThrough = Map.copyOf(passThrough);
    }

    Properties streaming(SourcePosition.Wal from, Collection<TableId> tables) {
        Properties p = new Properties();
        passThrough.forEach(p::setProperty);
        engine(p, from);
        connection(p);
        p.setProperty(
                "table.include.list",
                tables.stream().map(EngineProperties::regex).collect(Collectors.joining(",")));
        delivery(p);
        values(p);
        return p;
    }

    private void engine(Properties p, SourcePosition.Wal from) {
        p.setProperty("name", source);
        p.setProperty("topic.prefix", source);
        p.setProperty("connector.class", PostgresConnector.class.getName());
        p.setProperty("offset.storage", HeldOffset.class.getName());
        // the only form that makes Debezium filter nothing: with lsn_proc, lsn_commit or messageType it searches for a
        // resume point and drops rows of transactions that were open at the stored position
        p.setProperty(
                HeldOffset.START,
                "{\"lsn\":%d,\"txId\":%d,\"ts_usec\":%d}".formatted(from.lsn(), from.xid(), from.commitTimeMicros()));
        // its own retry reconnects silently and delivers rows again: a run that breaks ends
        p.setProperty("errors.max.retries", "0");
        p.setProperty("internal.task.management.timeout.ms", "60000");
    }

    private void connection(Properties p) {
        p.setProperty("database.hostname", settings.host());
        p.setProperty("database.port", Integer.toString(settings.port()));
        p.setProperty("database.dbname", settings.database());
        p.setProperty("database.user", settings.user());
        settings.password().current().ifPresent(password -> p.setProperty("database.password", password));
        settings.driver().forEach((key, value) -> p.setProperty("driver." + key, value));
        p.setProperty("driver.connectTimeout", "10");
        p.setProperty("driver.socketTimeout", "60");
        p.setProperty("database.tcpKeepAlive", "true");
        // the texts that the decoders read must not depend on how the database or the role is set up; before version 12
        // a float needs all three digits to come through exactly
        p.setProperty("driver.options", "-c intervalstyle=postgres -c bytea_output=hex -c extra_float_digits=3");
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", slot);
        p.setProperty("slot.drop.on.stop", "false");
        p.setProperty("slot.max.retries", "0");
        p.setProperty("publication.name", publication);
        p.setProperty("publication.autocreate.mode", "disabled");
    }

    private static void delivery(Properties p) {
        p.setProperty("snapshot.mode", "no_data");
        p.setProperty("lsn.flush.mode", "connector");
        p.setProperty("skipped.operations", "none");
        p.setProperty("tombstones.on.delete", "false");
        p.setProperty("provide.transaction.metadata", "false");
        p.setProperty("heartbeat.interval.ms", HEARTBEAT_MILLIS);
        p.setProperty("poll.interval.ms", "20");
        p.setProperty("max.batch.size", "4096");
        p.setProperty("max.queue.size", "16384");
        p.setProperty("max.queue.size.in.bytes", QUEUE_BYTES);
        p.setProperty("event.processing.failure.handling.mode", "fail");
        p.setProperty("event.converting.failure.handling.mode", "fail");
    }

    private static void values(Properties p) {
        p.setProperty("converters", "cell");
        p.setProperty("cell.type", CellConverter.class.getName());
        // brings the text of the types that Debezium has no mapping for
        p.setProperty("include.unknown.datatypes", "true");
        p.setProperty("field.name.adjustment.mode", "none");
        p.setProperty("schema.name.adjustment.mode", "none");
    }

    /** Debezium matches without regard to case and splits at commas. */
    static String regex(TableId table) {
        return "(?-i:" + literal(table.schema()) + "\\." + literal(table.table()) + ")";
    }

    private static String literal(String name) {
        return name.codePoints()
                .mapToObj(c -> Character.isLetterOrDigit(c) || c == '_'
                        ? Character.toString(c)
                        : "\\x{" + Integer.toHexString(c) + "}")
                .collect(Collectors.joining());
    }
}

package io.tributary.ops.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KnownKeysTest {

    @Test
    void theKeysAreThePublicContract() {
        assertThat(new KnownKeys()
                        .all().stream()
                                .map(key -> key.name()
                                        + (key.isFamily() ? ".*" : "")
                                        + key.defaultValue()
                                                .map(value -> "=" + value)
                                                .orElse("")))
                .containsExactly(
                        "tributary.batch.max-age=5s",
                        "tributary.batch.max-bytes=64M",
                        "tributary.batch.max-rows=500000",
                        "tributary.batch.min-rows=100",
                        "tributary.batch.quiet-age=30s",
                        "tributary.delta.properties.*",
                        "tributary.guard.max-lag",
                        "tributary.guard.max-retained-wal",
                        "tributary.guard.warn-retained-wal",
                        "tributary.lake.hadoop.*",
                        "tributary.lake.path",
                        "tributary.lake.table-path={schema}/{table}",
                        "tributary.shutdown.drain-for=20s",
                        "tributary.source.database",
                        "tributary.source.debezium.*",
                        "tributary.source.hostname=localhost",
                        "tributary.source.idle-message=true",
                        "tributary.source.insert-only-tables",
                        "tributary.source.kind",
                        "tributary.source.name",
                        "tributary.source.on-gap=exit",
                        "tributary.source.password",
                        "tributary.source.password-file",
                        "tributary.source.port",
                        "tributary.source.publication",
                        "tributary.source.slot",
                        "tributary.source.snapshot=initial",
                        "tributary.source.tables",
                        "tributary.source.username");
    }
}

package io.tributary.batch;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** When a batch ends: at the first transaction end after one of these bounds is reached. */
@ConfigMapping(prefix = "tributary.batch")
public interface BatchConfig {

    /** Longest time from a batch's first row to its commit, when it has at least {@link #minRows()}. */
    @WithDefault("5s")
    Duration maxAge();

    /** Longest time from a batch's first row to its commit, when it has fewer than {@link #minRows()}. */
    @WithDefault("30s")
    Duration quietAge();

    /** Rows below which a batch may age up to {@link #quietAge()}, so that low traffic makes few files. */
    @WithDefault("100")
    long minRows();

    /** Rows after which a batch ends. */
    @WithDefault("500000")
    long maxRows();

    /** Encoded bytes held in memory over all tables before they go to staged files. */
    @WithDefault("64M")
    MemorySize maxBytes();
}

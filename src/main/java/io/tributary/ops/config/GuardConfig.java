package io.tributary.ops.config;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import java.time.Duration;
import java.util.Optional;

/** Bounds beyond which the status warns or readiness turns red, and the log says so. */
@ConfigMapping(prefix = "tributary.guard")
public interface GuardConfig {

    /** Log kept by the source for this service beyond which the status warns, such as {@code 5G}; none if not set. */
    Optional<MemorySize> warnRetainedWal();

    /** Most log that the source may keep for this service, such as {@code 10G}; no bound if not set. */
    Optional<MemorySize> maxRetainedWal();

    /** Largest lag of a committed table, such as {@code 10m}; no bound if not set. */
    Optional<Duration> maxLag();
}

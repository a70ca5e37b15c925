package io.tributary.ops.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** What happens on SIGTERM. */
@ConfigMapping(prefix = "tributary.shutdown")
public interface ShutdownConfig {

    /** How long committing what is already decoded may take; what isn't committed then comes again at the next start. */
    @WithDefault("20s")
    Duration drainFor();
}

package io.tributary.delta;

import io.smallrye.config.ConfigMapping;
import java.util.Map;

/** How bronze tables are made. */
@ConfigMapping(prefix = "tributary.delta")
public interface DeltaConfig {

    /** Delta table properties for new tables, over the defaults. */
    Map<String, String> properties();
}

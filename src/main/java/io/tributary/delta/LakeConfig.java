package io.tributary.delta;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Map;
import java.util.Optional;

/** Where the bronze tables are. */
@ConfigMapping(prefix = "tributary.lake")
public interface LakeConfig {

    /** Root of the lake as a URI: {@code file:///data/lake}, {@code s3a://bucket/prefix}, … Required. */
    Optional<String> path();

    /** Folder of a table below the root; placeholders {@code {source}}, {@code {schema}}, {@code {table}}. */
    @WithDefault("{schema}/{table}")
    String tablePath();

    /** Hadoop properties of the store, as they are. */
    Map<String, String> hadoop();
}

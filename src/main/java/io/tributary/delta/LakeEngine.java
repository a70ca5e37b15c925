package io.tributary.delta;

import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.engine.MetricsReporter;
import java.util.List;

/** Kernel's default engine over the lake's storage, without its report of every step in the log. */
final class LakeEngine extends DefaultEngine {

    LakeEngine(FileIO files) {
        super(files);
    }

    @Override
    public List<MetricsReporter> getMetricsReporters() {
        return List.of();
    }
}

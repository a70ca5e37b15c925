package io.tributary.ops;

import io.quarkus.runtime.QuarkusApplication;
import io.tributary.delta.LakeConfig;
import io.tributary.source.Source;
import io.tributary.source.SourceConfig;
import io.tributary.source.SourceException;
import io.tributary.source.SourceReport;
import io.tributary.source.Sources;
import jakarta.enterprise.context.Dependent;
import java.time.Clock;

/** The preflight: looks at the source, prints what it found, writes nothing. */
@Dependent
class PlanRun implements QuarkusApplication {
    private final SourceConfig config;
    private final LakeConfig lake;
    private final Clock clock;
    private final Console console;

    PlanRun(SourceConfig config, LakeConfig lake, Clock clock, Console console) {
        this.config = config;
        this.lake = lake;
        this.clock = clock;
        this.console = console;
    }

    @Override
    public int run(String... args) {
        try (Source source = Sources.open(config, "plan", clock)) {
            SourceReport report = source.inspect();
            console.print(new PlanText(report, lake.path().orElseThrow()).render());
            return report.errors().isEmpty() ? ExitCode.OK : ExitCode.CONFIGURATION;
        } catch (SourceException e) {
            console.refuse(String.valueOf(e.getMessage()));
            return ExitCode.CONFIGURATION;
        }
    }
}

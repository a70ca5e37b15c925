package io.tributary.ops;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code plan}: the preflight. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description =
                "Says what would be captured, what each column becomes, and what stands in the way. Writes nothing.")
final class PlanCommand implements Callable<Integer> {
    /** No endpoint that could meet a running instance's, and no log lines between the results. */
    private static final Map<String, String> SETTINGS = Map.of(
            "quarkus.http.host-enabled", "false",
            "quarkus.log.console.stderr", "true",
            "quarkus.log.level", "WARN");

    private final Launch launch;

    PlanCommand(Launch launch) {
        this.launch = launch;
    }

    @Override
    public Integer call() {
        SETTINGS.forEach(System::setProperty);
        return launch.run(PlanRun.class);
    }
}

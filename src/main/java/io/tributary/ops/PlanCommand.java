package io.tributary.ops;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code plan}: the preflight. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description =
                "Says what would be captured, what each column becomes, and what stands in the way. Writes nothing.")
final class PlanCommand implements Callable<Integer> {
    private final Launch launch;

    PlanCommand(Launch launch) {
        this.launch = launch;
    }

    @Override
    public Integer call() {
        return launch.runBeside(PlanRun.class, "WARN");
    }
}

package io.tributary.ops;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The command line without a command: the bridge itself. */
@Command(
        name = "tributary",
        mixinStandardHelpOptions = true,
        versionProvider = ProductVersion.class,
        description = {
            "Copies the committed changes of a database into bronze Delta tables, exactly once.",
            "Without a command it runs until SIGTERM, commits what is decoded, and exits with 0.",
            "Settings: config/application.properties, environment variables, system properties."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:drained; or, for plan, nothing stands in the way of a start",
            "1:failed for another reason",
            "2:the configuration is wrong or the source refuses it",
            "3:changes are missing at the source, and going on would skip them"
        })
final class TributaryCommand implements Callable<Integer> {
    private final Launch launch;

    TributaryCommand(Launch launch) {
        this.launch = launch;
    }

    @Override
    public Integer call() {
        return launch.run(BridgeRun.class);
    }
}

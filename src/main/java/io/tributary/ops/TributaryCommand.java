package io.tributary.ops;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line: without a command, the bridge itself; with one, what the bridge doesn't decide by itself. */
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
            "0:drained, or the command is carried out; for plan: nothing stands in the way of a start",
            "1:failed for another reason",
            "2:the configuration is wrong or the source refuses it",
            "3:changes are missing at the source, and going on would skip them"
        })
final class TributaryCommand implements Callable<Integer> {
    private static final String TABLE = "as schema.table, spelled as in the status";

    private final Launch launch;

    TributaryCommand(Launch launch) {
        this.launch = launch;
    }

    @Override
    public Integer call() {
        return launch.run(BridgeRun.class);
    }

    @Command(
            name = "repair",
            mixinStandardHelpOptions = true,
            description = {
                "After a gap: makes the replication slot anew, and lets the next start read every table anew.",
                "What was missed shows in that reading, deletes included."
            })
    int repair(@Option(names = "--force", description = "also when nothing is known to be missing") boolean force) {
        return run("repair", Boolean.toString(force));
    }

    @Command(
            name = "waive",
            mixinStandardHelpOptions = true,
            description = {
                "Takes a blocked table out, so that the others go on without it.",
                "It is read anew at the first start at which what stands in its place can take rows."
            })
    int waive(@Parameters(paramLabel = "table", description = TABLE) String table) {
        return run("waive", table);
    }

    @Command(
            name = "redo",
            mixinStandardHelpOptions = true,
            description = {
                "Decodes again what a blocked table misses, since its staged files are gone or it was restored to an",
                "older version. Needs the replication slot to have it still."
            })
    int redo(@Parameters(paramLabel = "table", description = TABLE) String table) {
        return run("redo", table);
    }

    @Command(
            name = "retire",
            mixinStandardHelpOptions = true,
            description = {
                "Commits what the source has, then drops the replication slot and the publication.",
                "The lake stays as it is."
            })
    int retire(
            @Option(names = "--now", description = "drop them without committing what the source still has")
                    boolean now) {
        return launch.runBeside(RetireRun.class, "INFO", Boolean.toString(now));
    }

    private int run(String... arguments) {
        return launch.runBeside(MaintenanceRun.class, "WARN", arguments);
    }
}

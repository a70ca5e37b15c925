package io.tributary.ops;

import io.quarkus.runtime.annotations.QuarkusMain;
import picocli.CommandLine;

/** The process: reads the command line, carries out one command, exits with its code. */
@QuarkusMain
public final class Main {
    private Main() {}

    public static void main(String... args) {
        Console console = Console.ofProcess();
        Launch launch = new Launch(console);
        CommandLine commands = new CommandLine(new TributaryCommand(launch))
                .addSubcommand(new PlanCommand(launch))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    console.refuse(StartFailure.of(failure).message());
                    return ExitCode.OTHER;
                });
        System.exit(commands.execute(args));
    }
}

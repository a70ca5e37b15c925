package io.tributary.ops;

import io.quarkus.runtime.QuarkusApplication;
import io.tributary.delta.JournalCorruptedException;
import io.tributary.delta.LakeConfigurationException;
import io.tributary.delta.TableBlockedException;
import io.tributary.event.TableId;
import io.tributary.pipeline.Maintenance;
import io.tributary.pipeline.RefusedException;
import io.tributary.source.SourceException;
import io.tributary.source.SourceGapException;
import jakarta.enterprise.context.Dependent;
import java.io.IOException;

/** One command of an operator, from start to end: its answer on standard output, or the reason against it. */
@Dependent
class MaintenanceRun implements QuarkusApplication {
    private final Maintenance maintenance;
    private final Console console;

    MaintenanceRun(Maintenance maintenance, Console console) {
        this.maintenance = maintenance;
        this.console = console;
    }

    /** Something that answers with sentences. */
    @FunctionalInterface
    interface Request {
        String answer() throws IOException, InterruptedException, TableBlockedException, RefusedException;
    }

    @Override
    public int run(String... args) throws InterruptedException {
        return carryOut(console, () -> answer(args[0], args[1]));
    }

    private String answer(String command, String argument)
            throws IOException, InterruptedException, TableBlockedException, RefusedException {
        return switch (command) {
            case "repair" -> maintenance.repair(Boolean.parseBoolean(argument));
            case "waive" -> maintenance.waive(table(argument));
            case "redo" -> maintenance.redo(table(argument));
            default -> throw new IllegalArgumentException("no such command: " + command);
        };
    }

    static int carryOut(Console console, Request request) throws InterruptedException {
        try {
            console.print(request.answer() + System.lineSeparator());
            return ExitCode.OK;
        } catch (SourceGapException | JournalCorruptedException e) {
            console.refuse(String.valueOf(e.getMessage()));
            return ExitCode.GAP;
        } catch (SourceException | LakeConfigurationException | RefusedException e) {
            console.refuse(String.valueOf(e.getMessage()));
            return ExitCode.CONFIGURATION;
        } catch (TableBlockedException | IOException e) {
            console.refuse(String.valueOf(e.getMessage()));
            return ExitCode.OTHER;
        }
    }

    private static TableId table(String name) throws RefusedException {
        int dot = name.indexOf('.');
        if (dot <= 0 || dot == name.length() - 1) {
            throw new RefusedException("'" + name + "' is not a table as schema.table");
        }
        return new TableId(name.substring(0, dot), name.substring(dot + 1));
    }
}

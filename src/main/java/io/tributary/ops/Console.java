package io.tributary.ops;

import java.io.PrintStream;

/** The terminal of a command: results on one stream, and the one reason for not going on, on the other. */
record Console(PrintStream out, PrintStream err) {

    static Console ofProcess() {
        return new Console(System.out, System.err);
    }

    void print(String result) {
        out.print(result);
        out.flush();
    }

    /** Says why there's nothing more to come, each line marked as ours. */
    void refuse(String reason) {
        reason.lines().forEach(line -> err.println("tributary: " + line));
        err.flush();
    }
}

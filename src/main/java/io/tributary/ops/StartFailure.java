package io.tributary.ops;

import io.tributary.delta.LakeConfigurationException;
import io.tributary.source.SourceConfigurationException;
import java.net.BindException;
import java.util.LinkedHashSet;
import java.util.Set;

/** Why the application didn't start, in a sentence. */
record StartFailure(int exitCode, String message) {

    static StartFailure of(Throwable failure) {
        Set<Throwable> chain = new LinkedHashSet<>();
        for (Throwable each = failure; each != null && chain.add(each); each = each.getCause()) {
            if (each instanceof BindException) {
                return new StartFailure(
                        ExitCode.OTHER,
                        "the HTTP port is in use (" + each.getMessage()
                                + "): stop the other process or set quarkus.http.port");
            }
            if (each instanceof SourceConfigurationException || each instanceof LakeConfigurationException) {
                return new StartFailure(ExitCode.CONFIGURATION, String.valueOf(each.getMessage()));
            }
        }
        Throwable root = chain.stream().reduce(failure, (before, last) -> last);
        String what = root.getMessage() == null ? root.toString() : root.getMessage();
        return new StartFailure(ExitCode.OTHER, "can't start: " + what);
    }
}

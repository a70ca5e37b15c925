package io.tributary.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where a user's password comes from, asked at each connection: a mounted secret may be rotated at any time. */
@FunctionalInterface
interface Password {

    /**
     * The password as it is now; empty if none is needed.
     *
     * @throws SourceConfigurationException if it can't be read
     */
    Optional<String> current();

    static Password of(Optional<String> fixed) {
        return () -> fixed;
    }

    /** In a file, whose last line break is not part of it. */
    static Password in(Path file) {
        return () -> {
            try {
                return Optional.of(withoutLineBreak(Files.readString(file)));
            } catch (IOException e) {
                throw new SourceConfigurationException(
                        "tributary.source.password-file " + file + " can't be read ("
                                + e.getClass().getSimpleName() + ")",
                        e);
            }
        };
    }

    private static String withoutLineBreak(String text) {
        return text.endsWith("\r\n")
                ? text.substring(0, text.length() - 2)
                : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }
}

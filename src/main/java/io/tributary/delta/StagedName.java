package io.tributary.delta;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name of a staged file, read back. */
record StagedName(long batch, String writer) {

    private static final Pattern SHAPE = Pattern.compile("(\\d{20})-(.+)-\\d{8,}\\.parquet");

    static String of(long batch, String writer, long counter) {
        return "%020d-%s-%08d.parquet".formatted(batch, writer, counter);
    }

    /** Empty for a file that no writer of ours named. */
    static Optional<StagedName> parse(String name) {
        Matcher matcher = SHAPE.matcher(name);
        return matcher.matches()
                ? Optional.of(new StagedName(Long.parseLong(matcher.group(1)), matcher.group(2)))
                : Optional.empty();
    }
}

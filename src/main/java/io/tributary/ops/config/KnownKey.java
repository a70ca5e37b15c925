package io.tributary.ops.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A key that the service reads.
 *
 * @param name in full; of a {@link #isFamily() family} the part before the free names, without its last dot
 * @param type of its value, without {@code Optional}
 * @param defaultValue as it would be written
 */
public record KnownKey(String name, Class<?> type, Optional<String> defaultValue) {
    private static final Pattern SECRET =
            Pattern.compile(".*(password|secret|token|credential|passphrase|(access|account|api|private)[._-]?key).*");

    public KnownKey {
        Objects.requireNonNull(name);
        Objects.requireNonNull(type);
        Objects.requireNonNull(defaultValue);
    }

    /** Whether it stands for any number of keys below it. */
    public boolean isFamily() {
        return type == java.util.Map.class;
    }

    boolean covers(String key) {
        if (isFamily()) {
            return key.startsWith(name + ".") && key.length() > name.length() + 1;
        }
        return type == List.class ? key.matches(Pattern.quote(name) + "(\\[\\d+])?") : key.equals(name);
    }

    /** The name that the environment can carry. */
    String environmentName() {
        return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    boolean coversVariable(String variable) {
        return isFamily()
                ? variable.startsWith(environmentName() + "_")
                : variable.matches(Pattern.quote(environmentName()) + (type == List.class ? "(_\\d+_)?" : ""));
    }

    /** What a value must look like, for people. */
    public String form() {
        if (type == Duration.class) {
            return "a duration such as 500ms, 5s, 10m or 1h";
        }
        if (type == io.quarkus.runtime.configuration.MemorySize.class) {
            return "a size such as 512K, 64M or 10G";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (type == Integer.class || type == Long.class) {
            return "a whole number";
        }
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> ((Enum<?>) constant)
                                    .name()
                                    .toLowerCase(Locale.ROOT)
                                    .replace('_', '-'))
                            .collect(Collectors.joining(", "));
        }
        return type == List.class ? "names separated by commas" : "text";
    }

    /** Whether a value has that form as far as letters go; values that can't be converted are found apart. */
    Predicate<String> looksRight() {
        if (type == Boolean.class) {
            // the converter takes every unknown word for false
            return Pattern.compile("true|false", Pattern.CASE_INSENSITIVE).asMatchPredicate();
        }
        if (type == Duration.class) {
            return Pattern.compile("\\d+(ms|s|m|h|d)|PT?[0-9.DHMS]+", Pattern.CASE_INSENSITIVE)
                    .asMatchPredicate();
        }
        if (type.isEnum()) {
            return Pattern.compile(form().substring("one of ".length()).replace(", ", "|"), Pattern.CASE_INSENSITIVE)
                    .asMatchPredicate();
        }
        return value -> true;
    }

    /** Whether values of a key with this name must not be shown. */
    static boolean isSecret(String key) {
        return SECRET.matcher(key.toLowerCase(Locale.ROOT)).matches() && !key.endsWith("-file");
    }
}

package io.tributary.ops.config;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Looks at all settings before anything starts; each problem is one line that names key, place and remedy. */
public final class ConfigCheck {
    private static final Pattern MISSING_EXPRESSION = Pattern.compile("Could not expand value (\\S+) in property");
    /** Variables that Kubernetes adds for a service whose name begins with ours; not settings. */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "TRIBUTARY(_\\w+)?_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    private final SmallRyeConfig config;
    private final Map<String, String> environment;
    private final PropertiesLines lines;
    private final SettingOrigins origins;
    private final KnownKeys known = new KnownKeys();
    private final List<String> problems = new ArrayList<>();
    private final Set<String> explained = new HashSet<>();

    /** The settings as the service will see them, from all sources of this process. */
    public static ConfigCheck ofProcess() throws IOException {
        Path file = Path.of(SettingOrigins.FILE);
        PropertiesLines lines = Files.exists(file) ? PropertiesLines.read(file) : new PropertiesLines("");
        return new ConfigCheck(ConfigUtils.configBuilder().build(), System.getenv(), lines);
    }

    /** @param lines of the properties file in the working folder */
    ConfigCheck(SmallRyeConfig config, Map<String, String> environment, PropertiesLines lines) {
        this.config = config;
        this.environment = environment;
        this.lines = lines;
        this.origins = new SettingOrigins(lines);
    }

    /** Every problem, one line each, without secrets; empty when the service can start. */
    public List<String> problems() {
        problems.clear();
        explained.clear();
        lines.all().forEach(this::refuseDuplicate);
        Map<String, ConfigValue> settings = settings();
        settings.forEach(this::refuseUnknown);
        new TreeSet<>(environment.keySet()).forEach(this::refuseUnknownVariable);
        settings.forEach(this::refuseWrongValue);
        SettingRules rules = new SettingRules(config, key -> origins.of(key, config.getConfigValue(key)));
        rules.broken().forEach((key, problem) -> {
            if (explained.add(key)) {
                problems.add(problem);
            }
        });
        return List.copyOf(problems);
    }

    private void refuseDuplicate(String key, List<Integer> where) {
        if (where.size() > 1) {
            problems.add("%s is set %s times in %s, on lines %s; keep one"
                    .formatted(
                            key,
                            where.size(),
                            SettingOrigins.FILE,
                            where.stream().map(String::valueOf).collect(Collectors.joining(" and "))));
        }
    }

    /** Our settings from properties files and system properties, by name, and known ones from the environment. */
    private Map<String, ConfigValue> settings() {
        Map<String, ConfigValue> found = new TreeMap<>();
        StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .filter(name -> name.startsWith(KnownKeys.ROOT))
                .forEach(name -> found.put(name, config.getConfigValue(name)));
        known.all().stream().filter(key -> !key.isFamily()).forEach(key -> {
            ConfigValue value = config.getConfigValue(key.name());
            if (value.getRawValue() != null) {
                found.put(key.name(), value);
            }
        });
        return found;
    }

    private void refuseUnknown(String key, ConfigValue value) {
        boolean fromEnvironment = String.valueOf(value.getConfigSourceName()).contains("EnvConfigSource");
        if (fromEnvironment || known.covering(key).isPresent()) {
            return;
        }
        KnownKey nearest = known.nearest(key);
        explained.add(nearest.name());
        problems.add("%s (%s) is not a known key; the nearest is %s"
                .formatted(key, origins.of(key, value), nearest.name() + (nearest.isFamily() ? ".\"…\"" : "")));
    }

    private void refuseUnknownVariable(String variable) {
        boolean ours = variable.startsWith("TRIBUTARY_");
        if (!ours || known.coveringVariable(variable).isPresent() || isServiceLink(variable)) {
            return;
        }
        KnownKey nearest = known.nearestVariable(variable);
        explained.add(nearest.name());
        problems.add("%s (environment) belongs to no known key; the nearest is %s for %s"
                .formatted(variable, nearest.environmentName(), nearest.name()));
    }

    private boolean isServiceLink(String variable) {
        return SERVICE_LINK.matcher(variable).matches();
    }

    private void refuseWrongValue(String key, ConfigValue value) {
        Optional<String> missing = missingExpression(value);
        if (missing.isPresent()) {
            explained.add(key);
            problems.add(
                    "%s (%s) refers to ${%s}, which is not set".formatted(key, origins.of(key, value), missing.get()));
            return;
        }
        known.covering(key).filter(each -> !each.isFamily()).ifPresent(each -> {
            String text = value.getValue();
            if (text != null && !text.isBlank() && !fits(each, key, text.strip())) {
                explained.add(key);
                problems.add("%s=%s (%s) is not valid: expected %s"
                        .formatted(key, KnownKey.isSecret(key) ? "***" : text, origins.of(key, value), each.form()));
            }
        });
    }

    private boolean fits(KnownKey known, String key, String text) {
        if (!known.looksRight().test(text)) {
            return false;
        }
        if (known.type() == List.class) {
            return true;
        }
        try {
            config.getOptionalValue(key, known.type());
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Optional<String> missingExpression(ConfigValue value) {
        return value.getProblems().stream()
                .map(problem -> MISSING_EXPRESSION.matcher(problem.getMessage()))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst();
    }
}

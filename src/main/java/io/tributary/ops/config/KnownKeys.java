package io.tributary.ops.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.tributary.batch.BatchConfig;
import io.tributary.delta.DeltaConfig;
import io.tributary.delta.LakeConfig;
import io.tributary.source.SourceConfig;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** All keys of the service, read off the interfaces that they are mapped to. */
public final class KnownKeys {
    public static final String ROOT = "tributary.";

    private static final List<Class<?>> MAPPINGS = List.of(
            SourceConfig.class,
            LakeConfig.class,
            BatchConfig.class,
            DeltaConfig.class,
            GuardConfig.class,
            ShutdownConfig.class);

    private final List<KnownKey> keys;

    public KnownKeys() {
        List<KnownKey> found = new ArrayList<>();
        for (Class<?> mapping : MAPPINGS) {
            String prefix = mapping.getAnnotation(ConfigMapping.class).prefix();
            for (Method method : mapping.getMethods()) {
                WithDefault value = method.getAnnotation(WithDefault.class);
                found.add(new KnownKey(
                        prefix + "." + kebab(method.getName()),
                        valueType(method.getGenericReturnType()),
                        Optional.ofNullable(value).map(WithDefault::value)));
            }
        }
        found.sort(Comparator.comparing(KnownKey::name));
        keys = List.copyOf(found);
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private static Class<?> valueType(Type declared) {
        if (declared instanceof ParameterizedType generic) {
            return generic.getRawType() == Optional.class
                    ? valueType(generic.getActualTypeArguments()[0])
                    : (Class<?>) generic.getRawType();
        }
        Class<?> type = (Class<?>) declared;
        if (type == boolean.class) {
            return Boolean.class;
        }
        if (type == long.class) {
            return Long.class;
        }
        return type == int.class ? Integer.class : type;
    }

    public List<KnownKey> all() {
        return keys;
    }

    Optional<KnownKey> covering(String key) {
        return keys.stream().filter(known -> known.covers(key)).findFirst();
    }

    Optional<KnownKey> coveringVariable(String variable) {
        return keys.stream().filter(known -> known.coversVariable(variable)).findFirst();
    }

    /** The key whose name needs the fewest changes to become this one. */
    KnownKey nearest(String key) {
        return keys.stream()
                .min(Comparator.comparingInt(known -> EditDistance.between(known.name(), key)))
                .orElseThrow();
    }

    /** The key whose variable needs the fewest changes to become this one. */
    KnownKey nearestVariable(String variable) {
        return keys.stream()
                .min(Comparator.comparingInt(known -> EditDistance.between(known.environmentName(), variable)))
                .orElseThrow();
    }
}

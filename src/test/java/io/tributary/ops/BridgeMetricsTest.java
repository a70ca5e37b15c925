package io.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.pipeline.BridgeState;
import java.lang.reflect.Constructor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BridgeMetricsTest {

    @Test
    void theMetricKnowsTheWordOfEveryState() throws ReflectiveOperationException {
        List<String> words = new ArrayList<>();
        for (Class<?> type : BridgeState.class.getPermittedSubclasses()) {
            words.add(anyOf(type).word());
        }

        assertThat(BridgeMetrics.stateWords()).isEqualTo(words);
    }

    private static BridgeState anyOf(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        List<Object> arguments = new ArrayList<>();
        for (Class<?> parameter : constructor.getParameterTypes()) {
            if (parameter == int.class) {
                arguments.add(1);
            } else if (parameter == long.class) {
                arguments.add(1L);
            } else if (parameter == Map.class) {
                arguments.add(Map.of());
            } else if (parameter == Instant.class) {
                arguments.add(Instant.EPOCH);
            } else {
                arguments.add("any");
            }
        }
        return (BridgeState) constructor.newInstance(arguments.toArray());
    }
}

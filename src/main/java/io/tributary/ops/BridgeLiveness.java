package io.tributary.ops;

import io.tributary.pipeline.BridgeState;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** {@code /q/health/live}: red when the bridge has ended but the process hasn't; an outage elsewhere is no reason. */
@Liveness
@Singleton
class BridgeLiveness implements HealthCheck {
    private final ServiceView view;

    BridgeLiveness(ServiceView view) {
        this.view = view;
    }

    @Override
    public HealthCheckResponse call() {
        BridgeState state = view.now().state();
        boolean over = state instanceof BridgeState.Failed || state instanceof BridgeState.Stopped;
        return HealthCheckResponse.named("bridge")
                .status(!over)
                .withData("state", state.word())
                .build();
    }
}

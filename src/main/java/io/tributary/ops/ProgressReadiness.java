package io.tributary.ops;

import jakarta.inject.Singleton;
import java.util.List;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/** {@code /q/health/ready}: red when the work doesn't get on, with the reasons. */
@org.eclipse.microprofile.health.Readiness
@Singleton
class ProgressReadiness implements HealthCheck {
    private final ServiceView view;

    ProgressReadiness(ServiceView view) {
        this.view = view;
    }

    @Override
    public HealthCheckResponse call() {
        ServiceView.Moment moment = view.now();
        HealthCheckResponseBuilder response = HealthCheckResponse.named("bridge")
                .status(moment.readiness().ready())
                .withData("state", moment.state().word())
                .withData("summary", moment.state().sentence())
                .withData("verdict", moment.report().verdict().name());
        list(response, "problem", moment.readiness().reasons());
        list(response, "warning", moment.readiness().wal().warnings());
        return response.build();
    }

    private static void list(HealthCheckResponseBuilder response, String name, List<String> sentences) {
        for (int i = 0; i < sentences.size(); i++) {
            response.withData(name + (i + 1), sentences.get(i));
        }
    }
}

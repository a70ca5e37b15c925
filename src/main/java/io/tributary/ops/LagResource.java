package io.tributary.ops;

import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.Cache;

/** {@code GET /lag}. */
@Path("/lag")
public class LagResource {
    private final ServiceView view;

    LagResource(ServiceView view) {
        this.view = view;
    }

    @GET
    @Blocking
    @Cache(noStore = true)
    @Produces(MediaType.APPLICATION_JSON)
    public LagDocument lag() {
        return LagDocument.of(view.sourceName(), view.now());
    }
}

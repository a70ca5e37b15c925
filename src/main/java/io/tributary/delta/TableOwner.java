package io.tributary.delta;

import io.tributary.event.SourceIdentity;
import java.util.Objects;

/**
 * The source that a bronze table belongs to; kept in its table properties. Without timeline and slot, which change in a
 * failover.
 *
 * @param source the source's logical name
 * @param kind the database product
 * @param server which server it is
 * @param database the database on it
 */
public record TableOwner(String source, String kind, String server, String database) {
    public TableOwner {
        Objects.requireNonNull(source);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(server);
        Objects.requireNonNull(database);
    }

    public static TableOwner of(String source, SourceIdentity identity) {
        return new TableOwner(source, identity.kind(), identity.server(), identity.database());
    }
}

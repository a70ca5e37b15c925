package io.tributary.event;

import java.util.Objects;

/**
 * Which database server stands behind the address, so that another one (or a restored copy) is noticed.
 *
 * @param kind {@code postgres} or {@code mysql}
 * @param server PostgreSQL's system identifier, MySQL's server uuid
 * @param timeline PostgreSQL's timeline; 0 elsewhere
 * @param database the database that is captured
 * @param channel the replication slot; empty elsewhere
 */
public record SourceIdentity(String kind, String server, long timeline, String database, String channel) {
    public SourceIdentity {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(server);
        Objects.requireNonNull(database);
        Objects.requireNonNull(channel);
    }
}

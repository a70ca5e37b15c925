package io.tributary.source;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The database that is captured. What is required but optional here is checked with its own message. */
@ConfigMapping(prefix = "tributary.source")
public interface SourceConfig {

    /** Logical name, part of control paths; lower-case letters, digits, {@code _} and {@code -}. Required. */
    Optional<String> name();

    /** Which connector. Required. */
    Optional<Kind> kind();

    /** Host name or address of the database. */
    @WithDefault("localhost")
    String hostname();

    /** TCP port; the kind's standard port if not set. */
    Optional<Integer> port();

    /** Database to capture. Required. */
    Optional<String> database();

    /** User that connects. Required. */
    Optional<String> username();

    /** Its password. */
    Optional<String> password();

    /** File that holds the password; its last line break is not part of it. */
    Optional<String> passwordFile();

    /** Tables as {@code schema.table} with {@code *} and {@code ?}; each entry must match something. Required. */
    Optional<List<String>> tables();

    /**
     * Tables without a replica identity whose rows nothing ever updates or deletes, in the same form: the server refuses
     * both once they are published.
     */
    Optional<List<String>> insertOnlyTables();

    /** What to do about rows that are already there. */
    @WithDefault("initial")
    SnapshotPolicy snapshot();

    /** What to do when changes are missing at the source: end with exit code 3, or wait for the repair. */
    @WithDefault("exit")
    GapPolicy onGap();

    /** PostgreSQL: replication slot; {@code tributary_<name>} if not set. */
    Optional<String> slot();

    /** PostgreSQL: publication; {@code tributary_<name>} if not set. */
    Optional<String> publication();

    /** Whether a transactional logical message may be written to move an idle slot; PostgreSQL only. */
    @WithDefault("true")
    boolean idleMessage();

    /** Properties handed to the Debezium connector as they are; those that would break a promise are refused. */
    Map<String, String> debezium();

    /** The database product. */
    enum Kind {
        POSTGRES
    }

    /** What to do about rows that were there before the capture. */
    enum SnapshotPolicy {
        /** Read before the first change is captured. */
        INITIAL,
        /** Left out. */
        NEVER,
        /** As INITIAL; and all are read anew, as the next generation, when changes are missing at the source. */
        WHEN_NEEDED
    }

    /** What to do about a gap that isn't repaired by the snapshot policy. */
    enum GapPolicy {
        EXIT,
        BLOCK
    }
}

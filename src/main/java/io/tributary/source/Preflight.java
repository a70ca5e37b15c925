package io.tributary.source;

import io.tributary.event.SourceIdentity;
import io.tributary.event.TableId;
import io.tributary.source.SourceReport.CapturedTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Everything that is checked before anything is written. */
final class Preflight {
    private final Server server;
    private final Channel channel;
    private final ConnectionSettings settings;
    private final Catalog catalog;
    private final List<TablePattern> patterns;
    private final List<TablePattern> insertOnly;
    private final List<Finding> findings = new ArrayList<>();

    Preflight(
            Server server,
            Channel channel,
            ConnectionSettings settings,
            Catalog catalog,
            List<TablePattern> patterns,
            List<TablePattern> insertOnly) {
        this.server = server;
        this.channel = channel;
        this.settings = settings;
        this.catalog = catalog;
        this.patterns = patterns;
        this.insertOnly = insertOnly;
    }

    SourceReport report() {
        String version = server.version();
        ServerVersion release = server.release();
        checkServer(version, release);
        SourceIdentity identity = identity();
        boolean slotMissing = checkSlot();
        List<CapturedTable> tables = new ArrayList<>();
        Set<TableId> selected = selected();
        if (!selected.isEmpty()) {
            checkPublication(selected);
            checkIdentities(catalog.unidentified(selected));
            TableChecks checks = new TableChecks(catalog, settings.user(), release);
            for (TableId table : selected) {
                tables.add(checks.check(table, findings));
            }
        }
        checkFreeSlots(slotMissing);
        return new SourceReport(version, identity, tables, findings);
    }

    private void checkServer(String version, ServerVersion release) {
        if (release.major() < ServerVersion.OLDEST) {
            findings.add(Finding.error(
                    "server",
                    "PostgreSQL " + version + " is older than " + ServerVersion.OLDEST
                            + ": it has neither publications nor the plug-in pgoutput that reads them",
                    "upgrade the server"));
        }
        if (!release.publishesTruncate()) {
            findings.add(Finding.warning(
                    "server",
                    "PostgreSQL " + version + " doesn't publish TRUNCATE: a table that is truncated, or rewritten as by"
                            + " VACUUM FULL, is read anew",
                    "upgrade the server to 11"));
        }
        if (!server.setting("wal_level").equals("logical")) {
            findings.add(Finding.error(
                    "wal_level",
                    "is '" + server.setting("wal_level") + "', so the WAL can't be decoded",
                    "ALTER SYSTEM SET wal_level = 'logical'; then restart the server"));
        }
        if (server.inRecovery()) {
            findings.add(Finding.wait(
                    "server",
                    "is a standby, on which no publication can be made and no idle message be written",
                    "set tributary.source.hostname to the primary, or wait until this one is promoted"));
        }
        if (release.copiesSlots()
                && server.setting("synchronized_standby_slots").isEmpty()
                && server.hasStandbySlots()) {
            findings.add(Finding.warning(
                    "synchronized_standby_slots",
                    "is empty, so a standby may be promoted without changes that the lake holds already, which is a gap",
                    "ALTER SYSTEM SET synchronized_standby_slots = 'the slots of the standbys that may be promoted';"
                            + " SELECT pg_reload_conf()"));
        }
        if (!release.boundsSlots()) {
            findings.add(Finding.warning(
                    "server",
                    "PostgreSQL " + version
                            + " can't bound what a slot keeps: while nothing reads it, the server's disk"
                            + " can fill with WAL",
                    "set tributary.guard.max-retained-wal, and drop the slot when the service goes for good"));
        } else if (server.setting("max_slot_wal_keep_size").equals("-1")) {
            findings.add(Finding.warning(
                    "max_slot_wal_keep_size",
                    "is not set: while nothing reads the slot, the server's disk can fill with WAL",
                    "ALTER SYSTEM SET max_slot_wal_keep_size = '50GB'; SELECT pg_reload_conf()"));
        }
    }

    /** A user that may not replicate is a finding like any other, not the end of the report. */
    private SourceIdentity identity() {
        try {
            return server.identity(channel.slot());
        } catch (SourceConfigurationException e) {
            findings.add(Finding.error(
                    "user " + settings.user(),
                    e.getMessage() == null ? "may not replicate" : e.getMessage(),
                    mayReplicate(e) ? "" : "ALTER ROLE " + Identifier.quoted(settings.user()) + " REPLICATION"));
            return new SourceIdentity("postgres", "", 0, settings.database(), channel.slot());
        }
    }

    private static boolean mayReplicate(SourceConfigurationException refusal) {
        return !(refusal.getCause() instanceof SQLException cause && "42501".equals(cause.getSQLState()));
    }

    private boolean checkSlot() {
        if (!(channel.state() instanceof ChannelState.Present slot)) {
            return true;
        }
        String subject = "slot " + channel.slot();
        if (!slot.plugin().equals("pgoutput") || !slot.database().equals(settings.database())) {
            findings.add(Finding.error(
                    subject,
                    "is a " + slot.plugin() + " slot of database '" + slot.database() + "'",
                    "set tributary.source.slot to a name that is free"));
        } else if (slot.walStatus().equals("lost")) {
            findings.add(Finding.gap(
                    subject,
                    "is invalidated: the server has dropped WAL that was not captured yet",
                    "drop the slot and take a new snapshot"));
        } else if (!channel.copiedToStandbys()) {
            findings.add(Finding.warning(
                    subject,
                    "is no failover slot, so a standby that is promoted hasn't got it",
                    "while the service is down, over a replication connection: ALTER_REPLICATION_SLOT " + channel.slot()
                            + " (FAILOVER)"));
        } else if (slot.active()) {
            findings.add(Finding.warning(
                    subject, "is read by pid " + slot.activePid().getAsInt() + " now", "stop the other instance"));
        }
        return false;
    }

    /** The server refuses every UPDATE and DELETE on a published table that has none: the application would break. */
    private void checkIdentities(SortedSet<TableId> unidentified) {
        for (TableId table : unidentified) {
            if (insertOnly.stream().anyMatch(pattern -> pattern.matches(table))) {
                findings.add(Finding.warning(
                        table.toString(),
                        "has no replica identity and is called insert-only: every UPDATE and DELETE on it fails",
                        ""));
            } else {
                findings.add(Finding.error(
                        table.toString(),
                        "has no replica identity, or a partition of it hasn't: once it is published, every UPDATE and"
                                + " DELETE on it fails",
                        "ALTER TABLE " + Identifier.quoted(table) + " REPLICA IDENTITY FULL, or give it a primary key;"
                                + " if nothing ever updates or deletes its rows, add it to"
                                + " tributary.source.insert-only-tables"));
            }
        }
    }

    private void checkFreeSlots(boolean slotMissing) {
        int needed = slotMissing ? 2 : 1;
        if (!server.hasFreeSlots(needed)) {
            findings.add(Finding.error(
                    "max_replication_slots",
                    needed + " more are needed: " + (slotMissing ? "one to stream and one" : "one")
                            + " for the moment in which a snapshot begins",
                    "ALTER SYSTEM SET max_replication_slots = "
                            + (Integer.parseInt(server.setting("max_replication_slots")) + needed)
                            + "; then restart the server"));
        }
    }

    private Set<TableId> selected() {
        try {
            return TablePattern.select(patterns, catalog.tables());
        } catch (SourceConfigurationException e) {
            findings.add(Finding.error("tributary.source.tables", String.valueOf(e.getMessage()), ""));
            return Set.of();
        }
    }

    private void checkPublication(Set<TableId> selected) {
        Optional<Channel.Publication> publication = channel.readPublication();
        String subject = "publication " + channel.publication();
        boolean ownsAll =
                selected.stream().allMatch(table -> catalog.details(table).owned());
        if (publication.isEmpty()) {
            if (!ownsAll || !server.mayCreateInDatabase()) {
                findings.add(Finding.error(
                        subject,
                        "does not exist, and user " + settings.user() + " may not create it",
                        channel.createPublicationSql(selected)));
            }
            return;
        }
        Channel.Publication found = publication.get();
        checkTables(found, selected, subject);
        if (!found.complete()) {
            findings.add(Finding.error(
                    subject,
                    "leaves out inserts, updates, deletes or truncates",
                    "ALTER PUBLICATION " + Identifier.quoted(channel.publication())
                            + " SET (publish = 'insert, update, delete, truncate')"));
        }
        if (!found.viaRoot()
                && selected.stream().anyMatch(table -> catalog.details(table).partitioned())) {
            findings.add(Finding.error(
                    subject,
                    "names partitions instead of the partitioned table",
                    "ALTER PUBLICATION " + Identifier.quoted(channel.publication())
                            + " SET (publish_via_partition_root = true)"));
        }
    }

    private void checkTables(Channel.Publication found, Set<TableId> selected, String subject) {
        Set<TableId> missing = new TreeSet<>(selected);
        missing.removeAll(found.tables());
        boolean ownsMissing =
                missing.stream().allMatch(table -> catalog.details(table).owned());
        if (!missing.isEmpty() && (!found.owned() || !ownsMissing)) {
            findings.add(Finding.error(
                    subject,
                    "does not list " + missing + ", and user " + settings.user() + " may not add them",
                    channel.addTablesSql(missing)));
        }
        Set<TableId> surplus = new TreeSet<>(found.tables());
        surplus.removeAll(selected);
        if (!surplus.isEmpty()) {
            findings.add(Finding.warning(
                    subject,
                    "also lists " + surplus + ", which are not captured but cost decoding",
                    found.allTables()
                            ? "make one with the captured tables only"
                            : "ALTER PUBLICATION " + Identifier.quoted(channel.publication()) + " DROP TABLE …"));
        }
        for (TableId table : found.filtered()) {
            if (selected.contains(table)) {
                findings.add(Finding.error(
                        table.toString(),
                        "is published with a row filter or a column list, so changes or columns would be missing",
                        "publish it without"));
            }
        }
    }
}

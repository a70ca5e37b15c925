package io.tributary.source;

import io.tributary.event.TableId;
import io.tributary.source.Catalog.CatalogColumn;
import io.tributary.source.SourceReport.CapturedTable;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The preflight of one table. */
final class TableChecks {
    private final Catalog catalog;
    private final String user;
    private final ServerVersion version;
    private final int moneyScale;

    TableChecks(Catalog catalog, String user, ServerVersion version) {
        this.catalog = catalog;
        this.user = user;
        this.version = version;
        this.moneyScale = catalog.types().moneyScale();
    }

    CapturedTable check(TableId table, List<Finding> findings) {
        Catalog.Details details = catalog.details(table);
        String name = table.toString();
        if (!details.readable()) {
            findings.add(Finding.error(
                    name,
                    "user " + user + " may not read it, so there can be no snapshot",
                    "GRANT USAGE ON SCHEMA " + Identifier.quoted(table.schema()) + " TO " + Identifier.quoted(user)
                            + "; GRANT SELECT ON " + Identifier.quoted(table) + " TO " + Identifier.quoted(user)));
        }
        if (details.partitioned() && !version.publishesPartitioned()) {
            findings.add(Finding.error(
                    name,
                    "is partitioned, and PostgreSQL " + version.major()
                            + " can't publish it as one: nothing of it would be captured",
                    "upgrade the server to 13"));
        }
        if (!details.logged()) {
            findings.add(Finding.error(
                    name,
                    "is unlogged, so its changes are not in the WAL",
                    "ALTER TABLE " + Identifier.quoted(table) + " SET LOGGED"));
        }
        if (details.rowSecurity()) {
            findings.add(Finding.error(
                    name,
                    "row security hides rows of it from user " + user,
                    "ALTER ROLE " + Identifier.quoted(user) + " BYPASSRLS"));
        }
        checkColumns(table, findings);
        return new CapturedTable(
                catalog.schema(table, moneyScale),
                details.rowEstimate(),
                details.bytes(),
                switch (details.identity()) {
                    case 'f' -> "full";
                    case 'i' -> "index";
                    case 'n' -> "nothing";
                    default -> "default";
                });
    }

    private void checkColumns(TableId table, List<Finding> findings) {
        Map<String, String> seen = new HashMap<>();
        for (CatalogColumn column : catalog.columns(table)) {
            String subject = table + "." + column.name();
            String twin = seen.putIfAbsent(column.name().toLowerCase(Locale.ROOT), column.name());
            if (twin != null) {
                findings.add(Finding.error(
                        subject,
                        "differs from column '" + twin + "' in case only, which the engine can't tell apart",
                        "ALTER TABLE " + Identifier.quoted(table) + " RENAME COLUMN " + Identifier.quoted(column.name())
                                + " TO …"));
            }
            if (column.generated()) {
                findings.add(Finding.warning(
                        subject, "is generated and not in the stream, so bronze does not have it", "compute it there"));
            }
            String loss = column.type().loss(version.major());
            if (!loss.isEmpty()) {
                findings.add(Finding.warning(subject, column.type().text() + ": " + loss, ""));
            }
        }
    }
}

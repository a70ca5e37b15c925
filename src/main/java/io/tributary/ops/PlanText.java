package io.tributary.ops;

import io.tributary.event.ColumnType;
import io.tributary.evolution.BronzeColumn;
import io.tributary.evolution.LayoutEvolution;
import io.tributary.source.Finding;
import io.tributary.source.SourceReport;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A preflight for people: what will be captured, what each column becomes, and what stands in the way. */
final class PlanText {
    private static final List<String> SIZES = List.of("B", "KiB", "MiB", "GiB", "TiB");

    private final SourceReport report;
    private final String lake;
    private final StringBuilder text = new StringBuilder();

    /** @param lake where the tables will be */
    PlanText(SourceReport report, String lake) {
        this.report = report;
        this.lake = lake;
    }

    String render() {
        text.setLength(0);
        line("Source   %s %s, database %s, server %s, slot %s"
                .formatted(
                        report.identity().kind(),
                        report.serverVersion(),
                        report.identity().database(),
                        report.identity().server(),
                        report.identity().channel()));
        line("Lake     " + lake);
        line("");
        line("%s to capture, %s to read at first"
                .formatted(
                        counted(report.tables().size(), "table"),
                        size(report.tables().stream()
                                .mapToLong(SourceReport.CapturedTable::bytes)
                                .sum())));
        report.tables().forEach(this::table);
        line("");
        report.findings().stream()
                .sorted(Comparator.comparing(Finding::severity))
                .forEach(this::finding);
        int errors = report.errors().size();
        line(
                errors == 0
                        ? "Nothing stands in the way of a start."
                        : "It can't start: " + counted(errors, "error") + ".");
        return text.toString();
    }

    private void table(SourceReport.CapturedTable table) {
        line("");
        line("%s: %s, %s, replica identity %s"
                .formatted(
                        table.table(),
                        table.rowEstimate() < 0
                                ? "number of rows unknown"
                                : "about " + counted(table.rowEstimate(), "row"),
                        size(table.bytes()),
                        table.replicaIdentity()));
        List<BronzeColumn> columns =
                LayoutEvolution.begin(table.schema()).layout().columns();
        int name = widest(columns.stream().map(BronzeColumn::sourceName).toList());
        int type = widest(columns.stream().map(BronzeColumn::sourceType).toList());
        for (BronzeColumn column : columns) {
            String notes = (column.key() ? "  key" : "")
                    + (column.name().equals(column.sourceName()) ? "" : "  named " + column.name());
            line(("  %-" + name + "s  %-" + type + "s  -> %s%s")
                    .formatted(column.sourceName(), column.sourceType(), delta(column.type()), notes));
        }
    }

    private void finding(Finding finding) {
        line("%-7s  %s: %s".formatted(finding.severity(), finding.subject(), finding.what()));
        if (!finding.remedy().isEmpty()) {
            finding.remedy().lines().forEach(remedy -> line("         remedy: " + remedy));
        }
    }

    /** A type as Spark spells it. */
    static String delta(ColumnType type) {
        if (type instanceof ColumnType.Decimal decimal) {
            return "DECIMAL(%d,%d)".formatted(decimal.precision(), decimal.scale());
        }
        if (type instanceof ColumnType.Array array) {
            return "ARRAY<" + delta(array.element()) + ">";
        }
        if (type instanceof ColumnType.Struct struct) {
            return struct.fields().stream()
                    .map(field -> field.name() + ": " + delta(field.type()))
                    .collect(Collectors.joining(", ", "STRUCT<", ">"));
        }
        return type.toString();
    }

    private static int widest(List<String> words) {
        return Math.min(40, words.stream().mapToInt(String::length).max().orElse(0)) + 1;
    }

    private static String counted(long number, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
    }

    private static String size(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < SIZES.size() - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, SIZES.get(unit));
    }

    private void line(String line) {
        text.append(line.stripTrailing()).append('\n');
    }
}

package io.tributary.pipeline;

import io.tributary.delta.BronzeTable;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableBlockedException;
import io.tributary.delta.TableCommit;
import io.tributary.delta.TableProgress;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import io.tributary.evolution.LayoutEvolution;
import io.tributary.evolution.TableLayout;
import io.tributary.source.GapKind;
import io.tributary.source.Source;
import io.tributary.source.SourceConfig.SnapshotPolicy;
import io.tributary.source.SourceGapException;
import io.tributary.source.SourceReport;
import io.tributary.source.SourceUnavailableException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jboss.logging.Logger;

/** Makes sure that every captured table has its bronze table, and knows which ones must be read from the start. */
final class TablePreparation {
    private static final Logger LOG = Logger.getLogger(TablePreparation.class);

    private final Source source;
    private final DeltaLake lake;
    private final JournalHead head;
    private final SnapshotPolicy policy;
    private final Map<TableId, BronzeTable> bronze = new LinkedHashMap<>();
    private final Map<TableId, TableSchema> schemas = new LinkedHashMap<>();
    private final Map<TableId, String> relations = new LinkedHashMap<>();
    private final Map<TableId, String> leftOut = new LinkedHashMap<>();

    TablePreparation(Source source, DeltaLake lake, JournalHead head, SnapshotPolicy policy) {
        this.source = Objects.requireNonNull(source);
        this.lake = Objects.requireNonNull(lake);
        this.head = Objects.requireNonNull(head);
        this.policy = Objects.requireNonNull(policy);
    }

    /** Brings publication, bronze tables and journal in line with the configured tables. */
    void prepare(SourceReport report) throws IOException, JournalFencedException, TableBlockedException {
        source.ensurePublication();
        relations.putAll(source.relations());
        Map<TableId, TableProgress> progress = new LinkedHashMap<>();
        for (SourceReport.CapturedTable captured : report.tables()) {
            TableSchema schema = captured.schema();
            TableId table = schema.table();
            schemas.put(table, schema);
            TableProgress known = head.tables().get(table);
            progress.put(table, known == null ? adopt(schema) : follow(table, check(schema, known)));
        }
        leftOut.keySet().forEach(schemas::remove);
        head.tables().forEach((table, left) -> {
            // its changes go by unseen from here on: if it comes back it is read anew
            progress.putIfAbsent(table, left.withoutSnapshot());
        });
        if (!progress.equals(head.tables())) {
            head.claim(head.position(), progress);
        }
    }

    /** What the source's tables were when they were prepared. */
    Map<TableId, String> relations() {
        return relations;
    }

    /** The tables of the configuration, without those that are left out. */
    Set<TableId> captured() {
        return schemas.keySet();
    }

    /** Tables that an operator waived and that still can't take rows, with the reason. */
    Map<TableId, String> leftOut() {
        return leftOut;
    }

    /** The Delta version of each captured table when it was found or made. */
    Map<TableId, Long> versions() {
        Map<TableId, Long> versions = new LinkedHashMap<>();
        bronze.forEach((table, found) -> versions.put(table, found.version()));
        return versions;
    }

    /** Tables whose existing rows are still to be read. */
    Map<TableId, SnapshotListener.Target> toRead() {
        Map<TableId, SnapshotListener.Target> targets = new LinkedHashMap<>();
        schemas.forEach((table, schema) -> {
            TableProgress progress = Objects.requireNonNull(head.tables().get(table));
            if (progress.snapshot().isEmpty()) {
                BronzeTable into = Objects.requireNonNull(bronze.get(table));
                targets.put(
                        table,
                        new SnapshotListener.Target(
                                schema,
                                into.layout(),
                                progress,
                                into.lastBatch().isPresent()));
            }
        });
        return targets;
    }

    /** The layout of every captured table as the lake holds it now. */
    Map<TableId, TableLayout> layouts() throws IOException, TableBlockedException {
        Map<TableId, TableLayout> layouts = new LinkedHashMap<>();
        for (TableId table : schemas.keySet()) {
            layouts.put(table, lake.require(table).layout());
        }
        return layouts;
    }

    private TableProgress adopt(TableSchema schema) throws IOException, TableBlockedException {
        TableId table = schema.table();
        BronzeTable made = lake.create(
                LayoutEvolution.begin(schema).layout(), head.newest().source());
        if (made.lastBatch().isPresent()) {
            throw new TableBlockedException(
                    table,
                    made.path(),
                    made.version(),
                    "it holds batch " + made.lastBatch().getAsLong()
                            + " of this source, which the journal doesn't know; move the table away, it is then read anew",
                    null);
        }
        bronze.put(table, made);
        return new TableProgress(
                made.path(),
                made.deltaId(),
                relation(table),
                0,
                policy == SnapshotPolicy.NEVER ? head.position().map(SnapshotPoint::nothing) : Optional.empty(),
                OptionalLong.empty(),
                false);
    }

    /**
     * Nothing shows in the stream when a table is dropped and made anew, or taken out of the publication for a while: what
     * changed meanwhile can only be had by reading it again.
     */
    private TableProgress follow(TableId table, TableProgress known) {
        String relation = relation(table);
        if (known.relation().equals(relation)) {
            return known;
        }
        String what = table + " was made anew, or its place in the publication was altered (" + known.relation()
                + " -> " + relation + ")";
        if (policy == SnapshotPolicy.NEVER) {
            throw unseen(what);
        }
        LOG.warnf("%s: changes may have gone by unseen; it is read anew", what);
        return known.withoutSnapshot(relation);
    }

    private SourceGapException unseen(String what) {
        String channel = head.newest().source().channel();
        String stored = head.position().map(SourcePosition::text).orElse("");
        return new SourceGapException(
                        GapKind.TABLE_ALTERED,
                        new SourceGapException.Facts(channel, stored, ""),
                        what,
                        "changes may have gone by unseen")
                .withRemedy("Nothing was written. To read it anew, set tributary.source.snapshot=initial");
    }

    private String relation(TableId table) {
        String relation = relations.get(table);
        if (relation == null) {
            throw new SourceUnavailableException(
                    table + " was dropped or renamed, or the publication was dropped, while the bridge was starting");
        }
        return relation;
    }

    private TableProgress check(TableSchema schema, TableProgress known) throws IOException, TableBlockedException {
        return known.waived() ? resume(schema, known) : intact(schema.table(), known);
    }

    /** A waived table comes back, with a new generation, as soon as what stands there can take rows again. */
    private TableProgress resume(TableSchema schema, TableProgress known) throws IOException {
        TableId table = schema.table();
        try {
            TableLayout layout = LayoutEvolution.begin(schema).layout();
            BronzeTable found = lake.create(layout, head.newest().source());
            lake.verify(new TableCommit(table, found.path(), found.deltaId(), found.layout(), 0, List.of()));
            bronze.put(table, found);
            LOG.infof("%s can take rows again: it is read anew", table);
            return known.resumed(found.deltaId(), found.lastBatch());
        } catch (TableBlockedException e) {
            LOG.warnf("%s stays waived, its changes are not captured: %s", table, Failures.message(e));
            leftOut.put(table, Failures.message(e));
            return known;
        }
    }

    private TableProgress intact(TableId table, TableProgress known) throws IOException, TableBlockedException {
        bronze.put(table, lake.require(table));
        return known;
    }
}

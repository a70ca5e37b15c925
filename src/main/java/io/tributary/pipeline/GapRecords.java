package io.tributary.pipeline;

import io.tributary.delta.DeltaLake;
import io.tributary.delta.GapFact;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.TableProgress;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.source.SourceGapException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/** Keeps what is missing, and what was done about it, in the lake's control table {@code gaps}. */
final class GapRecords {
    private static final Logger LOG = Logger.getLogger(GapRecords.class);

    private final DeltaLake lake;

    GapRecords(DeltaLake lake) {
        this.lake = Objects.requireNonNull(lake);
    }

    /** A gap that was met; every start that meets it again adds nothing. The gap is what matters, so nothing is thrown. */
    void met(SourceGapException gap) {
        try {
            long number = lake.journal().newest().map(JournalEntry::number).orElse(-1L);
            lake.gaps()
                    .record(
                            "gap/" + number + "/" + gap.kind(),
                            List.of(new GapFact(
                                    GapFact.Kind.GAP,
                                    Optional.empty(),
                                    gap.channel(),
                                    gap.stored(),
                                    gap.available(),
                                    Failures.message(gap),
                                    OptionalLong.empty())));
        } catch (IOException | RuntimeException e) {
            LOG.warnf("The gap could not be put into the control table gaps: %s", Failures.message(e));
        }
    }

    /** Tables that a journal object lets read anew: a row each. */
    void repaired(JournalEntry claim, String stored, String cause) throws IOException {
        repaired(claim, claim.tables().keySet(), stored, cause);
    }

    /** The same for some of them; the stored position stays. */
    void repaired(JournalEntry claim, Set<TableId> tables, String cause) throws IOException {
        repaired(claim, tables, stored(claim), cause);
    }

    private void repaired(JournalEntry claim, Set<TableId> tables, String stored, String cause) throws IOException {
        List<GapFact> facts = new ArrayList<>();
        for (TableId table : new TreeSet<>(tables)) {
            facts.add(fact(GapFact.Kind.REPAIR, claim, table, stored, cause));
        }
        lake.gaps().record("repair/" + claim.number(), facts);
    }

    /**
     * A repair whose process died between its claim and its row: the row is made up for. One that is there already stays
     * as it is.
     *
     * @param newest an object that knows no position
     */
    void interrupted(JournalEntry newest) throws IOException {
        JournalEntry begun = newest;
        Optional<JournalEntry> before = lake.journal().read(begun.number() - 1);
        while (before.isPresent() && before.get().position().isEmpty()) {
            begun = before.get();
            before = lake.journal().read(begun.number() - 1);
        }
        if (!begun.tables().isEmpty()) {
            String stored = before.flatMap(JournalEntry::position)
                    .map(SourcePosition::text)
                    .orElse("");
            repaired(begun, stored, "a repair that was interrupted when it had begun");
        }
    }

    /** A table that is taken out of the capture, up to its next generation; once for each. */
    void waived(JournalEntry entry, TableId table, String cause) throws IOException {
        GapFact fact = fact(GapFact.Kind.WAIVE, entry, table, stored(entry), cause);
        lake.gaps().record("waive/" + table + "/" + fact.generation().getAsLong(), List.of(fact));
    }

    private static String stored(JournalEntry entry) {
        return entry.position().map(SourcePosition::text).orElse("");
    }

    private static GapFact fact(GapFact.Kind kind, JournalEntry entry, TableId table, String stored, String cause) {
        TableProgress progress = Objects.requireNonNull(entry.tables().get(table));
        return new GapFact(
                kind,
                Optional.of(table),
                entry.source().channel(),
                stored,
                "",
                cause,
                OptionalLong.of(progress.generation() + 1));
    }
}

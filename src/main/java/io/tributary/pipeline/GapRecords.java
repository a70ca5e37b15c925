package io.tributary.pipeline;

import io.tributary.delta.DeltaLake;
import io.tributary.delta.GapFact;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.TableProgress;
import io.tributary.event.TableId;
import io.tributary.source.SourceGapException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
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
        List<GapFact> facts = new ArrayList<>();
        new TreeMap<>(claim.tables())
                .forEach((table, progress) ->
                        facts.add(fact(GapFact.Kind.REPAIR, claim, table, stored, cause, progress.generation() + 1)));
        lake.gaps().record("repair/" + claim.number(), facts);
    }

    /** A table that a journal object takes out of the capture. */
    void waived(JournalEntry claim, TableId table, String cause) throws IOException {
        TableProgress progress = Objects.requireNonNull(claim.tables().get(table));
        String stored = claim.position().map(position -> position.text()).orElse("");
        lake.gaps()
                .record(
                        "waive/" + claim.number() + "/" + table,
                        List.of(fact(GapFact.Kind.WAIVE, claim, table, stored, cause, progress.generation() + 1)));
    }

    private static GapFact fact(
            GapFact.Kind kind, JournalEntry claim, TableId table, String stored, String cause, long generation) {
        return new GapFact(
                kind, Optional.of(table), claim.source().channel(), stored, "", cause, OptionalLong.of(generation));
    }
}

package io.tributary.pipeline;

import io.tributary.delta.JournalEntry;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableProgress;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.source.GapKind;
import io.tributary.source.Source;
import io.tributary.source.SourceGapException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Closes a gap for the owner of a source: a new channel, from which every table is read anew as its next generation. What
 * was missed shows in that generation, deletes included, since it begins with a truncate row.
 */
final class Repair {
    private static final Logger LOG = Logger.getLogger(Repair.class);

    /** Gaps that only the configuration or a backup can mend: to read on would mix two databases in one table. */
    private static final Set<GapKind> BEYOND =
            Set.of(GapKind.OTHER_SERVER, GapKind.OTHER_CHANNEL, GapKind.JOURNAL_LOST, GapKind.TABLE_ALTERED);

    private final Source source;
    private final GapRecords records;

    Repair(Source source, GapRecords records) {
        this.source = Objects.requireNonNull(source);
        this.records = Objects.requireNonNull(records);
    }

    /** Whether a new channel and new generations mend it. */
    static boolean mends(SourceGapException gap) {
        return !BEYOND.contains(gap.kind());
    }

    /** The gap with what closes it, if its message doesn't say so already and a repair can. */
    static SourceGapException withRemedy(SourceGapException gap) {
        return gap.remedied() || !mends(gap)
                ? gap
                : gap.withRemedy(
                        "Nothing after the stored position was written. The command repair reads every table anew");
    }

    /** Whatever dies in between: the journal says first that everything must be read anew, then from where. */
    SourcePosition apply(JournalHead head, String cause) throws IOException, JournalFencedException {
        Map<TableId, TableProgress> anew = new LinkedHashMap<>();
        head.tables().forEach((table, progress) -> anew.put(table, progress.withoutSnapshot()));
        String stored = head.position().map(SourcePosition::text).orElse("");
        JournalEntry begun = head.claim(Optional.empty(), anew);
        records.repaired(begun, stored, cause);
        SourcePosition position = source.renewChannel();
        head.claim(Optional.of(position), anew);
        LOG.warnf("The gap is closed by a new channel at %s: every table is read anew", position.text());
        return position;
    }
}

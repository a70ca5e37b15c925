package io.tributary.pipeline;

import io.tributary.delta.BronzeTable;
import io.tributary.delta.DeltaLake;
import io.tributary.delta.Journal;
import io.tributary.delta.JournalEntry;
import io.tributary.delta.JournalFencedException;
import io.tributary.delta.LakeConfigurationException;
import io.tributary.delta.TableBlockedException;
import io.tributary.event.SourceIdentity;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import io.tributary.source.ChannelState;
import io.tributary.source.GapKind;
import io.tributary.source.Source;
import io.tributary.source.SourceConfig.SnapshotPolicy;
import io.tributary.source.SourceConfigurationException;
import io.tributary.source.SourceGapException;
import io.tributary.source.SourceReport;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The way to the ownership of a source: check that it is the same source and still has everything, wait until nobody
 * else is active, finish the newest intent, write the next journal object. Only then the slot is touched.
 */
final class Claim {
    private static final Logger LOG = Logger.getLogger(Claim.class);

    private final Source source;
    private final DeltaLake lake;
    private final TableCommits tableCommits;
    private final BridgeOptions options;
    private final Clock clock;
    private final StateHolder state;
    private final StopSignal stop;

    /** What an owner has. */
    record Granted(JournalHead head, SourceReport report) {}

    Claim(
            Source source,
            DeltaLake lake,
            TableCommits tableCommits,
            BridgeOptions options,
            Clock clock,
            StateHolder state,
            StopSignal stop) {
        this.source = Objects.requireNonNull(source);
        this.lake = Objects.requireNonNull(lake);
        this.tableCommits = Objects.requireNonNull(tableCommits);
        this.options = Objects.requireNonNull(options);
        this.clock = Objects.requireNonNull(clock);
        this.state = Objects.requireNonNull(state);
        this.stop = Objects.requireNonNull(stop);
    }

    /** Waits for the ownership; empty when asked to stop before it came. */
    Optional<Granted> await(Epoch.Lesson lesson)
            throws IOException, InterruptedException, JournalFencedException, TableBlockedException {
        SourceReport report = source.inspect();
        report.requireUsable();
        SourceIdentity identity = report.identity();
        Journal journal = lake.journal();
        Optional<JournalEntry> first = journal.newest();
        if (first.isEmpty()) {
            return Optional.of(new Granted(begin(identity, report), report));
        }
        requireSame(first.get().source());
        Ownership ownership = new Ownership(journal, source, options.writer(), options.silence(), System::nanoTime);
        if (!ownership.awaitTurn(lesson.fenced(), stop, writer -> state.set(new BridgeState.Standby(writer)))) {
            return Optional.empty();
        }
        state.set(new BridgeState.Recovering());
        JournalEntry newest = journal.newest().orElseThrow();
        Optional<SourceGapException> gap = lesson.gap();
        // after the wait: the database may have failed over meanwhile
        SourceIdentity now = source.identity();
        try {
            now = gap.isPresent() ? now : requireContinues(newest);
        } catch (SourceGapException met) {
            gap = Optional.of(repairable(met));
        }
        new Recovery(lake, tableCommits).finish(newest);
        JournalHead head = new JournalHead(journal, options.writer(), now, clock, newest);
        head.claim(newest.position(), newest.tables());
        evictForeignBackend();
        if (gap.isPresent()) {
            LOG.warnf("Changes are missing: %s", Failures.message(gap.get()));
            GapRecords records = new GapRecords(lake);
            records.met(gap.get());
            new Repair(source, records).apply(head, Failures.message(gap.get()));
        } else if (newest.position().isEmpty()) {
            new GapRecords(lake).interrupted(newest);
            openChannel(head);
        }
        return Optional.of(new Granted(head, report));
    }

    private JournalHead begin(SourceIdentity identity, SourceReport report)
            throws IOException, JournalFencedException, TableBlockedException {
        // before the slot: one that nobody reads would fill the database's disk
        lake.requireWritable();
        for (SourceReport.CapturedTable table : report.tables()) {
            BronzeTable bronze = found(table.table()).orElse(null);
            if (bronze != null && bronze.lastBatch().isPresent()) {
                throw journalLost(identity, bronze);
            }
        }
        if (options.snapshot() != SnapshotPolicy.NEVER && source.channel() instanceof ChannelState.Present) {
            throw new SourceConfigurationException("replication slot " + identity.channel()
                    + " exists, but the lake has no journal of this source, so nobody knows what was read from it."
                    + " If it is an orphan, drop it: select pg_drop_replication_slot('" + identity.channel()
                    + "'); to start from it without existing rows, set tributary.source.snapshot=never");
        }
        JournalEntry zero = new JournalEntry(
                JournalEntry.FORMAT,
                0,
                options.writer(),
                JournalEntry.Kind.CLAIM,
                identity,
                Optional.empty(),
                0,
                List.of(),
                Map.of(),
                clock.millis());
        lake.journal().append(zero);
        JournalHead head = new JournalHead(lake.journal(), options.writer(), identity, clock, zero);
        openChannel(head);
        return head;
    }

    private SourceGapException journalLost(SourceIdentity identity, BronzeTable bronze) {
        String available = source.channel() instanceof ChannelState.Present slot
                ? at(slot.confirmedFlush()).text()
                : "";
        return new SourceGapException(
                        GapKind.JOURNAL_LOST,
                        new SourceGapException.Facts(identity.channel(), "", available),
                        "bronze table " + bronze.path() + " holds batch "
                                + bronze.lastBatch().orElseThrow() + " of this source, but the journal is gone",
                        "nobody knows up to which position it is complete")
                .withRemedy("Restore the journal folder from a backup, or move the table away for a new snapshot");
    }

    /** The slot is made after journal object 0, so one that is there already after a crash can only be ours. */
    private void openChannel(JournalHead head) throws IOException, JournalFencedException {
        SourcePosition position = source.channel() instanceof ChannelState.Present present && !present.lost()
                ? madeBefore(present)
                : source.renewChannel();
        LOG.infof("The source is read from %s on", position.text());
        head.claim(Optional.of(position), head.tables());
    }

    private void evictForeignBackend() {
        if (source.channel() instanceof ChannelState.Present present && present.active()) {
            source.takeOver();
        }
    }

    /** Before anything is written, a table that is somebody else's is a wrong configuration. */
    private Optional<BronzeTable> found(TableId table) throws IOException {
        try {
            return lake.load(table);
        } catch (TableBlockedException e) {
            throw new LakeConfigurationException(Failures.message(e), e);
        }
    }

    private static SourcePosition madeBefore(ChannelState.Present slot) throws IOException {
        if (slot.confirmedFlush() == 0) {
            throw new IOException("the replication slot is still being created by an earlier instance's session");
        }
        return at(slot.confirmedFlush());
    }

    private static SourcePosition at(long lsn) {
        return new SourcePosition.Wal(lsn, 0, 0);
    }

    private void requireSame(SourceIdentity stored) {
        try {
            source.requireSame(stored);
        } catch (SourceGapException e) {
            throw e.withRemedy("Nothing was written. Point tributary.source.* to the database of the journal,"
                    + " or use another tributary.source.name");
        }
    }

    /** Answers with who it is that goes on: after a failover another timeline than the journal's. */
    private SourceIdentity requireContinues(JournalEntry newest) {
        return newest.position().isEmpty()
                ? source.identity()
                : source.requireContinues(newest.source(), newest.position().get());
    }

    /** A gap that may be closed by reading everything anew; throws one that may not. */
    private SourceGapException repairable(SourceGapException gap) {
        if (!Repair.mends(gap)) {
            throw gap;
        }
        if (options.snapshot() != SnapshotPolicy.WHEN_NEEDED) {
            throw Repair.withRemedy(gap);
        }
        return gap;
    }
}

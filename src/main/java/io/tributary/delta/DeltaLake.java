package io.tributary.delta;

import io.tributary.batch.RowWriters;
import io.tributary.event.SourceIdentity;
import io.tributary.event.TableId;
import io.tributary.evolution.TableLayout;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;

/**
 * One lake as one writer of one source sees it: storage, bronze tables and journal. Thread-safe; tables may be committed in
 * parallel.
 *
 * <p>An {@link IOException} means that the storage failed and the same call may be repeated later; a {@link
 * TableBlockedException} that repeating won't help.
 */
public final class DeltaLake implements AutoCloseable {

    private final Journal journal;
    private final StagedRowWriters writers;
    private final BronzeTables tables;
    private final TableAudit audit;
    private final TableCommitter committer;
    private final AbandonedFiles abandoned;
    private final GapLog gaps;
    private final LogUpkeep upkeep;
    private final LakeStorage storage;
    private final String source;

    private DeltaLake(
            LakeStorage storage,
            TablePaths paths,
            TableProperties properties,
            String source,
            String writer,
            StagedRowWriter.Limits limits,
            Clock clock) {
        LakeEngine engine = new LakeEngine(storage.files());
        this.storage = storage;
        this.source = source;
        this.journal = new Journal(storage, journalFolder(source));
        this.writers = new StagedRowWriters(storage, paths, writer, limits);
        this.upkeep = new LogUpkeep(engine);
        this.tables = new BronzeTables(storage, engine, paths, properties, source, upkeep);
        this.audit = new TableAudit(tables, journal);
        this.committer = new TableCommitter(tables, audit, storage, source, clock);
        this.gaps = new GapLog(storage, engine, upkeep, source, writer, clock);
        this.abandoned = new AbandonedFiles(storage, paths, journal, writer, clock);
    }

    /**
     * Opens the lake; writes nothing.
     *
     * @param source the source's logical name
     * @param writer names this process; unique for each start
     * @throws LakeConfigurationException if the lake can't be used as configured
     */
    public static DeltaLake open(LakeConfig lake, DeltaConfig delta, String source, String writer, Clock clock) {
        TablePaths paths = new TablePaths(lake.tablePath(), source);
        TableProperties properties = new TableProperties(delta.properties());
        return open(LakeStorage.open(lake), paths, properties, source, writer, StagedRowWriter.Limits.DEFAULT, clock);
    }

    static DeltaLake open(
            LakeStorage storage,
            TablePaths paths,
            TableProperties properties,
            String source,
            String writer,
            StagedRowWriter.Limits limits,
            Clock clock) {
        requireSafe("source name", source);
        requireSafe("writer id", writer);
        return new DeltaLake(storage, paths, properties, source, writer, limits, clock);
    }

    private static void requireSafe(String what, String name) {
        if (!name.matches("[A-Za-z0-9_-]+")) {
            throw new IllegalArgumentException(
                    "a " + what + " has letters, digits, _ and - only, because it is part of paths: " + name);
        }
    }

    private static String journalFolder(String source) {
        return "_tributary/" + source + "/journal";
    }

    /**
     * Proves that the lake can be written and keeps two writers apart, by files that it removes again.
     *
     * @throws LakeConfigurationException if not
     */
    public void requireWritable() {
        storage.requireWritable(journalFolder(source));
    }

    public Journal journal() {
        return journal;
    }

    /** What was missing, and what was done about it. */
    public GapLog gaps() {
        return gaps;
    }

    /** Encoders whose files this writer stages in the tables' folders. */
    public RowWriters writers() {
        return writers;
    }

    /** The table as its latest version has it; empty if there is none. */
    public Optional<BronzeTable> load(TableId table) throws IOException, TableBlockedException {
        return tables.load(table);
    }

    /**
     * The table as its latest version has it, which must be as the journal left it.
     *
     * @throws TableBlockedException if it can't take rows, or is gone, replaced, or older or newer than the journal. Then the
     *     message names every table that isn't as it was left
     */
    public BronzeTable require(TableId table) throws IOException, TableBlockedException {
        return audit.require(table);
    }

    /** Makes an empty table at version 0, or adopts the one that this owner has already. */
    public BronzeTable create(TableLayout layout, SourceIdentity owner) throws IOException, TableBlockedException {
        return tables.create(layout, TableOwner.of(source, owner));
    }

    /**
     * Asks before an intent is written whether the table is as the journal left it. One that can't take the commit is
     * none of this method's concern: that shows when it is committed, and the others have theirs then.
     */
    public void requireAsLeft(TableCommit commit) throws IOException, TableBlockedException {
        committer.requireAsLeft(commit);
    }

    /** Asks whether the table, at its latest version, is as the journal left it and can take the commit. */
    public void verify(TableCommit commit) throws IOException, TableBlockedException {
        committer.verify(commit);
    }

    /** The same for rows that were decoded again and stand for what the table misses: it needn't be as it was left. */
    public void verifyAgain(TableCommit commit) throws IOException, TableBlockedException {
        committer.verifyAgain(commit);
    }

    /**
     * Puts a batch's part into its table, once however often this is called; the table grows to the commit's layout in the
     * same version.
     */
    public CommitOutcome commit(long batch, TableCommit commit, CommitFacts facts)
            throws IOException, TableBlockedException {
        return committer.commit(batch, commit, facts);
    }

    /**
     * Removes files of earlier writers that no commit will name; only for the writer that owns the journal.
     *
     * @param claim the journal object with which it took the ownership
     */
    public int removeAbandoned(Collection<TableId> of, long claim) throws IOException {
        return abandoned.remove(of, claim);
    }

    @Override
    public void close() {
        upkeep.close();
    }
}

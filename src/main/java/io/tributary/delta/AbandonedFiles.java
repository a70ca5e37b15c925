package io.tributary.delta;

import io.delta.kernel.utils.FileStatus;
import io.tributary.batch.StagedFile;
import io.tributary.event.TableId;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * Removes staged files that no commit will ever name (protocol 6): those of earlier writers whose batch has a journal
 * object, while no object names them. A file may be named by a later object than its own number when signs of life came
 * between; as pruning takes the oldest objects first, all that could name it are still there. Where one is lost
 * nevertheless, nobody can tell what it named: files of its number and of those before it stay.
 */
final class AbandonedFiles {

    private static final Logger LOG = Logger.getLogger(AbandonedFiles.class);

    private static final Duration TEMPORARY = Duration.ofHours(1);

    private final LakeStorage storage;
    private final TablePaths paths;
    private final Journal journal;
    private final String writer;
    private final Clock clock;

    AbandonedFiles(LakeStorage storage, TablePaths paths, Journal journal, String writer, Clock clock) {
        this.storage = storage;
        this.paths = paths;
        this.journal = journal;
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * @param claim the journal object with which this writer took the ownership: what later ones stage isn't looked at, so
     *     that a writer that slept here removes nothing of the one after it
     */
    int remove(Collection<TableId> tables, long claim) throws IOException {
        Set<Long> written = new TreeSet<>();
        Set<String> named = new HashSet<>();
        for (JournalEntry entry : journal.unbroken()) {
            if (entry.number() < claim) {
                written.add(entry.number());
            }
            for (TableCommit commit : entry.commits()) {
                for (StagedFile file : commit.files()) {
                    named.add(commit.path() + "/" + file.path());
                }
            }
        }
        int removed = 0;
        for (TableId table : tables) {
            String folder = paths.of(table);
            for (FileStatus file : storage.list(storage.resolve(folder), "0")) {
                Optional<StagedName> name = StagedName.parse(LakeStorage.nameOf(file));
                if (name.isPresent()
                        && written.contains(name.get().batch())
                        && !name.get().writer().equals(writer)
                        && !named.contains(folder + "/" + LakeStorage.nameOf(file))) {
                    storage.files().delete(file.getPath());
                    removed++;
                }
            }
            removed += removeTemporary(storage.resolve(folder + "/_delta_log"));
        }
        removed += removeTemporary(journal.folder());
        if (removed > 0) {
            LOG.infof("Removed %d files that an earlier writer left behind", removed);
        }
        return removed;
    }

    /** What a writer that was killed had not put in place yet; no living one takes that long. */
    private int removeTemporary(String folder) throws IOException {
        int removed = 0;
        for (FileStatus file : storage.list(folder, ".0")) {
            String name = LakeStorage.nameOf(file);
            boolean old = file.getModificationTime() < clock.millis() - TEMPORARY.toMillis();
            if (name.startsWith(".") && name.endsWith(".tmp") && old) {
                storage.files().delete(file.getPath());
                removed++;
            }
        }
        return removed;
    }
}

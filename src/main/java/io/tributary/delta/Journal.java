package io.tributary.delta;

import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * The intent journal of one source (protocol 3 and 4): numbered objects that one writer at a time can add, and marks of
 * those whose tables are all committed. It is the fence between writers and the only state beside the tables.
 *
 * <p>Safe for use by several threads and processes; two that append the same number exclude each other.
 */
public final class Journal {

    private static final Pattern OBJECT = Pattern.compile("(0\\d{19})\\.(json|done)");

    private static final Logger LOG = Logger.getLogger(Journal.class);

    private final LakeStorage storage;
    private final String folder;
    /** The last two that this process saw or wrote: what they say is asked for again with every commit. */
    private final NavigableMap<Long, JournalEntry> seen = new TreeMap<>();

    /** @param folder relative to the lake's root */
    Journal(LakeStorage storage, String folder) {
        this.storage = storage;
        this.folder = storage.resolve(folder);
    }

    /** Where the objects are; a full path. */
    String folder() {
        return folder;
    }

    /** The newest object; empty if the source was never taken. */
    public Optional<JournalEntry> newest() throws IOException {
        NavigableSet<Long> numbers = numbers("json");
        // pruning never takes the newest
        Optional<JournalEntry> newest = numbers.isEmpty() ? Optional.empty() : read(numbers.last());
        newest.ifPresent(this::saw);
        return newest;
    }

    /** The newest object as this process last saw or wrote it; the newest of all if it saw none yet. */
    Optional<JournalEntry> lastSeen() throws IOException {
        synchronized (seen) {
            if (!seen.isEmpty()) {
                return Optional.of(seen.lastEntry().getValue());
            }
        }
        return newest();
    }

    /**
     * An object that must be there as long as a later one isn't done.
     *
     * @throws JournalCorruptedException if it isn't
     */
    JournalEntry require(long number) throws IOException {
        synchronized (seen) {
            JournalEntry known = seen.get(number);
            if (known != null) {
                return known;
            }
        }
        return read(number)
                .orElseThrow(() -> new JournalCorruptedException(
                        objectPath(number), "it is missing, and the one after it isn't done"));
    }

    private void saw(JournalEntry entry) {
        synchronized (seen) {
            seen.put(entry.number(), entry);
            if (seen.size() > 2) {
                seen.pollFirstEntry();
            }
        }
    }

    /**
     * One object; empty if it was never written or is pruned.
     *
     * @throws JournalCorruptedException if it is there but can't be understood
     */
    public Optional<JournalEntry> read(long number) throws IOException {
        Optional<String> text = storage.read(objectPath(number));
        if (text.isEmpty()) {
            return Optional.empty();
        }
        JournalEntry entry = JournalJson.read(objectPath(number), text.get());
        if (entry.number() != number) {
            throw new JournalCorruptedException(objectPath(number), "it says that it is object " + entry.number());
        }
        return Optional.of(entry);
    }

    /**
     * The objects up to the newest, newest first, without those before one that is lost or garbled. That hinders nobody:
     * where the source goes on, and what the tables hold, the newest alone says.
     */
    public List<JournalEntry> unbroken() throws IOException {
        List<JournalEntry> entries = new ArrayList<>();
        NavigableSet<Long> numbers = numbers("json");
        for (long number : numbers.descendingSet()) {
            long expected = numbers.last() - entries.size();
            if (number != expected) {
                warnOfLost(expected, "it is missing");
                break;
            }
            Optional<JournalEntry> entry = readIfWhole(number);
            if (entry.isEmpty()) {
                break;
            }
            entries.add(entry.get());
        }
        return entries;
    }

    /** Empty if it is garbled, or pruned since it was listed. */
    private Optional<JournalEntry> readIfWhole(long number) throws IOException {
        try {
            return read(number);
        } catch (JournalCorruptedException e) {
            warnOfLost(number, "it is damaged");
            return Optional.empty();
        }
    }

    private void warnOfLost(long number, String how) {
        LOG.warnf(
                "Journal object %s isn't as it was written: %s. Those after it are whole, so nothing depends on it",
                objectPath(number), how);
    }

    /** Whether every table has the commit of an object. */
    public boolean isDone(long number) throws IOException {
        return storage.status(donePath(number)).isPresent();
    }

    /**
     * Writes the next object, durable when this returns; writing the same one again changes nothing.
     *
     * @throws JournalFencedException if another writer has its number, or has gone on so far that it is pruned
     * @throws IOException if the storage failed; the object may or may not be there, so append the same again
     */
    public void append(JournalEntry entry) throws JournalFencedException, IOException {
        long number = entry.number();
        try {
            storage.putIfAbsent(objectPath(number), JournalJson.write(entry));
        } catch (FileAlreadyExistsException e) {
            requireOwn(entry, read(number));
        } catch (IOException e) {
            // it may have been written before the failure: the object itself knows
            Optional<JournalEntry> found = readAfter(e, number);
            if (found.isEmpty()) {
                throw e;
            }
            requireOwn(entry, found);
        }
        requireNewest(entry);
        saw(entry);
    }

    /** Marks an object whose tables all have their commit; marking it again changes nothing. */
    public void markDone(long number) throws IOException {
        try {
            storage.putIfAbsent(donePath(number), List.of());
        } catch (FileAlreadyExistsException e) {
            // the mark says the same whoever made it
            return;
        } catch (IOException e) {
            if (!isDone(number)) {
                throw e;
            }
        }
    }

    /**
     * Removes the objects below a number, but never the newest: an object is only written when those before it are done,
     * so the newest says everything. An idle writer's signs of life are pruned like batches.
     */
    public void prune(long keepFrom) throws IOException {
        NavigableSet<Long> objects = numbers("json");
        if (objects.isEmpty()) {
            return;
        }
        long bound = Math.min(keepFrom, objects.last());
        // oldest first: while an object is there, all after it are, which append() relies on
        for (long number : objects.headSet(bound)) {
            storage.files().delete(objectPath(number));
        }
        for (long number : numbers("done").headSet(bound)) {
            storage.files().delete(donePath(number));
        }
    }

    private Optional<JournalEntry> readAfter(IOException failure, long number) throws IOException {
        try {
            return read(number);
        } catch (IOException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    private void requireOwn(JournalEntry entry, Optional<JournalEntry> found) throws JournalFencedException {
        if (found.equals(Optional.of(entry))) {
            return;
        }
        String winner = found.map(JournalEntry::writer).orElse("");
        String path = objectPath(entry.number());
        throw new JournalFencedException(
                entry.number(),
                winner,
                winner.equals(entry.writer())
                        ? "this writer has written another journal object " + path + " before: finish that first"
                        : "another writer owns the source: journal object " + path + " is of writer " + winner
                                + ", not of " + entry.writer());
    }

    /**
     * A writer that slept while another went on far enough to prune finds its number free again. Then the object before it
     * is gone (or, for the first object, later ones are there), which can't be for a writer that owns the source.
     */
    private void requireNewest(JournalEntry entry) throws JournalFencedException, IOException {
        long number = entry.number();
        boolean owned = number == 0
                ? numbers("json").last() == 0
                : storage.status(objectPath(number - 1)).isPresent();
        if (!owned) {
            storage.files().delete(objectPath(number));
            throw new JournalFencedException(
                    number,
                    "",
                    "another writer owns the source: it has gone on so far beyond journal object " + objectPath(number)
                            + " that what was there is pruned");
        }
    }

    private NavigableSet<Long> numbers(String extension) throws IOException {
        NavigableSet<Long> numbers = new TreeSet<>();
        for (FileStatus file : storage.list(folder, "0")) {
            Matcher name = OBJECT.matcher(LakeStorage.nameOf(file));
            if (name.matches() && name.group(2).equals(extension)) {
                numbers.add(Long.parseLong(name.group(1)));
            }
        }
        return numbers;
    }

    private String objectPath(long number) {
        return "%s/%020d.json".formatted(folder, number);
    }

    private String donePath(long number) {
        return "%s/%020d.done".formatted(folder, number);
    }
}

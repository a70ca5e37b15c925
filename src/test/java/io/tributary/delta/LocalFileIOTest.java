package io.tributary.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.kernel.defaults.engine.fileio.PositionOutputStream;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The local storage on a real disk. */
class LocalFileIOTest {

    private final LocalFileIO files = new LocalFileIO("file");

    @TempDir
    Path folder;

    @Test
    void ofManyWritersOneWins() throws Exception {
        int rounds = 200;
        CyclicBarrier start = new CyclicBarrier(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<Integer>> wins = new ArrayList<>();
            for (String content : List.of("a", "b")) {
                wins.add(threads.submit(() -> {
                    int won = 0;
                    for (int n = 0; n < rounds; n++) {
                        start.await();
                        won += putIfAbsent("file" + n, content) ? 1 : 0;
                    }
                    return won;
                }));
            }
            assertThat(wins.get(0).get() + wins.get(1).get()).isEqualTo(rounds);
        } finally {
            threads.shutdownNow();
        }
        try (var left = Files.list(folder)) {
            assertThat(left).hasSize(rounds);
        }
    }

    @Test
    void overwriteReplacesWhole() throws Exception {
        write("x", "old", true);
        write("x", "new", true);

        assertThat(folder.resolve("x")).hasContent("new\n");
    }

    @Test
    void listingStartsAtTheNameAndIsSorted() throws Exception {
        for (String name : List.of("02", "10", "01", "03", ".hidden")) {
            write(name, name, false);
        }

        try (CloseableIterator<FileStatus> found = files.listFrom("file://" + folder + "/02")) {
            assertThat(found.toInMemoryList())
                    .extracting(FileStatus::getPath)
                    .containsExactly("file:" + folder + "/02", "file:" + folder + "/03", "file:" + folder + "/10");
        }
    }

    @Test
    void whatIsMissingIsSaidAsKernelExpects() {
        assertThatThrownBy(() -> files.listFrom("file:" + folder + "/none/0"))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.getFileStatus("file:" + folder + "/none"))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(
                        () -> files.newInputFile("file:" + folder + "/none", 1).newStream())
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void namesAreTakenAsTheyStand() throws Exception {
        files.mkdirs("file://" + folder + "/a b/c%20d");
        write("a b/c%20d/ü", "x", false);

        assertThat(folder.resolve("a b").resolve("c%20d").resolve("ü")).hasContent("x\n");
    }

    @Test
    void streamKnowsItsPlaceAndIsThereWhenClosed() throws Exception {
        try (PositionOutputStream out =
                files.newOutputFile("file:" + folder + "/s").create(false)) {
            out.write(new byte[] {1, 2, 3});
            out.write(4);
            assertThat(out.getPos()).isEqualTo(4);
        }
        assertThat(folder.resolve("s")).hasBinaryContent(new byte[] {1, 2, 3, 4});
        try (SeekableInputStream in =
                files.newInputFile("file:" + folder + "/s", 4).newStream()) {
            in.seek(2);
            byte[] rest = new byte[2];
            in.readFully(rest, 0, 2);
            assertThat(rest).containsExactly(3, 4);
            assertThat(in.getPos()).isEqualTo(4);
        }
    }

    @Test
    void atomicStreamIsInvisibleUntilClosed() throws Exception {
        try (PositionOutputStream out =
                files.newOutputFile("file:" + folder + "/s").create(true)) {
            out.write("whole".getBytes(StandardCharsets.UTF_8));
            assertThat(folder.resolve("s")).doesNotExist();
        }
        assertThat(folder.resolve("s")).hasContent("whole");
        try (var left = Files.list(folder)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void interruptedThreadStillWritesDurably() throws Exception {
        Thread.currentThread().interrupt();
        try {
            write("x", "kept", false);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        assertThat(folder.resolve("x")).hasContent("kept\n");
    }

    @Test
    void failedContentLeavesNothing() {
        CloseableIterator<String> failing = Utils.toCloseableIterator(
                        List.of("a", "b").iterator())
                .map(line -> {
                    throw new IllegalStateException("the data failed");
                });
        assertThatThrownBy(() -> files.newOutputFile("file:" + folder + "/x").writeAtomically(failing, false))
                .hasMessage("the data failed");
        assertThat(folder).isEmptyDirectory();
    }

    private boolean putIfAbsent(String name, String content) throws IOException {
        try {
            write(name, content, false);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private void write(String name, String content, boolean overwrite) throws IOException {
        files.newOutputFile("file:" + folder + "/" + name)
                .writeAtomically(Utils.toCloseableIterator(List.of(content).iterator()), overwrite);
    }
}

package io.tributary.testing;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** How a disk refuses to be written, for one folder. Some need a file system of their own, which only root can mount. */
public enum StorageFault {
    /** A file stands where the folder was. */
    FOLDER_IS_A_FILE {
        @Override
        public void begin(Path folder) throws IOException {
            Files.move(folder, folder.resolveSibling("aside"));
            Files.writeString(folder, "not a folder");
        }

        @Override
        public void end(Path folder) throws IOException {
            Files.delete(folder);
            Files.move(folder.resolveSibling("aside"), folder);
        }
    },
    /** EACCES; for a process without root's powers. */
    PERMISSION_DENIED {
        @Override
        public void begin(Path folder) throws IOException {
            mode(folder, "r-xr-xr-x");
        }

        @Override
        public void end(Path folder) throws IOException {
            mode(folder, "rwxr-xr-x");
        }

        private void mode(Path folder, String mode) throws IOException {
            for (Path each : new Path[] {folder, folder.resolve("_delta_log")}) {
                Files.setPosixFilePermissions(each, PosixFilePermissions.fromString(mode));
            }
        }
    },
    /** ENOSPC. */
    DISK_FULL {
        @Override
        public boolean needsMount() {
            return true;
        }

        @Override
        public void begin(Path folder) throws IOException {
            byte[] block = new byte[512];
            try (OutputStream filler = new FileOutputStream(filler(folder).toFile())) {
                while (true) {
                    filler.write(block);
                }
            } catch (IOException e) {
                if (!String.valueOf(e.getMessage()).contains("No space left")) {
                    throw e;
                }
            }
        }

        @Override
        public void end(Path folder) throws IOException {
            Files.delete(filler(folder));
        }

        private Path filler(Path folder) {
            return folder.resolve(".filler");
        }
    },
    /** EROFS. */
    READ_ONLY {
        @Override
        public boolean needsMount() {
            return true;
        }

        @Override
        public void begin(Path folder) {
            command("mount", "-o", "remount,ro", folder.toString());
        }

        @Override
        public void end(Path folder) {
            command("mount", "-o", "remount,rw", folder.toString());
        }
    };

    public abstract void begin(Path folder) throws IOException;

    public abstract void end(Path folder) throws IOException;

    /** Whether the folder must be a file system of its own. */
    public boolean needsMount() {
        return false;
    }

    /** Makes the folder a small file system of its own. */
    public static void mount(Path folder) {
        command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString());
    }

    public static void unmount(Path folder) {
        command("umount", "--lazy", folder.toString());
    }

    private static void command(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(Arrays.toString(command) + ": "
                        + new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

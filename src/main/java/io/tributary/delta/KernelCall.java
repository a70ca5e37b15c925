package io.tributary.delta;

import io.delta.kernel.commit.CommitFailedException;
import io.delta.kernel.exceptions.CommitStateUnknownException;
import io.delta.kernel.exceptions.ConcurrentWriteException;
import io.delta.kernel.exceptions.KernelEngineException;
import io.delta.kernel.exceptions.KernelException;
import io.delta.kernel.exceptions.MaxCommitRetryLimitReachedException;
import io.delta.kernel.exceptions.TableAlreadyExistsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Function;
import java.util.function.Supplier;

/** What Kernel's failures mean: storage trouble, a table that can't be used, or a race that was lost. */
final class KernelCall {

    private KernelCall() {}

    /**
     * Runs what Kernel does and says its failures in our words. Races that were lost to another writer come as Kernel says
     * them; {@link #isLostRace} knows them.
     *
     * @param path of the table, for the message
     * @param refused makes what is thrown when Kernel can't use the table
     */
    static <T, E extends Exception> T run(String path, Supplier<T> kernel, Function<KernelException, E> refused)
            throws IOException, E {
        try {
            return kernel.get();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (KernelEngineException e) {
            throw new IOException("storage of " + path + " failed: " + e.getMessage(), e);
        } catch (KernelException e) {
            if (isLostRace(e) || e instanceof TableAlreadyExistsException) {
                throw e;
            }
            throw refused.apply(e);
        } catch (RuntimeException e) {
            if (isLostRace(e)) {
                throw e;
            }
            // Kernel has no type of its own for a commit that it won't try again
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof CommitFailedException || cause instanceof IOException) {
                    throw new IOException("storage of " + path + " failed: " + cause.getMessage(), e);
                }
            }
            throw e;
        }
    }

    /** Whether a commit failed because others wrote: then the table has to be looked at again. */
    static boolean isLostRace(RuntimeException e) {
        return e instanceof ConcurrentWriteException
                || e instanceof CommitStateUnknownException
                || e instanceof MaxCommitRetryLimitReachedException;
    }
}

package io.tributary.pipeline;

import io.tributary.delta.JournalFencedException;
import io.tributary.delta.TableBlockedException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Brings a failure of another thread back as what it is. */
final class Failures {
    private Failures() {}

    /** What a failure says, never null, and never only a path. */
    static String message(Throwable failure) {
        String message = failure.getMessage();
        if (failure instanceof FileSystemException file && file.getReason() == null) {
            return message + ": " + reasonOf(file);
        }
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static String reasonOf(FileSystemException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "a file stands there already";
        }
        return failure.getClass().getSimpleName();
    }

    /** Throws the cause; the return type only lets the caller write {@code throw}. */
    static RuntimeException rethrow(Throwable wrapped)
            throws IOException, JournalFencedException, TableBlockedException, InterruptedException {
        Throwable cause = wrapped;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause instanceof JournalFencedException e) {
            throw e;
        }
        if (cause instanceof TableBlockedException e) {
            throw e;
        }
        if (cause instanceof InterruptedException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        if (cause instanceof RuntimeException e) {
            return e;
        }
        return new IllegalStateException(cause);
    }
}

package io.tributary.source;

import org.jspecify.annotations.Nullable;

/** A failure that comes from the source, sorted by what its caller can do about it. */
public abstract sealed class SourceException extends RuntimeException
        permits SourceConfigurationException, SourceUnavailableException, SourceGapException {
    SourceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

package io.tributary.source;

import org.jspecify.annotations.Nullable;

/** The source can't be used now but may be later: try again with back-off. */
public final class SourceUnavailableException extends SourceException {
    public SourceUnavailableException(String message) {
        super(message, null);
    }

    public SourceUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

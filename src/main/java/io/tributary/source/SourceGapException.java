package io.tributary.source;

import org.jspecify.annotations.Nullable;

/** Changes between the stored position and what the source still has are gone: going on would skip them (P5). */
public final class SourceGapException extends SourceException {
    public SourceGapException(String message) {
        super(message, null);
    }

    public SourceGapException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

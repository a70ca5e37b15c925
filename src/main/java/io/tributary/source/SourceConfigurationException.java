package io.tributary.source;

import org.jspecify.annotations.Nullable;

/** Something that only a person can change: a property, a privilege, a server setting. The message says which. */
public final class SourceConfigurationException extends SourceException {
    public SourceConfigurationException(String message) {
        super(message, null);
    }

    public SourceConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

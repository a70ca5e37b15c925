package io.tributary.delta;

/** The lake can't be used as configured; the message says what is wrong, where, and how to mend it. */
public final class LakeConfigurationException extends RuntimeException {

    public LakeConfigurationException(String message) {
        super(message);
    }

    public LakeConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}

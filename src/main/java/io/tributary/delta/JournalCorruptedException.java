package io.tributary.delta;

/**
 * A journal object is there and can't be understood. It holds what is committed and where the source is: going on without
 * it would lose or double changes, so nobody starts from scratch.
 */
public final class JournalCorruptedException extends RuntimeException {

    JournalCorruptedException(String path, String why) {
        super(message(path, why));
    }

    JournalCorruptedException(String path, String why, Throwable cause) {
        super(message(path, why), cause);
    }

    private static String message(String path, String why) {
        return "journal object " + path + " can't be used: " + why
                + ". Bring it back from a copy of the lake; if there is none, take the source anew under another name";
    }
}

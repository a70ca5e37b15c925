package io.tributary.ops;

/** What the process tells whoever started it. */
final class ExitCode {
    /** Drained, or nothing stands in the way of a start. */
    static final int OK = 0;
    /** Anything that isn't one of the others. */
    static final int OTHER = 1;
    /** The configuration is wrong, or the source or the lake refuses it. */
    static final int CONFIGURATION = 2;
    /** Changes are missing; going on would skip them. */
    static final int GAP = 3;

    private ExitCode() {}
}

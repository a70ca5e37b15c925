package io.tributary.lag;

/** What the facts say about progress, whatever the pipeline believes of itself. */
public enum Verdict {
    /** Nothing waits, and the decoded position follows the source's own: quiet, not stuck. */
    IDLE,
    /** Changes are on their way and arrive. */
    FLOWING,
    /** Changes wait and nothing has moved for longer than the bound. */
    STUCK,
    /** The source can't be asked, or hasn't yet been. */
    UNKNOWN
}

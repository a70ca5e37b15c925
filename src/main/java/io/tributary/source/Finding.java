package io.tributary.source;

import java.util.Objects;

/**
 * One thing that the preflight noticed.
 *
 * @param subject a server setting, a table, or a column as {@code schema.table.column}
 * @param what what is wrong or gets lost
 * @param remedy the SQL or the property that changes it; empty when nothing does
 */
public record Finding(Severity severity, String subject, String what, String remedy) {

    /** Whether capturing may start. */
    public enum Severity {
        /** Starting would fail, lose data or break the application. */
        ERROR,
        /** Starting would fail now, and may work in a moment. */
        WAIT,
        /** Changes are gone; a start looks for itself and refuses with {@link SourceGapException}. */
        GAP,
        /** It can start; something is documented to be different from what one might expect. */
        WARNING
    }

    public Finding {
        Objects.requireNonNull(severity);
        Objects.requireNonNull(subject);
        Objects.requireNonNull(what);
        Objects.requireNonNull(remedy);
    }

    static Finding error(String subject, String what, String remedy) {
        return new Finding(Severity.ERROR, subject, what, remedy);
    }

    static Finding wait(String subject, String what, String remedy) {
        return new Finding(Severity.WAIT, subject, what, remedy);
    }

    static Finding gap(String subject, String what, String remedy) {
        return new Finding(Severity.GAP, subject, what, remedy);
    }

    static Finding warning(String subject, String what, String remedy) {
        return new Finding(Severity.WARNING, subject, what, remedy);
    }

    /** One line for people. */
    @Override
    public String toString() {
        return severity + " " + subject + ": " + what + (remedy.isEmpty() ? "" : "; remedy: " + remedy);
    }
}

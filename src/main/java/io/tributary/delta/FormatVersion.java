package io.tributary.delta;

import java.util.Map;

/**
 * The versions of what the lake keeps: journal objects say theirs in a field, tables in a property. A version rises only
 * when an older build would misread what is written; what is merely added is passed over by those that don't know it.
 */
final class FormatVersion {

    private FormatVersion() {}

    /**
     * Refuses what a newer build wrote.
     *
     * @param what is read, for the message
     * @throws LakeConfigurationException if it is newer
     */
    static void requireKnown(String what, long found, long known) {
        if (found > known) {
            throw new LakeConfigurationException(what + " was written by a newer Tributary, format " + found
                    + ", and this one knows " + known + ": upgrade. Nothing was written");
        }
    }

    /** The same for a table, by its properties. */
    static void requireKnown(String what, Map<String, String> properties) {
        String format = properties.getOrDefault(TableProperties.FORMAT, "");
        if (format.matches("\\d{1,9}")) {
            requireKnown(what, Long.parseLong(format), Long.parseLong(TableProperties.FORMAT_VERSION));
        }
    }
}

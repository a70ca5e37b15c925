package io.tributary.evolution;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/**
 * The name that a source column gets in bronze. It stays as it is wherever Delta and Parquet take it; otherwise each
 * character that they refuse becomes {@code _} and the first six hex digits of the SHA-256 of the source's name follow,
 * so that two columns never meet and the name is the same on every machine.
 */
final class ColumnNames {
    /** Refused by Delta without column mapping: " ,;{}()\n\t=". */
    private static final String REFUSED = " ,;{}()\n\t=";

    private static final Set<String> CHANGE_DATA_FEED = Set.of("_change_type", "_commit_version", "_commit_timestamp");

    private static final String METADATA_PREFIX = "_cdc_";

    private ColumnNames() {}

    /** The bronze name of a source column among names that are taken, these in lower case. */
    static String choose(String source, Set<String> taken) {
        String safe = replaceRefused(source);
        String key = lower(safe);
        boolean reserved = key.startsWith(METADATA_PREFIX) || CHANGE_DATA_FEED.contains(key);
        if (safe.equals(source) && !reserved && !taken.contains(key)) {
            return source;
        }
        return safe + "_" + digest(source);
    }

    /** The name of a column that holds another type of the same source column: {@code name__v2} and so on. */
    static String nextVersion(String name, Set<String> taken) {
        int version = 2;
        while (taken.contains(lower(name + "__v" + version))) {
            version++;
        }
        return name + "__v" + version;
    }

    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static String replaceRefused(String name) {
        StringBuilder safe = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            safe.append(REFUSED.indexOf(c) >= 0 || Character.isISOControl(c) ? '_' : c);
        }
        return safe.toString();
    }

    private static String digest(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 3);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

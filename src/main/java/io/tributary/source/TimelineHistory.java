package io.tributary.source;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** The timelines that a server's history went through, and where it left each: PostgreSQL's timeline history file. */
record TimelineHistory(Map<Long, Long> leftAt) {

    TimelineHistory {
        leftAt = Map.copyOf(leftAt);
    }

    /** Reads a history file: on each line a timeline, the LSN at which it was left, and a reason. */
    static TimelineHistory parse(String file) {
        Map<Long, Long> leftAt = new HashMap<>();
        file.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .map(line -> line.split("\\s+", 3))
                .forEach(fields -> leftAt.put(Long.parseLong(fields[0]), Lsn.parse(fields[1])));
        return new TimelineHistory(leftAt);
    }

    /** Where the history left this timeline; empty if it never was on it. */
    OptionalLong forkOf(long timeline) {
        Long lsn = leftAt.get(timeline);
        return lsn == null ? OptionalLong.empty() : OptionalLong.of(lsn);
    }
}

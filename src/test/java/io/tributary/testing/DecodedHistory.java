package io.tributary.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What PostgreSQL itself says happened, in commit order: a second replication slot, read with the server's own
 * {@code test_decoding}. Made before the first change, it is the oracle for the order and the number of bronze rows.
 */
public final class DecodedHistory {
    private static final Pattern CHANGE =
            Pattern.compile("table shop\\.(\\w+): (INSERT|UPDATE|DELETE|TRUNCATE): (.*)", Pattern.DOTALL);
    private static final Pattern KEY = Pattern.compile("\\bid\\[[\\w ]+]:(-?\\d+)");
    private static final Map<String, String> CODES = Map.of("INSERT", "c", "UPDATE", "u", "DELETE", "d");

    private final Scenario scenario;
    private final String slot;
    private final List<String> history = new ArrayList<>();

    public DecodedHistory(Scenario scenario) {
        this.scenario = scenario;
        this.slot = "oracle_" + scenario.name();
        scenario.query("select pg_create_logical_replication_slot('" + slot + "', 'test_decoding')::text");
    }

    /** Every change but the markers since the beginning as {@code table:op:id}, in commit order; a changed key is a d and a c. */
    public List<String> changes() {
        for (String line : scenario.query(
                "select data from pg_logical_slot_get_changes('" + slot + "', null, null, 'skip-empty-xacts', '1')")) {
            Matcher change = CHANGE.matcher(line);
            if (change.matches() && !change.group(1).equals("marker")) {
                add(change.group(1), change.group(2), change.group(3));
            }
        }
        return List.copyOf(history);
    }

    private void add(String table, String verb, String tuple) {
        if (verb.equals("TRUNCATE")) {
            history.add(table + ":t:null");
            return;
        }
        List<String> keys = new ArrayList<>();
        Matcher key = KEY.matcher(tuple);
        while (key.find()) {
            keys.add(key.group(1));
        }
        if (verb.equals("UPDATE") && tuple.startsWith("old-key:")) {
            history.add(table + ":d:" + keys.get(0));
            history.add(table + ":c:" + keys.get(1));
        } else {
            history.add(table + ":" + CODES.get(verb) + ":" + keys.get(0));
        }
    }
}

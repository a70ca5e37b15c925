package io.tributary.crash;

import io.tributary.testing.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The tables that the load writes to, and their first rows. */
final class LoadTables {
    /** The sum over wallet and vault that every transaction keeps. */
    static final Audit.Invariant INVARIANT = new Audit.Invariant("wallet", "vault", "amount:l", 40_000);

    /** Tables without a primary key. */
    static final Set<String> KEYLESS = Set.of("ledger");

    static final int ACCOUNTS = 600;
    static final int HOLDERS = 20;
    static final int DOCUMENTS = 50;
    static final int SHAPES = 40;
    static final int HISTORY = 20_000;
    static final int LATE = 4;
    static final int LATE_ROWS = 4_000;

    private static final String REVISION = "rev bigint not null default nextval('shop.rev')";
    private static final List<String> FIRST = List.of(
            "account", "wallet", "vault", "bulk", "attachment", "document", "ledger", "shape", "history", "calm");

    private LoadTables() {}

    static void create(Scenario scenario) {
        scenario.sql(
                // not transactional: no value comes twice, so that no two changes look alike
                "create sequence rev",
                "create sequence block",
                "create sequence entry",
                "create table account(id bigint primary key, owner text, balance numeric(12,2), active boolean, "
                        + REVISION + ")",
                "create table wallet(id int primary key, amount bigint not null, " + REVISION + ")",
                "create table vault(id int primary key, amount bigint not null, " + REVISION + ")",
                "create table bulk(id bigint primary key, payload text, " + REVISION + ")",
                "create table attachment(id bigint primary key, bulk bigint, " + REVISION + ")",
                "create table document(id int primary key, body text, views int, " + REVISION + ")",
                "alter table document alter body set storage external",
                "create table ledger(entry bigint not null default nextval('shop.entry'), memo text, " + REVISION + ")",
                "alter table ledger replica identity full",
                "create table shape(id int primary key, note text, " + REVISION + ")",
                "create table history(id int primary key, what text, " + REVISION + ")",
                "create table calm(id int primary key, v text)",
                "create table private_note(id serial primary key, v text)");
        for (int late = 1; late <= LATE; late++) {
            scenario.sql("create table late" + late + "(id int primary key, v text, " + REVISION + ")");
        }
        fill(scenario);
    }

    private static void fill(Scenario scenario) {
        scenario.sql(
                // no table is empty: the rows of a snapshot tell where it was taken
                "insert into marker values (0)",
                "insert into account select g, 'owner ' || g, g * 1.25, g % 3 = 0 from generate_series(1, 300) g",
                "insert into wallet select g, 1000 from generate_series(1, " + HOLDERS + ") g",
                "insert into vault select g, 1000 from generate_series(1, " + HOLDERS + ") g",
                "insert into bulk select g, 'first ' || g from generate_series(1, 999) g",
                "insert into attachment values (1, 1)",
                "insert into document select g, repeat(md5(g::text), 100), 0 from generate_series(1, " + DOCUMENTS
                        + ") g",
                "insert into ledger(memo) select 'entry ' || g from generate_series(1, 100) g",
                "insert into shape select g, 'shape ' || g from generate_series(1, " + SHAPES + ") g",
                "insert into history select g, repeat(md5(g::text), 4) from generate_series(1, " + HISTORY + ") g",
                "insert into calm select g, 'calm' from generate_series(1, 5) g");
        for (int late = 1; late <= LATE; late++) {
            scenario.sql(
                    "insert into late" + late + " select g, 'late ' || g from generate_series(1, " + LATE_ROWS + ") g");
        }
    }

    /** Every table that may be captured, with the column that tells its rows apart. */
    static Map<String, String> keys() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put("marker", "id:i");
        Set<String> wide = Set.of("account", "bulk", "attachment");
        all(LATE).forEach(table -> keys.put(table, wide.contains(table) ? "id:l" : "id:i"));
        keys.put("ledger", "entry:l");
        return keys;
    }

    /** The tables that are captured once so many late ones are added. */
    static Set<String> all(int late) {
        Set<String> tables = new TreeSet<>(FIRST);
        IntStream.rangeClosed(1, late).forEach(number -> tables.add("late" + number));
        return tables;
    }
}

package io.tributary.crash;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * DDL on one table: columns come, go and change their type. Each statement is followed, in its own transaction, by an
 * update of every row: a rewrite by DDL sends no change, and bronze is to fold to the source all the same.
 */
final class ShapeChanges {
    private static final int COLUMNS = 4;
    private static final String[] TYPES = {"integer", "bigint", "text"};

    private final Random random;

    ShapeChanges(Random random) {
        this.random = random;
    }

    void alter(Connection connection, Statement statement) throws SQLException {
        String column = "extra" + random.nextInt(COLUMNS);
        String type = TYPES[random.nextInt(TYPES.length)];
        connection.setAutoCommit(false);
        if (!exists(statement, column)) {
            String defaults = random.nextBoolean() ? "" : " default " + random.nextInt(100);
            statement.execute("alter table shape add column " + column + " " + type + defaults);
        } else if (random.nextBoolean()) {
            statement.execute("alter table shape drop column " + column);
        } else {
            statement.execute("alter table shape alter column " + column + " drop default, alter column " + column
                    + " type " + type + " using " + column + "::" + type);
        }
        fill(statement);
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** Digits only, so that every type takes them. */
    private void fill(Statement statement) throws SQLException {
        statement.execute("update shape set rev = nextval('shop.rev')");
        String column = "extra" + random.nextInt(COLUMNS);
        if (exists(statement, column)) {
            statement.execute("update shape set " + column + " = '" + random.nextInt(1_000)
                    + "', rev = nextval('shop.rev') where id % 3 = " + random.nextInt(3));
        }
    }

    private static boolean exists(Statement statement, String column) throws SQLException {
        try (ResultSet row =
                statement.executeQuery("select 1 from information_schema.columns where table_schema = 'shop'"
                        + " and table_name = 'shape' and column_name = '" + column + "'")) {
            return row.next();
        }
    }
}

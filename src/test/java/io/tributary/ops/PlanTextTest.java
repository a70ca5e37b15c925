package io.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.event.Column;
import io.tributary.event.ColumnType;
import io.tributary.event.SourceIdentity;
import io.tributary.event.TableId;
import io.tributary.event.TableSchema;
import io.tributary.source.Finding;
import io.tributary.source.SourceReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTextTest {
    private static final TableId ORDERS = new TableId("shop", "orders");
    private static final SourceReport.CapturedTable TABLE = new SourceReport.CapturedTable(
            new TableSchema(
                    ORDERS,
                    List.of(
                            new Column("id", ColumnType.Simple.BIGINT, "int8", true),
                            new Column("amount", new ColumnType.Decimal(12, 2), "numeric(12,2)", false),
                            new Column("tags", new ColumnType.Array(ColumnType.Simple.STRING), "text[]", false))),
            1200,
            2048,
            "default");

    @Test
    void aPlanThatCanStartShowsTablesAndTypes() {
        assertThat(text(List.of())).isEqualTo("""
                        Source   postgres 18.3, database shop, server 77, slot tributary_shop
                        Lake     file:///data/lake

                        1 table to capture, 2.0 KiB to read at first

                        shop.orders: about 1,200 rows, 2.0 KiB, replica identity default
                          id       int8            -> BIGINT  key
                          amount   numeric(12,2)   -> DECIMAL(12,2)
                          tags     text[]          -> ARRAY<STRING>

                        Nothing stands in the way of a start.
                        """);
    }

    @Test
    void errorsComeFirstEachWithItsRemedy() {
        String text = text(List.of(
                new Finding(Finding.Severity.WARNING, "shop.orders.fee", "loses its NaN", ""),
                new Finding(
                        Finding.Severity.ERROR, "wal_level", "is replica", "ALTER SYSTEM SET wal_level = 'logical'")));

        assertThat(text).endsWith("""
                        ERROR    wal_level: is replica
                                 remedy: ALTER SYSTEM SET wal_level = 'logical'
                        WARNING  shop.orders.fee: loses its NaN
                        It can't start: 1 error.
                        """);
    }

    private static String text(List<Finding> findings) {
        SourceIdentity identity = new SourceIdentity("postgres", "77", 1, "shop", "tributary_shop");
        return new PlanText(new SourceReport("18.3", identity, List.of(TABLE), findings), "file:///data/lake").render();
    }
}

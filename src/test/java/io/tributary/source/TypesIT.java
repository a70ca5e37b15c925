package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.event.ChangeEvent;
import io.tributary.event.Column;
import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Array;
import io.tributary.event.ColumnType.Decimal;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.RawValue;
import io.tributary.event.RowImage.Extent;
import io.tributary.event.TableSchema;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every type has one mapping, and its values are the same in the snapshot and in the stream. */
class TypesIT {

    /**
     * One column and one value of it.
     *
     * @param raw the text that is kept when the value can't be, else null
     */
    private record Case(
            String declared,
            ColumnType type,
            String sql,
            @Nullable Object expected,
            @Nullable String raw) {}

    private static final long MICROS_2024_02_29_NOON = 1_709_208_000_000_000L;

    private static Case of(String declared, ColumnType type, String sql, Object expected) {
        return new Case(declared, type, sql, expected, null);
    }

    private static Case raw(String declared, ColumnType type, String sql, String text) {
        return new Case(declared, type, sql, null, text);
    }

    private static final List<Case> CASES = List.of(
            of("bool", Simple.BOOLEAN, "true", true),
            of("int2", Simple.SMALLINT, "-32768", Short.MIN_VALUE),
            of("int4", Simple.INT, "2147483647", Integer.MAX_VALUE),
            of("int8", Simple.BIGINT, "-9223372036854775808", Long.MIN_VALUE),
            of("oid", Simple.BIGINT, "4294967295", 4_294_967_295L),
            of("float4", Simple.FLOAT, "0.1", 0.1f),
            of("float4", Simple.FLOAT, "'NaN'", Float.NaN),
            of("float8", Simple.DOUBLE, "'-Infinity'", Double.NEGATIVE_INFINITY),
            of("float8", Simple.DOUBLE, "0.1", 0.1d),
            of("numeric(10,2)", new Decimal(10, 2), "12345678.9", new BigDecimal("12345678.90")),
            of(
                    "numeric(38,0)",
                    new Decimal(38, 0),
                    "99999999999999999999999999999999999999",
                    new BigDecimal("99999999999999999999999999999999999999")),
            raw("numeric(10,2)", new Decimal(10, 2), "'NaN'", "NaN"),
            of("numeric", Simple.STRING, "1.50", "1.50"),
            of("numeric", Simple.STRING, "'NaN'", "NaN"),
            of("numeric", Simple.STRING, "'Infinity'", "Infinity"),
            of(
                    "numeric(50,10)",
                    Simple.STRING,
                    "12345678901234567890123456789012345678.0123456789",
                    "12345678901234567890123456789012345678.0123456789"),
            of("money", new Decimal(19, 2), "'-92233720368547758.08'", new BigDecimal("-92233720368547758.08")),
            of("text", Simple.STRING, "E'tab\\tline\\nback\\\\slash \\\\N'", "tab\tline\nback\\slash \\N"),
            of("text", Simple.STRING, "''", ""),
            of("varchar(5)", Simple.STRING, "'é😀'", "é😀"),
            of("char(4)", Simple.STRING, "'ab'", "ab  "),
            of("name", Simple.STRING, "'n'", "n"),
            of("\"char\"", Simple.STRING, "'x'", "x"),
            of("bytea", Simple.BINARY, "'\\x00ff5c'", new byte[] {0, -1, 0x5c}),
            of("bit(1)", Simple.BOOLEAN, "B'1'", true),
            of("bit(5)", Simple.STRING, "B'00110'", "00110"),
            of("varbit", Simple.STRING, "B'0101'", "0101"),
            of("varbit(1)", Simple.STRING, "B'1'", "1"),
            of("date", Simple.DATE, "'2024-02-29'", (int)
                    LocalDate.of(2024, 2, 29).toEpochDay()),
            of("date", Simple.DATE, "'0044-03-15 BC'", (int)
                    LocalDate.of(-43, 3, 15).toEpochDay()),
            of("date", Simple.DATE, "'5874897-12-31'", 2_145_042_905),
            raw("date", Simple.DATE, "'infinity'", "infinity"),
            raw("date", Simple.DATE, "'-infinity'", "-infinity"),
            of("timestamp", Simple.TIMESTAMP_NTZ, "'2024-02-29 12:00:00.000001'", MICROS_2024_02_29_NOON + 1),
            of("timestamp(0)", Simple.TIMESTAMP_NTZ, "'1969-12-31 23:59:59'", -1_000_000L),
            of("timestamp", Simple.TIMESTAMP_NTZ, "'0001-01-01 00:00:00'", -62_135_596_800_000_000L),
            of(
                    "timestamp",
                    Simple.TIMESTAMP_NTZ,
                    "'0044-03-15 12:00:00.5 BC'",
                    LocalDate.of(-43, 3, 15).toEpochDay() * 86_400_000_000L + 43_200_500_000L),
            raw("timestamp", Simple.TIMESTAMP_NTZ, "'infinity'", "infinity"),
            raw("timestamp", Simple.TIMESTAMP_NTZ, "'294276-12-31 23:59:59.999999'", "294276-12-31 23:59:59.999999"),
            of("timestamptz", Simple.TIMESTAMP, "'2024-02-29 14:00:00+02'", MICROS_2024_02_29_NOON),
            raw("timestamptz", Simple.TIMESTAMP, "'-infinity'", "-infinity"),
            raw("timestamptz", Simple.TIMESTAMP, "'294276-12-31 23:59:59.5+00'", "294276-12-31 23:59:59.5+00"),
            of("time", Simple.STRING, "'24:00:00'", "24:00:00"),
            of("time(3)", Simple.STRING, "'01:02:03.4567'", "01:02:03.457"),
            of("timetz", Simple.STRING, "'10:30:00.25+02'", "08:30:00.25+00"),
            of("interval", Simple.STRING, "'1 year -2 months 3 days 04:05:06.7'", "P10M3DT4H5M6.7S"),
            of("interval", Simple.STRING, "'-00:00:00.5'", "PT-0.5S"),
            of("interval", Simple.STRING, "'0'", "PT0S"),
            of("uuid", Simple.STRING, "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
            of(
                    "json",
                    Simple.STRING,
                    "'{\"b\": 1.0,  \"a\": 12345678901234567890}'",
                    "{\"b\": 1.0,  \"a\": 12345678901234567890}"),
            of("jsonb", Simple.STRING, "'{\"b\": 1.0, \"a\": null}'", "{\"a\": null, \"b\": 1.0}"),
            of("xml", Simple.STRING, "'<a>1</a>'", "<a>1</a>"),
            of("inet", Simple.STRING, "'10.0.0.1/8'", "10.0.0.1/8"),
            of("cidr", Simple.STRING, "'10.0.0.0/8'", "10.0.0.0/8"),
            of("macaddr", Simple.STRING, "'08:00:2b:01:02:03'", "08:00:2b:01:02:03"),
            of("macaddr8", Simple.STRING, "'08:00:2b:01:02:03:04:05'", "08:00:2b:01:02:03:04:05"),
            of("int4range", Simple.STRING, "'[1,5]'", "[1,6)"),
            of("tstzrange", Simple.STRING, "'empty'", "empty"),
            of("int4multirange", Simple.STRING, "'{[1,2],[5,6]}'", "{[1,3),[5,7)}"),
            of("tsvector", Simple.STRING, "'a b'", "'a' 'b'"),
            of("tsquery", Simple.STRING, "'a & b'", "'a' & 'b'"),
            of("pg_lsn", Simple.STRING, "'16/B374D848'", "16/B374D848"),
            of("shop.mood", Simple.STRING, "'sad'", "sad"),
            of("shop.pair", Simple.STRING, "ROW(1,'x y')", "(1,\"x y\")"),
            of("shop.amount", new Decimal(12, 3), "1.5", new BigDecimal("1.500")),
            of("shop.posint", Simple.INT, "7", 7),
            of("point", DeclaredType.POINT, "'(1.5,-2)'", new Object[] {1.5, -2.0}),
            of("box", Simple.STRING, "'(3,4),(1,2)'", "(3.0,4.0),(1.0,2.0)"),
            of("line", Simple.STRING, "'{1,2,3}'", "{1.0,2.0,3.0}"),
            of("lseg", Simple.STRING, "'[(1,2),(3,4)]'", "[(1.0,2.0),(3.0,4.0)]"),
            of("path", Simple.STRING, "'((1,2),(3,4))'", "((1.0,2.0),(3.0,4.0))"),
            of("polygon", Simple.STRING, "'((1,2),(3,4))'", "((1.0,2.0),(3.0,4.0))"),
            of("circle", Simple.STRING, "'<(1,2),3>'", "<(1.0,2.0),3.0>"),
            of("int4[]", new Array(Simple.INT), "'{1,NULL,3}'", new Object[] {1, null, 3}),
            of("int4[]", new Array(Simple.INT), "'{}'", new Object[] {}),
            raw("int4[]", new Array(Simple.INT), "'{{1,2},{3,4}}'", "{{1,2},{3,4}}"),
            raw("int4[]", new Array(Simple.INT), "'[0:1]={7,8}'", "[0:1]={7,8}"),
            of("text[]", new Array(Simple.STRING), "ARRAY['a','','NULL','q\"\\,}',NULL]", new Object[] {
                "a", "", "NULL", "q\"\\,}", null
            }),
            of("numeric(5,1)[]", new Array(new Decimal(5, 1)), "'{1.5,2}'", new Object[] {
                new BigDecimal("1.5"), new BigDecimal("2.0")
            }),
            of("uuid[]", new Array(Simple.STRING), "'{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}'", new Object[] {
                "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
            }),
            of("timestamptz[]", new Array(Simple.TIMESTAMP), "'{2024-02-29 12:00:00+00}'", new Object[] {
                MICROS_2024_02_29_NOON
            }),
            of("bytea[]", new Array(Simple.BINARY), "ARRAY['\\x01'::bytea]", new Object[] {new byte[] {1}}),
            of("bool[]", new Array(Simple.BOOLEAN), "'{t,f}'", new Object[] {true, false}),
            of("money[]", new Array(new Decimal(19, 2)), "'{\"$1,234.50\"}'", new Object[] {new BigDecimal("1234.50")}),
            of("box[]", new Array(Simple.STRING), "'{(3,4),(1,2);(5,6),(7,8)}'", new Object[] {
                "(3.0,4.0),(1.0,2.0)", "(7.0,8.0),(5.0,6.0)"
            }),
            of("interval[]", new Array(Simple.STRING), "'{1 day}'", new Object[] {"P1D"}),
            of("shop.mood[]", new Array(Simple.STRING), "'{sad,ok}'", new Object[] {"sad", "ok"}),
            of("shop.amount[]", new Array(new Decimal(12, 3)), "'{1.5}'", new Object[] {new BigDecimal("1.500")}),
            of("shop.pair[]", new Array(Simple.STRING), "ARRAY[ROW(1,'x')::shop.pair]", new Object[] {"(1,x)"}),
            of("int2vector", Simple.STRING, "'1 2'", "1 2"),
            of("text COLLATE \"C\" NOT NULL", Simple.STRING, "'must'", "must"));

    @ParameterizedTest
    @EnumSource(Version.class)
    void valuesAreTheSameInSnapshotAndStream(Version version) throws Exception {
        StringBuilder table = new StringBuilder("CREATE TABLE v (id int PRIMARY KEY");
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < CASES.size(); i++) {
            table.append(", c").append(i).append(' ').append(CASES.get(i).declared());
            row.append(", ").append(CASES.get(i).sql());
        }
        try (Capture capture = new Capture(
                TestPostgres.shared(version),
                "shop.v",
                "CREATE TYPE shop.mood AS ENUM ('sad', 'ok')",
                "CREATE TYPE shop.pair AS (a int, b text)",
                "CREATE DOMAIN shop.amount AS numeric(12,3)",
                "CREATE DOMAIN shop.posint AS int CHECK (VALUE > 0)",
                table + ")")) {
            capture.execute("INSERT INTO v VALUES (1" + row + ")");
            Recorder streamed = capture.begin();
            ChangeEvent read =
                    capture.snapshot(Set.of(Capture.table("v"))).events().get(0);

            capture.execute("INSERT INTO v VALUES (2" + row + ")");
            capture.settle();
            ChangeEvent inserted = streamed.events().get(0);

            assertSchema(read.schema());
            assertThat(inserted.schema()).as("schema in the stream").isEqualTo(read.schema());
            assertValues(read);
            assertValues(inserted);
            assertThat(capture.source.inspect().tables().get(0).schema())
                    .as("schema in the preflight")
                    .isEqualTo(read.schema());
        }
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void nullsStayNullAlsoWhenTheColumnBecomesNotNull(Version version) throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(version),
                "shop.n",
                "CREATE TABLE n (id int PRIMARY KEY, a int DEFAULT 5, b text DEFAULT 'd')")) {
            capture.begin();
            capture.settle();
            capture.stop();
            capture.execute(
                    "INSERT INTO n VALUES (1, NULL, NULL)",
                    "DELETE FROM n",
                    "ALTER TABLE n ALTER a SET NOT NULL, ALTER b SET NOT NULL");
            Recorder recorder = capture.stream(capture.position, Map.of());
            capture.settle();

            ChangeEvent inserted = recorder.events().get(0);
            assertThat(Recorder.value(inserted, "a")).isNull();
            assertThat(Recorder.value(inserted, "b")).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void columnsChangeWithTheRowThatHasThem(Version version) throws Exception {
        try (Capture capture =
                new Capture(TestPostgres.shared(version), "shop.s", "CREATE TABLE s (id int PRIMARY KEY, n int)")) {
            Recorder recorder = capture.begin();
            capture.execute(
                    "INSERT INTO s VALUES (1, 1)",
                    "BEGIN; INSERT INTO s VALUES (2, 2); ALTER TABLE s ADD x numeric(5,2) DEFAULT 1.5;"
                            + " INSERT INTO s VALUES (3, 3); ALTER TABLE s ALTER n TYPE bigint;"
                            + " INSERT INTO s VALUES (4, 5000000000); COMMIT",
                    "ALTER TABLE s RENAME n TO m",
                    "INSERT INTO s VALUES (5, 5, NULL)",
                    "ALTER TABLE s DROP m");
            capture.settle();

            List<String> shapes = new ArrayList<>();
            for (ChangeEvent event : recorder.events()) {
                shapes.add(event.schema().columns().stream()
                        .map(column -> column.name() + " " + column.sourceType())
                        .toList()
                        .toString());
            }
            assertThat(shapes)
                    .containsExactly(
                            "[id int4, n int4]",
                            "[id int4, n int4]",
                            "[id int4, n int4, x numeric(5,2)]",
                            "[id int4, n int8, x numeric(5,2)]",
                            "[id int4, m int8, x numeric(5,2)]");
            assertThat(Recorder.value(recorder.events().get(2), "x")).isEqualTo(new BigDecimal("1.50"));
            assertThat(Recorder.value(recorder.events().get(4), "x")).isNull();
        }
    }

    private static void assertSchema(TableSchema schema) {
        assertThat(schema.columns().get(0)).isEqualTo(new Column("id", Simple.INT, "int4", true));
        for (int i = 0; i < CASES.size(); i++) {
            assertThat(schema.columns().get(i + 1).type())
                    .as(CASES.get(i).declared())
                    .isEqualTo(CASES.get(i).type());
        }
    }

    private static void assertValues(ChangeEvent event) {
        var image = Recorder.image(event);
        assertThat(image.extent()).isEqualTo(Extent.FULL);
        List<RawValue> raw = new ArrayList<>();
        for (int i = 0; i < CASES.size(); i++) {
            Case expected = CASES.get(i);
            Object actual = image.value(i + 1);
            assertThat(Objects.deepEquals(actual, expected.expected()))
                    .as(
                            "%s of %s in %s is %s",
                            expected.sql(), expected.declared(), event.operation(), Arrays.deepToString(new Object[] {
                                actual
                            }))
                    .isTrue();
            if (expected.raw() != null) {
                raw.add(new RawValue("c" + i, "", expected.raw()));
            }
        }
        assertThat(image.raw()).isEqualTo(raw);
    }
}

package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.event.ChangeEvent;
import io.tributary.event.RowImage;
import io.tributary.event.RowImage.Extent;
import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Large values that an update left alone are named, never guessed (case C05). */
class ToastIT {

    @ParameterizedTest
    @EnumSource(Version.class)
    void unsentValuesAreNamedAndNothingElseIs(Version version) throws Exception {
        try (Capture capture = new Capture(
                TestPostgres.shared(version),
                "shop.article",
                "CREATE TABLE article(id int PRIMARY KEY, views int, body text, raw bytea, doc jsonb, scores int[],"
                        + " keys uuid[])",
                "ALTER TABLE article ALTER body SET STORAGE EXTERNAL, ALTER raw SET STORAGE EXTERNAL,"
                        + " ALTER doc SET STORAGE EXTERNAL, ALTER scores SET STORAGE EXTERNAL,"
                        + " ALTER keys SET STORAGE EXTERNAL")) {
            Recorder recorder = capture.begin();
            capture.execute(
                    "INSERT INTO article SELECT 1,0,(SELECT string_agg(md5(i::text),'') FROM generate_series(1,1000)i),"
                            + "(SELECT string_agg(decode(md5(i::text),'hex'),'') FROM generate_series(1,2000)i),"
                            + "(SELECT jsonb_object_agg('k'||i,md5(i::text)) FROM generate_series(1,500)i),"
                            + "(SELECT array_agg(i) FROM generate_series(1,5000)i),"
                            + "(SELECT array_agg(gen_random_uuid()) FROM generate_series(1,500)i)",
                    "UPDATE article SET views=1 WHERE id=1",
                    "UPDATE article SET body=NULL WHERE id=1",
                    "INSERT INTO article(id,views,body) VALUES (2,0,'__debezium_unavailable_value')",
                    "ALTER TABLE article REPLICA IDENTITY FULL",
                    "UPDATE article SET views=2 WHERE id=1");

            assertThat(capture.settle()).containsExactly("c1", "u1", "u1", "c2", "u1");

            List<ChangeEvent> events = recorder.events();
            RowImage first = Recorder.image(events.get(0));
            assertThat(first.extent()).isEqualTo(Extent.FULL);

            RowImage untouched = Recorder.image(events.get(1));
            assertThat(untouched.extent()).isEqualTo(Extent.PARTIAL);
            assertThat(untouched.unchanged()).containsExactly("body", "raw", "doc", "scores", "keys");
            assertThat(untouched.value(2)).isNull();

            RowImage nulled = Recorder.image(events.get(2));
            assertThat(nulled.value(2)).isNull();
            assertThat(nulled.unchanged()).containsExactly("raw", "doc", "scores", "keys");

            RowImage literal = Recorder.image(events.get(3));
            assertThat(literal.extent()).isEqualTo(Extent.FULL);
            assertThat(literal.value(2)).isEqualTo("__debezium_unavailable_value");

            RowImage full = Recorder.image(events.get(4));
            assertThat(full.extent()).isEqualTo(Extent.FULL);
            for (int column = 3; column < 7; column++) {
                assertThat(full.value(column)).isNotNull().isEqualTo(first.value(column));
            }
        }
    }

    @Test
    void everyToastableTypeIsToldApart() throws Exception {
        List<String> types = List.of(
                "text",
                "varchar",
                "bpchar",
                "bytea",
                "json",
                "jsonb",
                "xml",
                "numeric",
                "varbit",
                "tsvector",
                "text[]",
                "int2[]",
                "int4[]",
                "int8[]",
                "float4[]",
                "float8[]",
                "bool[]",
                "uuid[]",
                "bytea[]",
                "numeric[]",
                "date[]",
                "timestamp[]",
                "timestamptz[]",
                "json[]",
                "interval[]",
                "inet[]",
                "point[]",
                "path",
                "polygon",
                "shop.big",
                "shop.big[]",
                "int4multirange");
        StringBuilder table = new StringBuilder("CREATE TABLE w (id int PRIMARY KEY, n int");
        StringBuilder storage = new StringBuilder("ALTER TABLE w ALTER c0 SET STORAGE EXTERNAL");
        StringBuilder row = new StringBuilder("INSERT INTO w VALUES (1, 0");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            String type = types.get(i);
            names.add("c" + i);
            table.append(", c").append(i).append(' ').append(type);
            if (i > 0 && !type.equals("numeric")) {
                storage.append(", ALTER c").append(i).append(" SET STORAGE EXTERNAL");
            }
            row.append(", ").append(large(type));
        }
        try (Capture capture = new Capture(
                TestPostgres.shared(Version.V18),
                "shop.w",
                "CREATE TYPE big AS (t text, u text)",
                table + ")",
                storage.toString())) {
            Recorder recorder = capture.begin();
            capture.execute(row + ")", "UPDATE w SET n = 1", "UPDATE w SET id = 2");

            assertThat(capture.settle()).containsExactly("c1", "u1", "d1", "c2");
            assertThat(Recorder.image(recorder.events().get(0)).unchanged()).isEmpty();
            assertThat(Recorder.image(recorder.events().get(1)).unchanged()).isEqualTo(names);
            assertThat(Recorder.image(recorder.events().get(2)).extent()).isEqualTo(Extent.KEY);
            assertThat(Recorder.image(recorder.events().get(3)).unchanged())
                    .as("the new row of a changed key")
                    .isEqualTo(names);
        }
    }

    /** An SQL value of the type that is too large to stay in the row, however it is compressed. */
    private static String large(String type) {
        String text = "(SELECT string_agg(md5(i::text), ' ') FROM generate_series(1, 500) i)";
        String digits = "(SELECT string_agg((1000 + i)::text, '') FROM generate_series(1, 400) i)";
        return switch (type) {
            case "json", "jsonb" -> "to_json(" + text + ")";
            case "xml" -> "('<a>' || " + text + " || '</a>')::xml";
            case "bytea" -> "convert_to(" + text + ", 'UTF8')";
            case "numeric" -> "(SELECT string_agg(g::text, '') FROM generate_series(10000, 15000) g)::numeric";
            case "varbit" ->
                "(SELECT string_agg(('x' || md5(i::text))::bit(128)::text, '') FROM"
                        + " generate_series(1, 500) i)::varbit";
            case "tsvector" -> "to_tsvector('simple', " + text + ")";
            case "text[]" -> array("md5(i::text)");
            case "bytea[]" -> array("decode(md5(i::text), 'hex')");
            case "uuid[]" -> array("md5(i::text)::uuid");
            case "bool[]" -> array("i % 3 = 0");
            case "date[]" -> array("date '2020-01-01' + i");
            case "timestamp[]", "timestamptz[]" -> array("(timestamp '2020-01-01' + i * interval '1 s')");
            case "json[]" -> array("to_json(md5(i::text))");
            case "interval[]" -> array("i * interval '1 s'");
            case "inet[]" -> array("inet '10.0.0.0' + i");
            case "point[]" -> array("point(i, i)");
            case "path" ->
                "(SELECT ('(' || string_agg('(' || i || ',' || i || ')', ',') || ')')::path FROM"
                        + " generate_series(1, 1000) i)";
            case "polygon" ->
                "(SELECT ('(' || string_agg('(' || i || ',' || i || ')', ',') || ')')::polygon FROM"
                        + " generate_series(1, 1000) i)";
            case "shop.big" -> "ROW(" + text + ", " + digits + ")::shop.big";
            case "shop.big[]" -> array("ROW(md5(i::text), 'u')::shop.big");
            case "int4multirange" -> "(SELECT range_agg(int4range(i * 3, i * 3 + 1)) FROM generate_series(1, 2000) i)";
            case "int2[]", "int4[]", "int8[]", "float4[]", "float8[]", "numeric[]" -> array("i");
            default -> text;
        };
    }

    private static String array(String element) {
        return "(SELECT array_agg(" + element + ") FROM generate_series(1, 3000) i)";
    }
}

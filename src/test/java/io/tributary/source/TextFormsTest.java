package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tributary.event.ColumnType.Decimal;
import io.tributary.event.ColumnType.Simple;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;

/** The text forms that the source reads. */
class TextFormsTest {

    @Property
    void lsnReadsWhatTheVocabularyWrites(@ForAll long lsn) {
        assertThat(Lsn.parse(SourcePosition.Wal.formatLsn(lsn))).isEqualTo(lsn);
    }

    @Example
    void textsThatAreNoLsnAreRefused() {
        for (String text : List.of("", "/", "1/", "/1", "G/1", "1/123456789")) {
            assertThatThrownBy(() -> Lsn.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** java.time prints what PostgreSQL prints, but for the T and the era. */
    @Property
    void timestampIsTheMicrosecondThatJavaTimeSays(
            @ForAll @LongRange(min = -62_135_596_800_000_000L, max = 253_402_300_799_999_999L) long micros) {
        Instant instant =
                Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000);
        String text = instant.toString().replace('T', ' ').replace("Z", "+00");
        assertThat(TimeText.epochMicros(text)).isEqualTo(micros);
        assertThat(TimeText.epochMicros(instant)).isEqualTo(micros);
        assertThat(TimeText.epochMicros(TimeText.format(instant))).isEqualTo(micros);
    }

    @Example
    void timestampsOutsideInt64AreNotWrapped() {
        assertThat(TimeText.epochMicros("294247-01-10 04:00:54.775807")).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> TimeText.epochMicros("294247-01-10 04:00:54.775808"))
                .isInstanceOf(ArithmeticException.class);
        assertThat(TimeText.epochMicros("1970-01-01 00:00:00.000001-00:00:01")).isEqualTo(1_000_001L);
        assertThat(TimeText.epochMicros("1970-01-01 05:30:00+05:30")).isZero();
    }

    @Property
    void dateIsTheDayThatJavaTimeSays(@ForAll @IntRange(min = -719_162, max = 2_932_896) int day) {
        assertThat(TimeText.epochDay(LocalDate.ofEpochDay(day).toString())).isEqualTo(day);
    }

    @Property
    void arrayElementsSurviveQuoting(@ForAll("elements") List<@Nullable String> elements) {
        String text = elements.stream()
                .map(e -> e == null ? "NULL" : '"' + e.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "{", "}"));
        assertThat(ArrayText.elements(text, ',')).contains(elements);
    }

    @Provide
    Arbitrary<List<@Nullable String>> elements() {
        return Arbitraries.strings().ofMaxLength(8).injectNull(0.2).list().ofMaxSize(6);
    }

    @Property
    void copiedValuesSurviveEscaping(@ForAll("values") List<@Nullable String> values) {
        String line = values.stream()
                        .map(v -> v == null
                                ? "\\N"
                                : v.replace("\\", "\\\\")
                                        .replace("\b", "\\b")
                                        .replace("\f", "\\f")
                                        .replace("\n", "\\n")
                                        .replace("\r", "\\r")
                                        .replace("\t", "\\t")
                                        .replace("\u000b", "\\v"))
                        .collect(Collectors.joining("\t"))
                + "\n";
        assertThat(CopyRow.parse(line.getBytes(StandardCharsets.UTF_8), values.size()))
                .containsExactlyElementsOf(values);
    }

    @Provide
    Arbitrary<List<@Nullable String>> values() {
        return Arbitraries.strings()
                .withChars('a', '\\', 'N', '\t', '\n', '\r', '\b', '\f', 'é', '\u000b', '"')
                .ofMaxLength(8)
                .injectNull(0.2)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    /** The type modifier is built here as the server's numerictypmodin does. */
    @Property
    void numericIsReadAlikeFromTheCatalogAndTheStream(
            @ForAll @IntRange(min = 1, max = 1000) int precision,
            @ForAll @IntRange(min = -1000, max = 1000) int scale) {
        int modifier = ((precision << 16) | (scale & 0x7ff)) + 4;
        DeclaredType declared = DeclaredType.ofModifier(PgType.base("numeric"), modifier);
        assertThat(declared).isEqualTo(new DeclaredType(PgType.base("numeric"), precision, scale));
        assertThat(DeclaredType.ofLength(PgType.base("numeric"), precision, (modifier - 4) & 0xffff))
                .isEqualTo(declared);
        assertThat(declared.text()).isEqualTo("numeric(" + precision + "," + scale + ")");
    }

    @Example
    void numericBecomesTheSmallestDecimalThatHoldsIt() {
        assertThat(numeric(10, 2)).isEqualTo(new Decimal(10, 2));
        assertThat(numeric(5, -2)).isEqualTo(new Decimal(7, 0));
        assertThat(numeric(3, 5)).isEqualTo(new Decimal(5, 5));
        assertThat(numeric(38, 38)).isEqualTo(new Decimal(38, 38));
        assertThat(numeric(39, 0)).isEqualTo(Simple.STRING);
        assertThat(numeric(37, -2)).isEqualTo(Simple.STRING);
        assertThat(numeric(0, 0)).isEqualTo(Simple.STRING);
    }

    private static io.tributary.event.ColumnType numeric(int precision, int scale) {
        return new DeclaredType(PgType.base("numeric"), precision, scale).columnType(2);
    }

    @Property
    void patternMatchesWhatItsLettersSay(@ForAll("names") String schema, @ForAll("names") String table) {
        TableId id = new TableId(schema, table);
        assertThat(TablePattern.parse(schema + "." + table).matches(id)).isTrue();
        assertThat(TablePattern.parse("*.*").matches(id)).isTrue();
        assertThat(TablePattern.parse(schema + "." + "?".repeat(table.codePointCount(0, table.length())))
                        .matches(id))
                .isTrue();
        assertThat(TablePattern.parse(schema + "." + table + "?").matches(id)).isFalse();
        assertThat(id.schema() + "." + id.table()).matches(EngineProperties.regex(id));
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings()
                .withChars('a', 'B', '_', '$', '(', '[', '|', '\\', ',', '+', 'é')
                .ofMinLength(1)
                .ofMaxLength(6);
    }

    @Example
    void engineSeesNoTableButTheOnesNamed() {
        assertThat("shop.Orders").doesNotMatch("(?i)" + EngineProperties.regex(new TableId("shop", "orders")));
        assertThat(EngineProperties.regex(new TableId("a,b", "c"))).doesNotContain(",");
    }

    @Example
    void eachEntryMustSelectSomething() {
        Set<TableId> tables =
                Set.of(new TableId("shop", "orders"), new TableId("shop", "people"), new TableId("x", "y"));
        List<TablePattern> patterns = List.of(TablePattern.parse("shop.*"), TablePattern.parse("shop.orders"));
        assertThat(TablePattern.select(patterns, tables))
                .containsExactly(new TableId("shop", "orders"), new TableId("shop", "people"));
        assertThatThrownBy(() -> TablePattern.select(List.of(TablePattern.parse("shop.order")), tables))
                .isInstanceOf(SourceConfigurationException.class)
                .hasMessageContaining("near names are shop.orders");
    }

    @Example
    void snapshotPointDecidesByTheView() {
        SnapshotPoint point = SnapshotPoint.parse("0/100@10:20:12,15");
        assertThat(visible(point, 8, 22)).containsExactly(8, 9, 10, 11, 13, 14, 16, 17, 18, 19);
        assertThat(SnapshotPoint.parse(point.text())).isEqualTo(point);
    }

    /** The view has 64 bits, the stream the lower 32 of them. */
    @Example
    void snapshotPointKnowsThatIdsWrap() {
        SnapshotPoint point = SnapshotPoint.parse("0/100@4294967290:4294967300:4294967298");
        assertThat(point.includes(0xffff_ffffL)).isTrue();
        assertThat(point.includes(1)).isTrue();
        assertThat(point.includes(2)).as("in progress").isFalse();
        assertThat(point.includes(4)).as("later").isFalse();
    }

    private static List<Integer> visible(SnapshotPoint point, int from, int to) {
        List<Integer> visible = new ArrayList<>();
        for (int xid = from; xid <= to; xid++) {
            if (point.includes(xid)) {
                visible.add(xid);
            }
        }
        return visible;
    }

    /** POINT(1 2) with and without the reference id 4326, as PostGIS prints it. */
    @Example
    void geometryIsSplitIntoReferenceIdAndPlainWkb() {
        byte[] wkb = HexFormat.of().parseHex("0101000000000000000000f03f0000000000000040");
        byte[] extended = HexFormat.of().parseHex("0101000020e6100000000000000000f03f0000000000000040");
        assertThat(ExtendedWkb.parse(extended)).containsExactly(4326, wkb);
        assertThat(ExtendedWkb.parse(wkb)).containsExactly(null, wkb);
    }

    @Example
    void hstoreIsJsonWithItsKeysInOrder() {
        assertThat(HstoreText.json("\"b\"=>\"x\\\"y\", \"a\"=>NULL", new RawTexts()))
                .isEqualTo("{\"a\": null, \"b\": \"x\\\"y\"}");
    }
}

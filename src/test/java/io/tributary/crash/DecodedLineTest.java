package io.tributary.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Lines as {@code test_decoding} of a PostgreSQL 18 printed them. */
class DecodedLineTest {

    @Test
    void anInsertHasEveryValueThatIsNotNull() {
        assertThat(read(
                        "table shop.account: INSERT: id[bigint]:1 owner[text]:'it''s a [text]:''x''' balance[numeric]:2.50"
                                + " active[boolean]:true note[text]:null"))
                .containsExactly("account:c[active:b=true|balance:n=2.50|id:l=1|owner:s=it's a [text]:'x']");
    }

    @Test
    void aChangedKeyIsADeleteAndAnInsert() {
        assertThat(read("table shop.document: UPDATE: old-key: id[integer]:1 new-tuple: id[integer]:-1"
                        + " body[text]:unchanged-toast-datum views[integer]:3"))
                .containsExactly("document:d[id:i=1]", "document:c[id:i=-1|views:i=3|~body]");
    }

    @Test
    void anUpdateOfATableWithoutKeyStaysAnUpdate() {
        assertThat(read("table shop.ledger: UPDATE: old-key: entry[bigint]:1 memo[text]:'a' new-tuple: entry[bigint]:1"
                        + " memo[text]:'b'"))
                .containsExactly("ledger:u[entry:l=1|memo:s=b]");
    }

    @Test
    void aDeleteHasWhatTheIdentityHas() {
        assertThat(read("table shop.account: DELETE: id[bigint]:-7")).containsExactly("account:d[id:l=-7]");
    }

    @Test
    void aTruncateNamesEveryTable() {
        assertThat(read("table shop.bulk, shop.bulk_note: TRUNCATE: (no-flags)"))
                .containsExactly("bulk:t[]", "bulk_note:t[]");
    }

    @Test
    void otherLinesAreAboutNoRow() {
        assertThat(read("BEGIN 771")).isEmpty();
        assertThat(read("message: transactional: 1 prefix: load, sz: 2 content:hi"))
                .isEmpty();
    }

    private static List<String> read(String line) {
        return DecodedLine.read(line, Set.of("ledger")).stream()
                .map(SourceChange::toString)
                .toList();
    }
}

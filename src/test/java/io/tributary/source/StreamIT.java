package io.tributary.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tributary.testing.TestPostgres;
import io.tributary.testing.TestPostgres.Version;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What arrives when rows change. */
class StreamIT {

    @ParameterizedTest
    @EnumSource(Version.class)
    void everyKindOfChangeArrivesInOrder(Version version) throws Exception {
        try (Capture capture =
                new Capture(TestPostgres.shared(version), "shop.t", "CREATE TABLE t (id int PRIMARY KEY, v text)")) {
            Recorder recorder = capture.begin();

            capture.execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
            capture.execute("UPDATE t SET v = 'c' WHERE id = 1");
            capture.execute("UPDATE t SET id = 3 WHERE id = 2");
            capture.execute("DELETE FROM t WHERE id = 1");
            capture.execute("TRUNCATE t");

            assertThat(capture.settle()).containsExactly("c1", "c2", "u1", "d2", "c3", "d1", "t");
            assertThat(recorder.ends()).isNotEmpty();
        }
    }
}

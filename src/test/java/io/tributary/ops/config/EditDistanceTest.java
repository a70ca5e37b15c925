package io.tributary.ops.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {

    @ParameterizedTest
    @CsvSource({"tables,tables,0", "tabels,tables,1", "table,tables,1", "tables,tabes,1", "maxage,max-age,1", "'',abc,3"
    })
    void typingErrorsAreCounted(String a, String b, int expected) {
        assertThat(EditDistance.between(a, b)).isEqualTo(expected);
        assertThat(EditDistance.between(b, a)).isEqualTo(expected);
    }
}

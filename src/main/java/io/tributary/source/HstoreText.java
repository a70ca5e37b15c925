package io.tributary.source;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.Map;
import java.util.TreeMap;
import org.postgresql.util.HStoreConverter;

/** PostgreSQL's hstore as a JSON object with its keys in order, so that equal values are equal texts. */
final class HstoreText {
    private HstoreText() {}

    static Object json(Object value, RawTexts raw) {
        Map<String, String> pairs = new TreeMap<>(HStoreConverter.fromString(ScalarDecoders.text(value)));
        StringBuilder json = new StringBuilder("{");
        pairs.forEach((key, text) -> {
            if (json.length() > 1) {
                json.append(", ");
            }
            quote(json, key).append(": ");
            if (text == null) {
                json.append("null");
            } else {
                quote(json, text);
            }
        });
        return json.append('}').toString();
    }

    private static StringBuilder quote(StringBuilder json, String text) {
        return json.append('"')
                .append(JsonStringEncoder.getInstance().quoteAsString(text))
                .append('"');
    }
}

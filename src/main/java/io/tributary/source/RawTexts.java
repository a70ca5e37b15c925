package io.tributary.source;

import io.tributary.event.RawValue;
import java.util.ArrayList;
import java.util.List;

/** Collects the original texts of one row's values that their types can't hold. Confined to one thread. */
final class RawTexts {
    private static final int WHOLE_VALUE = 0;

    private String column = "";
    private int element = WHOLE_VALUE;
    private List<RawValue> values = List.of();

    /** The texts of the row so far; starts a new row. */
    List<RawValue> take() {
        List<RawValue> taken = values;
        values = List.of();
        return taken;
    }

    void column(String name) {
        column = name;
        element = WHOLE_VALUE;
    }

    /** Subscript of the array element that follows, from 1 as PostgreSQL counts; 0 for the whole value. */
    void element(int subscript) {
        element = subscript;
    }

    void keep(String text) {
        if (values.isEmpty()) {
            values = new ArrayList<>(2);
        }
        values.add(new RawValue(column, element == WHOLE_VALUE ? "" : "[" + element + "]", text));
    }
}

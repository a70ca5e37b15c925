package io.tributary.event;

/** What a bronze row says happened, with the code that stands in {@code _cdc_op}. */
public enum Operation {
    READ("r"),
    INSERT("c"),
    UPDATE("u"),
    DELETE("d"),
    TRUNCATE("t");

    private final String code;

    Operation(String code) {
        this.code = code;
    }

    public String code() {
        return code;
    }
}

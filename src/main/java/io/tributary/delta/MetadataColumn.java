package io.tributary.delta;

import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Field;
import io.tributary.event.ColumnType.Simple;
import java.util.List;

/** The columns that every bronze table has after its data columns, in this order; a public contract (format 1). */
enum MetadataColumn {
    OP("_cdc_op"),
    SEQ("_cdc_seq"),
    TX("_cdc_tx"),
    POSITION("_cdc_position"),
    SOURCE_TIME("_cdc_source_time"),
    INGEST_TIME("_cdc_ingest_time"),
    SCHEMA_VERSION("_cdc_schema_version"),
    SNAPSHOT("_cdc_snapshot"),
    IMAGE("_cdc_image"),
    UNCHANGED("_cdc_unchanged"),
    RAW("_cdc_raw");

    private final String columnName;

    MetadataColumn(String columnName) {
        this.columnName = columnName;
    }

    String columnName() {
        return columnName;
    }

    ColumnType type() {
        return switch (this) {
            case OP, TX, POSITION, IMAGE -> Simple.STRING;
            case SEQ, SNAPSHOT -> Simple.BIGINT;
            case SOURCE_TIME, INGEST_TIME -> Simple.TIMESTAMP;
            case SCHEMA_VERSION -> Simple.INT;
            case UNCHANGED -> new ColumnType.Array(Simple.STRING);
            // an array of structs and not a map: Spark compares no maps
            case RAW ->
                new ColumnType.Array(new ColumnType.Struct(List.of(
                        new Field("column", Simple.STRING),
                        new Field("path", Simple.STRING),
                        new Field("text", Simple.STRING))));
        };
    }
}

package io.tributary.delta;

import io.tributary.event.ColumnType;
import io.tributary.event.ColumnType.Field;
import io.tributary.event.ColumnType.Simple;
import java.util.List;

/** The columns that every bronze table has after its data columns, in this order; a public contract (format 1). */
enum MetadataColumn {
    OP("_cdc_op", Simple.STRING),
    SEQ("_cdc_seq", Simple.BIGINT),
    TX("_cdc_tx", Simple.STRING),
    POSITION("_cdc_position", Simple.STRING),
    SOURCE_TIME("_cdc_source_time", Simple.TIMESTAMP),
    INGEST_TIME("_cdc_ingest_time", Simple.TIMESTAMP),
    SCHEMA_VERSION("_cdc_schema_version", Simple.INT),
    SNAPSHOT("_cdc_snapshot", Simple.BIGINT),
    IMAGE("_cdc_image", Simple.STRING),
    UNCHANGED("_cdc_unchanged", new ColumnType.Array(Simple.STRING)),
    RAW(
            "_cdc_raw",
            new ColumnType.Array(new ColumnType.Struct(List.of(
                    new Field("column", Simple.STRING),
                    new Field("path", Simple.STRING),
                    new Field("text", Simple.STRING)))));

    private final String columnName;
    private final ColumnType type;

    MetadataColumn(String columnName, ColumnType type) {
        this.columnName = columnName;
        this.type = type;
    }

    String columnName() {
        return columnName;
    }

    ColumnType type() {
        return type;
    }
}

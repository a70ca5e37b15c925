package io.tributary.delta;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tributary.event.ColumnType;
import io.tributary.event.TableId;
import io.tributary.evolution.BronzeColumn;
import io.tributary.evolution.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Table names, types and layouts as JSON. */
final class LayoutJson {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private LayoutJson() {}

    static ObjectNode write(TableId table) {
        return NODES.objectNode().put("schema", table.schema()).put("table", table.table());
    }

    static TableId readTable(JsonNode json) {
        return new TableId(
                json.required("schema").textValue(), json.required("table").textValue());
    }

    static ObjectNode write(TableLayout layout) {
        ObjectNode json = write(layout.table()).put("version", layout.version());
        ArrayNode columns = json.putArray("columns");
        for (BronzeColumn column : layout.columns()) {
            ObjectNode entry = columns.addObject();
            entry.put("name", column.name());
            entry.set("type", write(column.type()));
            entry.put("sourceName", column.sourceName());
            entry.put("sourceType", column.sourceType());
            entry.put("key", column.key());
        }
        return json;
    }

    static TableLayout readLayout(JsonNode json) {
        List<BronzeColumn> columns = new ArrayList<>();
        for (JsonNode column : json.required("columns")) {
            columns.add(new BronzeColumn(
                    column.required("name").textValue(),
                    readType(column.required("type")),
                    column.required("sourceName").textValue(),
                    column.required("sourceType").textValue(),
                    column.required("key").booleanValue()));
        }
        return new TableLayout(readTable(json), json.required("version").intValue(), columns);
    }

    private static JsonNode write(ColumnType type) {
        if (type instanceof ColumnType.Simple simple) {
            return TextNode.valueOf(simple.name().toLowerCase(Locale.ROOT));
        }
        ObjectNode json = NODES.objectNode();
        if (type instanceof ColumnType.Decimal decimal) {
            json.putArray("decimal").add(decimal.precision()).add(decimal.scale());
        } else if (type instanceof ColumnType.Array array) {
            json.set("array", write(array.element()));
        } else {
            ArrayNode fields = json.putArray("struct");
            for (ColumnType.Field field : ((ColumnType.Struct) type).fields()) {
                fields.addObject().put("name", field.name()).set("type", write(field.type()));
            }
        }
        return json;
    }

    private static ColumnType readType(JsonNode json) {
        if (json.isTextual()) {
            return ColumnType.Simple.valueOf(json.textValue().toUpperCase(Locale.ROOT));
        }
        if (json.has("decimal")) {
            JsonNode decimal = json.get("decimal");
            return new ColumnType.Decimal(
                    decimal.required(0).intValue(), decimal.required(1).intValue());
        }
        if (json.has("array")) {
            return new ColumnType.Array(readType(json.get("array")));
        }
        List<ColumnType.Field> fields = new ArrayList<>();
        for (JsonNode field : json.required("struct")) {
            fields.add(new ColumnType.Field(field.required("name").textValue(), readType(field.required("type"))));
        }
        return new ColumnType.Struct(fields);
    }
}

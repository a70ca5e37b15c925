package io.tributary.delta;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tributary.batch.StagedFile;
import io.tributary.event.SnapshotPoint;
import io.tributary.event.SourceIdentity;
import io.tributary.event.SourcePosition;
import io.tributary.event.TableId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** The text of a journal object: one line of JSON, then one line with its checksum, so that a torn object is noticed. */
final class JournalJson {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private JournalJson() {}

    static List<String> write(JournalEntry entry) {
        ObjectNode json = JSON.createObjectNode();
        json.put("format", entry.format());
        json.put("number", entry.number());
        json.put("writer", entry.writer());
        json.put("kind", entry.kind().name());
        SourceIdentity source = entry.source();
        json.putObject("source")
                .put("kind", source.kind())
                .put("server", source.server())
                .put("timeline", source.timeline())
                .put("database", source.database())
                .put("channel", source.channel());
        entry.position().ifPresent(position -> json.set("position", write(position)));
        json.put("lastSequence", entry.lastSequence());
        ArrayNode commits = json.putArray("commits");
        entry.commits().forEach(commit -> write(commit, commits.addObject()));
        ArrayNode tables = json.putArray("tables");
        new TreeMap<>(entry.tables()).forEach((table, progress) -> {
            ObjectNode row = tables.addObject();
            row.set("table", LayoutJson.write(table));
            row.put("path", progress.path());
            row.put("deltaId", progress.deltaId());
            row.put("relation", progress.relation());
            row.put("generation", progress.generation());
            progress.snapshot().ifPresent(point -> row.put("snapshot", point.text()));
            progress.lastBatch().ifPresent(batch -> row.put("lastBatch", batch));
            if (progress.waived()) {
                row.put("waived", true);
            }
        });
        json.put("writtenAtMillis", entry.writtenAtMillis());
        try {
            String body = JSON.writeValueAsString(json);
            return List.of(body, checksumLine(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values always has a JSON form", e);
        }
    }

    private static void write(TableCommit commit, ObjectNode json) {
        json.set("layout", LayoutJson.write(commit.layout()));
        json.put("path", commit.path());
        json.put("deltaId", commit.deltaId());
        json.put("rows", commit.rows());
        ArrayNode files = json.putArray("files");
        for (StagedFile file : commit.files()) {
            files.addObject()
                    .put("path", file.path())
                    .put("sizeBytes", file.sizeBytes())
                    .put("modifiedMillis", file.modifiedMillis())
                    .put("rows", file.rows())
                    .put("statistics", file.statistics());
        }
    }

    private static ObjectNode write(SourcePosition position) {
        ObjectNode json = JSON.createObjectNode();
        if (position instanceof SourcePosition.Wal wal) {
            json.put("kind", "wal")
                    .put("lsn", wal.lsn())
                    .put("xid", wal.xid())
                    .put("commitTimeMicros", wal.commitTimeMicros());
        }
        // for people; not read back
        return json.put("text", position.text());
    }

    /**
     * Reads an object back.
     *
     * @param path where it was read, for the message
     * @throws JournalCorruptedException if it isn't whole
     * @throws LakeConfigurationException if a newer build wrote it
     */
    static JournalEntry read(String path, String text) {
        String[] lines = text.split("\n", -1);
        if (lines.length != 3 || !lines[2].isEmpty() || !lines[1].equals(checksumLine(lines[0]))) {
            throw new JournalCorruptedException(path, "it is empty, cut short or changed (its checksum is wrong)");
        }
        try {
            JsonNode json = JSON.readTree(lines[0]);
            int format = json.required("format").intValue();
            FormatVersion.requireKnown("journal object " + path, format, JournalEntry.FORMAT);
            if (format != JournalEntry.FORMAT) {
                throw new JournalCorruptedException(path, "there is no format " + format);
            }
            return read(json);
        } catch (JsonProcessingException | IllegalArgumentException | NullPointerException e) {
            throw new JournalCorruptedException(path, "it lacks something or holds something unknown", e);
        }
    }

    private static JournalEntry read(JsonNode json) {
        JsonNode source = json.required("source");
        List<TableCommit> commits = new ArrayList<>();
        json.required("commits").forEach(commit -> commits.add(readCommit(commit)));
        Map<TableId, TableProgress> tables = new HashMap<>();
        for (JsonNode row : json.required("tables")) {
            tables.put(
                    LayoutJson.readTable(row.required("table")),
                    new TableProgress(
                            row.required("path").textValue(),
                            row.required("deltaId").textValue(),
                            row.required("relation").textValue(),
                            row.required("generation").longValue(),
                            Optional.ofNullable(row.get("snapshot"))
                                    .map(point -> SnapshotPoint.parse(point.textValue())),
                            row.has("lastBatch")
                                    ? OptionalLong.of(row.get("lastBatch").longValue())
                                    : OptionalLong.empty(),
                            row.path("waived").booleanValue()));
        }
        return new JournalEntry(
                json.required("format").intValue(),
                json.required("number").longValue(),
                json.required("writer").textValue(),
                JournalEntry.Kind.valueOf(json.required("kind").textValue()),
                new SourceIdentity(
                        source.required("kind").textValue(),
                        source.required("server").textValue(),
                        source.required("timeline").longValue(),
                        source.required("database").textValue(),
                        source.required("channel").textValue()),
                Optional.ofNullable(json.get("position")).map(JournalJson::readPosition),
                json.required("lastSequence").longValue(),
                commits,
                tables,
                json.required("writtenAtMillis").longValue());
    }

    private static TableCommit readCommit(JsonNode json) {
        List<StagedFile> files = new ArrayList<>();
        for (JsonNode file : json.required("files")) {
            files.add(new StagedFile(
                    file.required("path").textValue(),
                    file.required("sizeBytes").longValue(),
                    file.required("modifiedMillis").longValue(),
                    file.required("rows").longValue(),
                    file.required("statistics").textValue()));
        }
        return new TableCommit(
                LayoutJson.readTable(json.required("layout")),
                json.required("path").textValue(),
                json.required("deltaId").textValue(),
                LayoutJson.readLayout(json.required("layout")),
                json.required("rows").longValue(),
                files);
    }

    private static SourcePosition readPosition(JsonNode json) {
        String kind = json.required("kind").textValue();
        if (!"wal".equals(kind)) {
            throw new IllegalArgumentException("a source position of the unknown kind " + kind);
        }
        return new SourcePosition.Wal(
                json.required("lsn").longValue(),
                json.required("xid").longValue(),
                json.required("commitTimeMicros").longValue());
    }

    static String checksumLine(String body) {
        CRC32C checksum = new CRC32C();
        checksum.update(body.getBytes(StandardCharsets.UTF_8));
        return "{\"crc32c\":\"%08x\"}".formatted(checksum.getValue());
    }
}

package io.tributary.crash;

import com.fasterxml.jackson.databind.JsonNode;
import io.delta.kernel.types.StructType;
import io.tributary.testing.DeltaReader;
import io.tributary.testing.DeltaReader.AddedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the bronze tables gained, version by version; every file is checked against its log when it is read. */
final class BronzeLog {
    private final Path schema;
    private final Map<String, Long> nextVersions = new HashMap<>();

    /** @param schema the folder of the tables */
    BronzeLog(Path schema) {
        this.schema = schema;
    }

    /** The rows since the last call, in the order of {@code _cdc_seq}. */
    List<BronzeRow> read(Collection<String> tables) throws IOException {
        List<BronzeRow> rows = new ArrayList<>();
        for (String table : tables) {
            if (Files.exists(version(table, 0))) {
                readTable(table, rows);
            }
        }
        rows.sort(Comparator.comparingLong(BronzeRow::sequence));
        return rows;
    }

    private void readTable(String name, List<BronzeRow> rows) throws IOException {
        Path table = schema.resolve(name);
        long from = nextVersions.getOrDefault(name, 0L);
        List<AddedFile> added = new ArrayList<>();
        Map<Long, Long> batches = new HashMap<>();
        long version = from;
        for (; Files.exists(version(name, version)); version++) {
            added.addAll(DeltaReader.addedFiles(table, version));
            for (JsonNode action : DeltaReader.actions(table, version)) {
                if (action.has("txn")) {
                    batches.put(version, action.get("txn").get("version").longValue());
                }
            }
        }
        nextVersions.put(name, version);
        Set<String> paths = added.stream().map(AddedFile::path).collect(Collectors.toSet());
        StructType columns = DeltaReader.schema(table);
        Map<String, List<Map<String, @Nullable Object>>> byFile = DeltaReader.rowsOf(table, paths);
        for (AddedFile file : added) {
            List<Map<String, @Nullable Object>> ofFile = byFile.getOrDefault(file.path(), List.of());
            DeltaReader.assertFileIsSound(table, columns, file, ofFile);
            long batch = batches.getOrDefault(file.version(), -1L);
            ofFile.forEach(row -> rows.add(BronzeRow.of(name, batch, row)));
        }
    }

    private Path version(String table, long version) {
        return schema.resolve(table).resolve("_delta_log/%020d.json".formatted(version));
    }
}

package io.tributary.delta;

import io.tributary.batch.StagedFile;
import io.tributary.event.TableId;
import io.tributary.evolution.TableLayout;
import java.util.List;
import java.util.Objects;

/**
 * What a batch adds to one table: part of an intent.
 *
 * @param path the table's folder, relative to the lake's root
 * @param deltaId Delta's id of the table that the files are meant for
 * @param layout the layout that the files were written with; the table grows to it in the same commit
 * @param files in the order of their rows
 */
public record TableCommit(
        TableId table, String path, String deltaId, TableLayout layout, long rows, List<StagedFile> files) {
    public TableCommit {
        Objects.requireNonNull(table);
        Objects.requireNonNull(path);
        Objects.requireNonNull(deltaId);
        Objects.requireNonNull(layout);
        files = List.copyOf(files);
    }
}

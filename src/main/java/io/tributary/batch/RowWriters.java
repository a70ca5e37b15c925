package io.tributary.batch;

import io.tributary.evolution.FollowedSchema;
import java.io.IOException;
import java.util.OptionalLong;

/** Opens the encoders of a batch; the port through which rows leave this room. */
@FunctionalInterface
public interface RowWriters {

    /**
     * Opens an encoder; it makes no file before there is something to put in it.
     *
     * @param batch the journal number that the batch will have; part of the staged files' names
     * @param generation the snapshot that {@code r} rows belong to; empty in the stream
     */
    RowWriter open(long batch, FollowedSchema schema, OptionalLong generation) throws IOException;
}

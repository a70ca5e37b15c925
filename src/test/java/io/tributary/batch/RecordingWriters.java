package io.tributary.batch;

import io.tributary.event.ChangeEvent;
import io.tributary.evolution.FollowedSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Encoders that remember what they were given; each row holds one byte of memory. */
final class RecordingWriters implements RowWriters {
    final List<Recorded> opened = new ArrayList<>();

    @Override
    public RowWriter open(long batch, FollowedSchema schema, OptionalLong generation) {
        Recorded writer = new Recorded(batch, schema);
        opened.add(writer);
        return writer;
    }

    static final class Recorded implements RowWriter {
        final long batch;
        final FollowedSchema schema;
        final List<Long> sequences = new ArrayList<>();
        final List<ChangeEvent> events = new ArrayList<>();
        int spills;
        boolean closed;
        private long buffered;

        Recorded(long batch, FollowedSchema schema) {
            this.batch = batch;
            this.schema = schema;
        }

        @Override
        public void append(long sequence, ChangeEvent event) {
            sequences.add(sequence);
            events.add(event);
            buffered++;
        }

        @Override
        public long bufferedBytes() {
            return buffered;
        }

        @Override
        public void spill() {
            spills++;
            buffered = 0;
        }

        @Override
        public List<StagedFile> finish() {
            return List.of();
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}

package io.tributary.source;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.OffsetBackingStore;
import org.apache.kafka.connect.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Debezium's offset store for one run: answers with the position that the run was given, then with what was acknowledged.
 * Nothing outlives the run; the journal in the lake is what is durable. Public because the engine makes it by name.
 */
public final class HeldOffset implements OffsetBackingStore {
    /** The property that holds the offset at the start, as JSON. */
    static final String START = "tributary.offset.start";

    private final Map<ByteBuffer, ByteBuffer> acknowledged = new HashMap<>();
    private @Nullable ByteBuffer start;

    @Override
    public void configure(WorkerConfig config) {
        Object text = config.originals().get(START);
        if (text == null) {
            throw new IllegalStateException("the engine lost the property " + START);
        }
        start = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void start() {
        // nothing to open
    }

    @Override
    public void stop() {
        // nothing to close
    }

    @Override
    public synchronized Future<Map<ByteBuffer, ByteBuffer>> get(Collection<ByteBuffer> keys) {
        Map<ByteBuffer, ByteBuffer> found = new HashMap<>();
        for (ByteBuffer key : keys) {
            ByteBuffer value = acknowledged.getOrDefault(key, start);
            if (value != null) {
                found.put(key, value.duplicate());
            }
        }
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public synchronized Future<Void> set(Map<ByteBuffer, ByteBuffer> values, Callback<Void> callback) {
        acknowledged.putAll(values);
        if (callback != null) {
            callback.onCompletion(null, null);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Set<Map<String, Object>> connectorPartitions(String connector) {
        return Set.of();
    }
}

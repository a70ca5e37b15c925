package io.tributary.source;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.debezium.engine.spi.OffsetCommitPolicy;
import io.tributary.event.SourcePosition;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of Debezium's engine that streams. Its thread runs the engine; records come on a thread of the engine's own,
 * one batch at a time.
 */
final class EngineRun implements CaptureRun {
    private static final Logger LOG = LoggerFactory.getLogger(EngineRun.class);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration REPEAT_ACKNOWLEDGEMENT = Duration.ofSeconds(5);

    private final Channel channel;
    private final Continuity continuity;
    private final Failures failures;
    private final Properties properties;
    private final SourcePosition.Wal from;
    private final java.util.function.Supplier<StreamDecoder> decoders;
    private final CaptureListener listener;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Thread thread;

    // what the run's end reports as stored
    private volatile long acknowledged;
    private volatile @Nullable DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
    // confined to the engine's thread
    private @Nullable StreamDecoder decoder;
    private long acknowledgedAtNanos;

    /** @param decoders makes the run's decoder, on the engine's thread */
    EngineRun(
            Channel channel,
            Continuity continuity,
            Failures failures,
            Properties properties,
            SourcePosition.Wal from,
            java.util.function.Supplier<StreamDecoder> decoders,
            CaptureListener listener) {
        this.channel = channel;
        this.continuity = continuity;
        this.failures = failures;
        this.properties = properties;
        this.from = from;
        this.decoders = decoders;
        this.listener = listener;
        this.acknowledged = from.lsn();
        this.thread = new Thread(this::run, "capture-" + channel.slot());
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    private void run() {
        try {
            continuity.requireReadable(from, stopping::get);
            var created = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                    .using(properties)
                    .using(OffsetCommitPolicy.always())
                    .using((success, message, error) -> {
                        if (error != null) {
                            failure.compareAndSet(null, error);
                        }
                    })
                    .notifying(this::batch)
                    .build();
            engine = created;
            if (!stopping.get()) {
                created.run();
            }
        } catch (Throwable e) {
            // whatever it is, the run has ended with it
            failure.compareAndSet(null, e);
        }
        finish();
    }

    private void finish() {
        Throwable cause = failure.get();
        if (cause == null || stopping.get()) {
            if (cause != null) {
                LOG.debug("slot {}: the engine ended with an error while it was being stopped", channel.slot(), cause);
            }
            ended.complete(null);
        } else if (cause instanceof ListenerFailure listenerFailure) {
            ended.completeExceptionally(listenerFailure.thrown());
        } else {
            ended.completeExceptionally(failures.ofEngine(cause, SourcePosition.Wal.formatLsn(acknowledged)));
        }
    }

    private void batch(
            List<RecordChangeEvent<SourceRecord>> records, RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws InterruptedException {
        try {
            StreamDecoder current = decoder;
            if (current == null) {
                // Debezium makes a missing slot anew without a word: nothing is delivered before it was looked at again
                continuity.requireDelivers(from);
                current = decoders.get();
                decoder = current;
            }
            for (RecordChangeEvent<SourceRecord> record : records) {
                current.decode(record.record());
            }
            acknowledge(records.get(records.size() - 1), committer);
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            failure.compareAndSet(null, e instanceof SourceException ? e : new ListenerFailure(e));
            throw e;
        }
    }

    private void acknowledge(
            RecordChangeEvent<SourceRecord> carrier, RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws InterruptedException {
        Optional<SourcePosition> durable = listener.durable();
        if (durable.isEmpty() || !(durable.get() instanceof SourcePosition.Wal wal)) {
            return;
        }
        if (Long.compareUnsigned(wal.lsn(), acknowledged) < 0) {
            return;
        }
        // the engine ignores an acknowledgement that comes before the server's first message: repeat it now and then
        long now = System.nanoTime();
        if (wal.lsn() == acknowledged && now - acknowledgedAtNanos < REPEAT_ACKNOWLEDGEMENT.toNanos()) {
            return;
        }
        var offsets = committer.buildOffsets();
        offsets.set("lsn", wal.lsn());
        // without it the slot is not flushed
        offsets.set("lsn_commit", wal.lsn());
        offsets.set("txId", wal.xid());
        offsets.set("ts_usec", wal.commitTimeMicros());
        committer.markProcessed(carrier, offsets);
        committer.markBatchFinished();
        acknowledged = wal.lsn();
        acknowledgedAtNanos = now;
    }

    @Override
    public void stop(Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        stopping.set(true);
        if (thread.getState() == Thread.State.NEW) {
            ended.complete(null);
            return;
        }
        while (!over(POLL) && System.nanoTime() < deadline) {
            close();
        }
        if (!over(Duration.ZERO)) {
            LOG.warn("slot {}: the engine did not stop within {}; interrupting it", channel.slot(), bound);
            thread.interrupt();
        }
    }

    /** The engine refuses to be closed in some of its states: then the next round asks again. */
    private void close() {
        DebeziumEngine<RecordChangeEvent<SourceRecord>> running = engine;
        if (running == null) {
            return;
        }
        try {
            running.close();
        } catch (IllegalStateException | IOException e) {
            LOG.debug("slot {}: the engine can't be closed now: {}", channel.slot(), e.getMessage());
        }
    }

    private boolean over(Duration wait) {
        try {
            ended.get(wait.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Carries what the listener threw through the engine, which wraps every exception. */
    private static final class ListenerFailure extends RuntimeException {
        ListenerFailure(Throwable thrown) {
            super(thrown);
        }

        Throwable thrown() {
            return java.util.Objects.requireNonNull(getCause());
        }
    }
}

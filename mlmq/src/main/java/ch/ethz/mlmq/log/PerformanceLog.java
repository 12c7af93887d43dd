package ch.ethz.mlmq.log;

import ch.ethz.mlmq.agent.Agent;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Logger;

/**
 * Writes performance records to a file from a thread of its own.
 *
 * <p>{@link #record} never blocks and never allocates: it puts a record into a bounded ring, and counts it as dropped
 * if the ring is full. The file contains the count, so that a reader knows how many records are missing.
 */
public final class PerformanceLog implements Agent, Recorder {
    private static final Logger LOG = Logger.getLogger(PerformanceLog.class.getName());
    private static final int BATCH_LIMIT = 1024;
    private static final long ANCHOR_EVERY_NANOS = 1_000_000_000;

    private final RecordRing ring;
    private final RecordWriter writer;
    private long anchoredNanos = System.nanoTime();

    PerformanceLog(RecordRing ring, RecordWriter writer) {
        this.ring = ring;
        this.writer = writer;
    }

    /**
     * Creates the file, or replaces it.
     *
     * @param file   the file; its folder is created if it is missing
     * @param header first line, see {@link LogHeader}
     * @param room   capacity [records] between the measuring threads and the writing thread
     */
    public static PerformanceLog open(Path file, LogHeader header, int room) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        OutputStream out = Files.newOutputStream(file);
        return new PerformanceLog(new RecordRing(room), new RecordWriter(out, header.line()));
    }

    @Override
    public void record(Action action, long startNanos, long endNanos, int clients, long serviceNanos) {
        ring.offer(action, startNanos, endNanos, clients, serviceNanos);
    }

    /** @return number of records dropped so far */
    public long dropped() {
        return ring.dropped();
    }

    @Override
    public String roleName() {
        return "performance-log";
    }

    /** Writes waiting records, at most a batch. */
    @Override
    public int doWork() throws IOException {
        anchorNowAndThen();
        int written = ring.drain(writer::write, BATCH_LIMIT);
        if (written == 0) {
            writer.flush();
        }
        return written;
    }

    @Override
    public void onClose() throws IOException {
        while (doWork() > 0) {
            // The condition drains the ring until it is empty.
        }
        writer.dropped(ring.dropped());
        writer.close();
        if (ring.dropped() > 0) {
            LOG.warning(() -> "the performance log dropped " + ring.dropped() + " records");
        }
    }

    private void anchorNowAndThen() {
        long now = System.nanoTime();
        if (now - anchoredNanos >= ANCHOR_EVERY_NANOS) {
            anchoredNanos = now;
            writer.anchor(now, System.currentTimeMillis());
        }
    }
}

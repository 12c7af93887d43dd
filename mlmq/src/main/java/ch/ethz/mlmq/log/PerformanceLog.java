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
 * <p>{@link #record} never blocks and never allocates: a record goes into a bounded ring, and where the ring is full it
 * is counted as dropped. The count stands in the file, so that a reader knows what is missing.
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
     * Opens the file, made anew.
     *
     * @param file   its folder is made where it is missing
     * @param header first line, see {@link LogHeader}
     * @param room   records between the threads that measure and the thread that writes
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

    /** @return records that found no room so far */
    public long dropped() {
        return ring.dropped();
    }

    @Override
    public String roleName() {
        return "performance-log";
    }

    /** Writes what waits, up to a batch. */
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
            // until the ring is empty
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

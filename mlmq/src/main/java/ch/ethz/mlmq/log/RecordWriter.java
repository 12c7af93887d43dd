package ch.ethz.mlmq.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes records as lines {@code duration;utc-ms;action;context}, times in us. Used by one thread.
 *
 * <p>Lines are built digit by digit in a reused array, because a broker at full speed writes half a million a second.
 */
final class RecordWriter implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LONGEST_LINE_BYTES = 1 << 10;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final byte[] digits = new byte[20];
    private long anchorNanos;
    private long anchorMillis;
    private int size;

    RecordWriter(OutputStream out, String header) throws IOException {
        this.out = out;
        anchor(System.nanoTime(), System.currentTimeMillis());
        out.write((header + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sets which UTC time [ms] a {@link System#nanoTime} stands for. Repeat it now and then, as clocks drift. */
    void anchor(long nanos, long utcMillis) {
        anchorNanos = nanos;
        anchorMillis = utcMillis;
    }

    void write(Action action, long startNanos, long endNanos, int clients, long serviceNanos) throws IOException {
        if (size > BUFFER_BYTES - LONGEST_LINE_BYTES) {
            flush();
        }
        number(Math.max(0, endNanos - startNanos) / NANOS_PER_MICRO);
        buffer[size++] = ';';
        number(anchorMillis + Math.floorDiv(endNanos - anchorNanos, NANOS_PER_MILLI));
        buffer[size++] = ';';
        byte[] name = action.bytes();
        int length = Math.min(name.length, LONGEST_LINE_BYTES / 2);
        System.arraycopy(name, 0, buffer, size, length);
        size += length;
        buffer[size++] = ';';
        item('C', clients);
        if (serviceNanos >= 0) {
            buffer[size++] = ' ';
            item('S', serviceNanos / NANOS_PER_MICRO);
        } else if (serviceNanos < Recorder.NO_SERVICE_TIME) {
            buffer[size++] = ' ';
            item('N', Recorder.NO_SERVICE_TIME - serviceNanos);
        }
        buffer[size++] = '\n';
    }

    void dropped(long count) throws IOException {
        flush();
        out.write(("# dropped " + count + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    void flush() throws IOException {
        if (size > 0) {
            int written = size;
            size = 0;
            out.write(buffer, 0, written);
        }
    }

    @Override
    public void close() throws IOException {
        flush();
        out.close();
    }

    private void item(char name, long value) {
        buffer[size++] = (byte) name;
        buffer[size++] = '[';
        number(value);
        buffer[size++] = ']';
    }

    private void number(long value) {
        long rest = value;
        int at = digits.length;
        do {
            long quotient = rest / 10;
            digits[--at] = (byte) ('0' + rest - quotient * 10);
            rest = quotient;
        } while (rest > 0);
        int length = digits.length - at;
        System.arraycopy(digits, at, buffer, size, length);
        size += length;
    }
}

package ch.ethz.mlmq.log_analyzer.scan;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.ZipException;

/** Feeds a {@link LineScanner} whole lines from a stream or from a slice of a file, through one buffer of its own. */
final class SliceReader {
    private static final int BUFFER = 1 << 18;
    private static final int PAGE = 1 << 13;

    private final byte[] buffer = new byte[BUFFER + LineScanner.PADDING];

    /** Source of bytes. */
    @FunctionalInterface
    private interface Input {
        int read(byte[] into, int from, int length) throws IOException;
    }

    /** Reads a stream to its end. */
    void read(InputStream in, LineScanner scanner) throws IOException {
        readLines(in::read, scanner, 0, Long.MAX_VALUE);
    }

    /** Reads the lines that begin in {@code [from, to)} of a file, the last one to its end. */
    void read(FileChannel file, long from, long to, LineScanner scanner) throws IOException {
        long start = from == 0 ? 0 : startOfNextLine(file, from - 1, to);
        if (start < to) {
            ByteBuffer view = ByteBuffer.wrap(buffer);
            long[] position = {start};
            Input input = (into, at, length) -> {
                int wanted = (int) Math.min(length, Math.max(PAGE, to - position[0]));
                int count = file.read(view.clear().position(at).limit(at + wanted), position[0]);
                position[0] += Math.max(0, count);
                return count;
            };
            readLines(input, scanner, start, to);
        }
    }

    private long startOfNextLine(FileChannel file, long from, long to) throws IOException {
        ByteBuffer view = ByteBuffer.wrap(buffer);
        for (long at = from; at < to;) {
            int count = file.read(view.clear().limit(PAGE), at);
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\n') {
                    return at + i + 1;
                }
            }
            if (count <= 0) {
                return to;
            }
            at += count;
        }
        return to;
    }

    /** @param start position of the first byte; @param end lines that begin from here on belong to another slice */
    private void readLines(Input input, LineScanner scanner, long start, long end) throws IOException {
        long bufferAt = start;
        int filled = 0;
        boolean skipping = false;
        while (true) {
            int count = read(input, filled, skipping, scanner);
            if (count < 0) {
                scanUnfinished(filled, skipping, scanner);
                return;
            }
            filled += count;
            int complete = lineEnd(filled, end - bufferAt);
            if (complete > 0) {
                int from = skipping ? indexOfNewline(0, complete) + 1 : 0;
                skipping = false;
                scanner.scan(buffer, from, complete);
                if (bufferAt + complete >= end) {
                    return;
                }
                System.arraycopy(buffer, complete, buffer, 0, filled - complete);
                filled -= complete;
                bufferAt += complete;
            } else if (filled == BUFFER) {
                if (!skipping) {
                    scanner.skipOverlong(buffer, 0, filled);
                }
                skipping = true;
                bufferAt += filled;
                filled = 0;
            }
        }
    }

    /** Reads bytes; of a compressed log that was cut off, the readable part counts, as for a plain one. */
    private int read(Input input, int filled, boolean skipping, LineScanner scanner) throws IOException {
        try {
            return input.read(buffer, filled, BUFFER - filled);
        } catch (EOFException | ZipException e) {
            scanUnfinished(filled, skipping, scanner);
            throw e;
        }
    }

    private void scanUnfinished(int filled, boolean skipping, LineScanner scanner) {
        if (filled > 0 && !skipping) {
            scanner.scanUnfinished(buffer, 0, filled);
        }
    }

    /** @return index behind the last complete line that begins before {@code end}; 0 if there is none yet */
    private int lineEnd(int filled, long end) {
        if (end <= filled) {
            int newline = indexOfNewline((int) Math.max(0, end - 1), filled);
            if (newline >= 0) {
                return newline + 1;
            }
        }
        int limit = (int) Math.min(filled, Math.max(end, 0));
        for (int i = limit - 1; i >= 0; i--) {
            if (buffer[i] == '\n') {
                return i + 1;
            }
        }
        return 0;
    }

    private int indexOfNewline(int from, int to) {
        for (int i = from; i < to; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }
}

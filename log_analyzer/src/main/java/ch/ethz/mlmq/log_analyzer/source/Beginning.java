package ch.ethz.mlmq.log_analyzer.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Limits a stream to its first bytes, because a log may come from a machine that writes without end. */
final class Beginning extends FilterInputStream {
    private long left;

    /** @param longest bytes */
    Beginning(InputStream in, long longest) {
        super(in);
        left = longest;
    }

    @Override
    public int read() throws IOException {
        if (left == 0) {
            return -1;
        }
        int read = super.read();
        left -= read < 0 ? 0 : 1;
        return read;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (left == 0 && length > 0) {
            return -1;
        }
        int read = super.read(into, from, (int) Math.min(length, left));
        left -= Math.max(0, read);
        return read;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = super.skip(Math.min(count, left));
        left -= skipped;
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}

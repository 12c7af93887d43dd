package ch.ethz.mlmq.log_analyzer.scan;

import java.util.Arrays;

/** A compressed distribution: for each value its distance from the one before and its count, as varints. */
final class PackedCounts {
    static final PackedCounts NONE = new PackedCounts(new byte[0]);
    private static final int MAX_ENTRY = 15;

    private final byte[] bytes;

    private PackedCounts(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * @param values          ascending
     * @param counts          of each
     * @param used            elements of both
     * @param significantBits bits of a value that are kept, 31 for all: fewer make it smaller and less exact
     */
    static PackedCounts of(int[] values, long[] counts, int used, int significantBits) {
        Writer writer = new Writer(Math.max(MAX_ENTRY, used * 3));
        int pending = 0;
        long pendingCount = 0;
        for (int i = 0; i < used; i++) {
            int value = Resolution.round(values[i], significantBits);
            if (value != pending && pendingCount > 0) {
                writer.entry(pending, pendingCount);
                pendingCount = 0;
            }
            pending = value;
            pendingCount += counts[i];
        }
        if (pendingCount > 0) {
            writer.entry(pending, pendingCount);
        }
        return new PackedCounts(Arrays.copyOf(writer.bytes, writer.used));
    }

    void addTo(Tally tally) {
        int at = 0;
        int value = 0;
        while (at < bytes.length) {
            long delta = 0;
            int shift = 0;
            do {
                delta |= (bytes[at] & 0x7fL) << shift;
                shift += 7;
            } while (bytes[at++] < 0);
            long count = 0;
            shift = 0;
            do {
                count |= (bytes[at] & 0x7fL) << shift;
                shift += 7;
            } while (bytes[at++] < 0);
            value += (int) delta;
            tally.add(value, count);
        }
    }

    int bytes() {
        return bytes.length;
    }

    private static final class Writer {
        private byte[] bytes;
        private int used;
        private int last;

        Writer(int capacity) {
            bytes = new byte[capacity];
        }

        void entry(int value, long count) {
            if (used + MAX_ENTRY > bytes.length) {
                bytes = Arrays.copyOf(bytes, bytes.length * 2);
            }
            varint(value - last);
            varint(count);
            last = value;
        }

        private void varint(long number) {
            long left = number;
            while (left > 0x7f) {
                bytes[used++] = (byte) (left | 0x80);
                left >>>= 7;
            }
            bytes[used++] = (byte) left;
        }
    }
}

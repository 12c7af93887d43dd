package ch.ethz.mlmq.log_analyzer.scan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Operations on eight bytes at a time: the first byte in the text is the lowest of the word. */
final class Words {
    static final int BYTES = 8;
    static final long SEMICOLONS = 0x3b3b3b3b3b3b3b3bL;
    static final long NEWLINES = 0x0a0a0a0a0a0a0a0aL;
    static final long SERVICE = 0x5353535353535353L;
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    static final long ZEROS = 0x3030303030303030L;
    private static final long OVER_NINE = 0x7676767676767676L;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Words() {
    }

    static long at(byte[] bytes, int index) {
        return (long) LONG.get(bytes, index);
    }

    /** @return a word whose lowest set bit lies in the first byte that equals the pattern's; 0 if none does */
    static long match(long word, long pattern) {
        long differing = word ^ pattern;
        return (differing - LOW_BITS) & ~differing & HIGH_BITS;
    }

    /** @return index 0..7 of the first byte that {@link #match} found */
    static int first(long match) {
        return Long.numberOfTrailingZeros(match) >>> 3;
    }

    /** @return the first {@code length} (1..8) bytes as digits, aligned so that {@link #number} can add them up */
    static long digits(long word, int length) {
        return (word ^ ZEROS) << (Long.SIZE - length * BYTES);
    }

    static boolean areDigits(long digits) {
        return (((digits + OVER_NINE) | digits) & HIGH_BITS) == 0;
    }

    /** @return true if both are digits */
    static boolean areDigits(long one, long other) {
        return (((one + OVER_NINE) | one | (other + OVER_NINE) | other) & HIGH_BITS) == 0;
    }

    static int number(long digits) {
        long pairs = digits * 10 + (digits >>> 8);
        return (int) (((pairs & 0x000000ff000000ffL) * 0x000f424000000064L
                + (pairs >>> 16 & 0x000000ff000000ffL) * 0x0000271000000001L) >>> 32);
    }

    /** @return all bits set if {@link #match} found nothing, none if it did; without a branch */
    static long allIfNone(long match) {
        return ~((match | -match) >> Long.SIZE - 1);
    }

    /** @return the bytes up to the one that {@link #match} found (of that one all bits but the highest); all if none */
    static long upTo(long word, long match) {
        return word & (match & -match) - 1;
    }
}

package ch.ethz.mlmq.log_analyzer.scan;

/** Precision of stored durations: to the microsecond, or to a number of bits if memory does not suffice. */
final class Resolution {
    static final int EXACT = 31;
    /** Keeps 11 significant bits: an error of at most 1 in 2,048, or 0.05 %. */
    static final int COARSE = 11;

    private Resolution() {
    }

    /** @return the middle of the range of values that share the first {@code significantBits} bits */
    static int round(int value, int significantBits) {
        int dropped = Integer.SIZE - Integer.numberOfLeadingZeros(value) - significantBits;
        if (dropped <= 0) {
            return value;
        }
        return (value >>> dropped << dropped) + (1 << (dropped - 1));
    }
}

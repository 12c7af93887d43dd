package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;

/** Sum and count of durations in equal slots of time, in time's order: what a trend or a correlation is seen from. */
public final class Series {
    private static final int FIRST_SLOTS = 64;

    private long slotMs;
    private long[] sums = new long[FIRST_SLOTS];
    private long[] counts = new long[FIRST_SLOTS];

    /** @param slotMs length of a slot [ms] */
    public Series(long slotMs) {
        this.slotMs = slotMs;
    }

    /**
     * @param slot number of the slot, from 0
     * @param sum  of so many durations [us]
     */
    public void add(int slot, long sum, long count) {
        if (slot >= sums.length) {
            grow(slot);
        }
        sums[slot] += sum;
        counts[slot] += count;
    }

    /** Adds another series of the same origin; the coarser of the two decides the length of a slot. */
    public void add(Series other) {
        add(other, 1);
    }

    /** The same, with each of the other's observations counted so many times. */
    public void add(Series other, int weight) {
        while (slotMs < other.slotMs) {
            joinPairs();
        }
        long ratio = slotMs / other.slotMs;
        int slots = other.slots();
        for (int i = 0; i < slots; i++) {
            add((int) (i / ratio), other.sums[i] * weight, other.counts[i] * weight);
        }
    }

    /** Makes slots twice as long. */
    public void joinPairs() {
        int joined = (sums.length + 1) / 2;
        long[] joinedSums = new long[joined];
        long[] joinedCounts = new long[joined];
        for (int i = 0; i < sums.length; i++) {
            joinedSums[i / 2] += sums[i];
            joinedCounts[i / 2] += counts[i];
        }
        sums = joinedSums;
        counts = joinedCounts;
        slotMs *= 2;
    }

    public long slotMs() {
        return slotMs;
    }

    /** @return number of slots up to the last that has an observation */
    public int slots() {
        int used = sums.length;
        while (used > 0 && counts[used - 1] == 0) {
            used--;
        }
        return used;
    }

    public long count(int slot) {
        return counts[slot];
    }

    /** @return sum of the durations that ended in this slot [us] */
    public long sum(int slot) {
        return sums[slot];
    }

    private void grow(int slot) {
        int length = Math.max(slot + 1, sums.length * 2);
        sums = Arrays.copyOf(sums, length);
        counts = Arrays.copyOf(counts, length);
    }
}

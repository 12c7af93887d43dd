package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;

/** Sum and count of durations in equal slots of time, in time's order: what a trend or a correlation is seen from. */
public final class Series {
    private static final int FIRST_SLOTS = 64;

    private long slotMs;
    /** Of each slot its sum, then its count. */
    private long[] totals = new long[2 * FIRST_SLOTS];

    /** @param slotMs length of a slot [ms] */
    public Series(long slotMs) {
        this.slotMs = slotMs;
    }

    /**
     * @param slot number of the slot, from 0
     * @param sum  of so many durations [us]
     */
    public void add(int slot, long sum, long count) {
        long[] grown = totals(slot);
        grown[2 * slot] += sum;
        grown[2 * slot + 1] += count;
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
            add((int) (i / ratio), other.sum(i) * weight, other.count(i) * weight);
        }
    }

    /**
     * For who adds to it again and again: the sum of a slot at twice its number, its count behind.
     *
     * @return with room for this slot; until the next call of this or of {@link #joinPairs}
     */
    public long[] totals(int slot) {
        if (2 * slot >= totals.length) {
            totals = Arrays.copyOf(totals, Math.max(2 * slot + 2, totals.length * 2));
        }
        return totals;
    }

    /** Makes slots twice as long. */
    public void joinPairs() {
        long[] joined = new long[(totals.length / 2 + 1) / 2 * 2];
        for (int i = 0; i < totals.length; i += 2) {
            joined[i / 4 * 2] += totals[i];
            joined[i / 4 * 2 + 1] += totals[i + 1];
        }
        totals = joined;
        slotMs *= 2;
    }

    public long slotMs() {
        return slotMs;
    }

    /** @return number of slots up to the last that has an observation */
    public int slots() {
        int used = totals.length / 2;
        while (used > 0 && count(used - 1) == 0) {
            used--;
        }
        return used;
    }

    public long count(int slot) {
        return totals[2 * slot + 1];
    }

    /** @return sum of the durations that ended in this slot [us] */
    public long sum(int slot) {
        return totals[2 * slot];
    }
}

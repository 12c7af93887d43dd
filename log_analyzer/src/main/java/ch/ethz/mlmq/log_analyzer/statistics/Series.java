package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;

/**
 * Sums and counts of durations in equal slots of time, in order, for trends and correlations. A duration belongs to the
 * slot in which it began; the number that ended in a slot is kept, too.
 */
public final class Series {
    /**
     * Numbers of each slot: the sum of the durations that began in it, their count, and the number that ended in it.
     */
    public static final int OF_A_SLOT = 3;
    private static final int FIRST_SLOTS = 64;

    private long slotMs;
    private long[] totals = new long[OF_A_SLOT * FIRST_SLOTS];

    /** @param slotMs length of a slot [ms] */
    public Series(long slotMs) {
        this.slotMs = slotMs;
    }

    /**
     * @param slot  number of the slot, from 0
     * @param sum   of the durations [us]
     * @param ended number that ended in the slot, whenever they began
     */
    public void add(int slot, long sum, long count, long ended) {
        long[] grown = totals(slot);
        grown[OF_A_SLOT * slot] += sum;
        grown[OF_A_SLOT * slot + 1] += count;
        grown[OF_A_SLOT * slot + 2] += ended;
    }

    /** Adds durations that ended in the slot in which they began. */
    public void add(int slot, long sum, long count) {
        add(slot, sum, count, count);
    }

    /** Adds another series of the same origin; the coarser of the two decides the length of a slot. */
    public void add(Series other) {
        add(other, 1);
    }

    /** Adds another series with a weight for each of its observations. */
    public void add(Series other, int weight) {
        while (slotMs < other.slotMs) {
            joinPairs();
        }
        long ratio = slotMs / other.slotMs;
        int slots = other.slots();
        for (int i = 0; i < slots; i++) {
            add((int) (i / ratio), other.sum(i) * weight, other.count(i) * weight, other.ended(i) * weight);
        }
    }

    /**
     * Gives direct access for repeated additions: {@link #OF_A_SLOT} numbers for each slot.
     *
     * @return an array with room for this slot; valid until the next call of this or of {@link #joinPairs}
     */
    public long[] totals(int slot) {
        if (OF_A_SLOT * slot >= totals.length) {
            totals = Arrays.copyOf(totals, Math.max(OF_A_SLOT * (slot + 1), totals.length * 2));
        }
        return totals;
    }

    /** Makes slots twice as long. */
    public void joinPairs() {
        int slots = totals.length / OF_A_SLOT;
        long[] joined = new long[(slots + 1) / 2 * OF_A_SLOT];
        for (int i = 0; i < slots * OF_A_SLOT; i++) {
            joined[i / (2 * OF_A_SLOT) * OF_A_SLOT + i % OF_A_SLOT] += totals[i];
        }
        totals = joined;
        slotMs *= 2;
    }

    public long slotMs() {
        return slotMs;
    }

    /** @return number of slots up to the last in which a duration began or ended */
    public int slots() {
        int used = totals.length / OF_A_SLOT;
        while (used > 0 && count(used - 1) == 0 && ended(used - 1) == 0) {
            used--;
        }
        return used;
    }

    /** @return number of the durations that began in this slot */
    public long count(int slot) {
        return totals[OF_A_SLOT * slot + 1];
    }

    /** @return sum of the durations that began in this slot [us] */
    public long sum(int slot) {
        return totals[OF_A_SLOT * slot];
    }

    /** @return number of the durations that ended in this slot */
    public long ended(int slot) {
        return totals[OF_A_SLOT * slot + 2];
    }
}

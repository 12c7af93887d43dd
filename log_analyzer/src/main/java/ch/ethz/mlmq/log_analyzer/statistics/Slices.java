package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * Distributions of durations in many equal slots of time, in order. The precision of a percentile follows from them,
 * whatever lasts from slot to slot. Values are kept to {@value #BITS} significant bits.
 */
public final class Slices {
    private static final int BITS = 6;
    /** A share up to this may rest on few parts of the time. */
    private static final double RARE = 0.02;
    private static final int SHARE_OF_SLOTS = 6;

    private final TreeMap<Integer, Distribution> slots = new TreeMap<>();

    /** @param slot its number; those between two that are set are empty */
    public void set(int slot, Distribution durations) {
        if (durations.count() == 0) {
            return;
        }
        Distribution.Builder coarse = new Distribution.Builder(0);
        for (int i = 0; i < durations.distinct(); i++) {
            coarse.add(coarse(durations.value(i)), durations.countAt(i));
        }
        slots.put(slot, coarse.build());
    }

    /** Counts the durations of others as beyond all of these, see {@link Distribution#withBeyond}. */
    public void addBeyond(Slices others) {
        others.slots.forEach((slot, durations) -> slots.merge(slot, Distribution.EMPTY.withBeyond(durations.count()),
                (mine, theirs) -> mine.withBeyond(theirs.beyond())));
    }

    /**
     * @param rarer the share that is wanted, or what is left of it to the whole, whichever is less
     * @return as {@link #shareUpTo(int)}; if it is rare, without an error where the durations on its rarer side lie in
     *     fewer than one in {@value #SHARE_OF_SLOTS} slots, and in fewer than half as many as they are
     */
    public Estimate shareUpTo(int value, double rarer) {
        return spread(value, rarer <= RARE ? (double) length() / SHARE_OF_SLOTS : 0);
    }

    /** @return the share of all durations that does not exceed about this value, and how well it is known */
    public Estimate shareUpTo(int value) {
        return spread(value, 0);
    }

    private Estimate spread(int value, double fewest) {
        Estimate upTo = shareBelow(coarse(value) + 1, fewest);
        return upTo.value() < 1 ? upTo : shareBelow(coarse(value), fewest);
    }

    private int length() {
        return slots.isEmpty() ? 0 : slots.lastKey() - slots.firstKey() + 1;
    }

    private Estimate shareBelow(int limit, double fewest) {
        int first = slots.isEmpty() ? 0 : slots.firstKey();
        int length = length();
        double[] below = new double[length];
        double[] others = new double[length];
        double[] counts = new double[length];
        slots.forEach((slot, durations) -> {
            for (int i = 0; i < durations.distinct(); i++) {
                (durations.value(i) < limit ? below : others)[slot - first] += durations.countAt(i);
                counts[slot - first] += durations.countAt(i);
            }
            others[slot - first] += durations.beyond();
            counts[slot - first] += durations.beyond();
        });
        Estimate share = CorrelatedMean.ofRatio(below, counts);
        double[] rarer = share.value() < 0.5 ? below : others;
        double spread = Math.min(fewest, Arrays.stream(rarer).sum() / 2);
        return effective(rarer) < spread ? Estimate.unknown(share.value(), Doubt.FEW) : share;
    }

    /** @return equivalent number of slots: the square of the sum over the sum of squares; all if there are none */
    private static double effective(double... counts) {
        double sum = Arrays.stream(counts).sum();
        return sum == 0 ? counts.length : sum * sum / Arrays.stream(counts).map(count -> count * count).sum();
    }

    private static int coarse(int value) {
        int dropped = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(value) - BITS);
        return value >>> dropped << dropped;
    }
}

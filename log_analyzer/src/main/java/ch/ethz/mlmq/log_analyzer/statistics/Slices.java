package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Distributions of durations in many equal slots of time, in order. The precision of a percentile follows from them,
 * whatever lasts from slot to slot. Values are kept to {@value #BITS} significant bits.
 */
public final class Slices {
    private static final int BITS = 6;
    /** A share below this rests on few parts of the time, and needs more of them. */
    private static final double RARE = 0.02;
    private static final int FEWEST_SLOTS_OF_RARE = 20;
    /** A share so small is not rare, but few changes of the level decide it, too. */
    private static final double SMALL = 0.06;
    /**
     * Number of slots for which the limit of correlation between neighbours is known: the level is then forgotten
     * within a hundredth of the time.
     */
    private static final int SLOTS = 128;
    private static final double MOST_ALIKE_OF_RARE = 0.5;
    private static final double MOST_ALIKE_OF_SMALL = 0.7;

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
     * @return the share of all durations that does not exceed about this value, and how well it is known; without an
     *     error where those on its rarer side lie in fewer than {@value CorrelatedMean#FEWEST_SLOTS} slots, and in
     *     fewer than half as many as they are. Of a rare one, such slots must be twice as many, or a third of all,
     *     and the level of all durations must be forgotten soon, as that of a small one: who sees a slow change but a
     *     few times is too sure of the tail
     */
    public Estimate shareUpTo(int value, double rarer) {
        boolean rare = rarer <= RARE;
        int fewest = Math.max(CorrelatedMean.FEWEST_SLOTS,
                rare ? Math.min(FEWEST_SLOTS_OF_RARE, length() / 3) : 0);
        Estimate upTo = shareBelow(coarse(value) + 1, fewest);
        Estimate share = upTo.value() < 1 ? upTo : shareBelow(coarse(value), fewest);
        // Few slots are as alike by chance, within two standard errors.
        double ofAll = rare ? MOST_ALIKE_OF_RARE : MOST_ALIKE_OF_SMALL;
        double most = Math.max(Math.pow(ofAll, (double) SLOTS / length()), 2 / Math.sqrt(length()));
        return rarer <= SMALL && share.hasError() && alike() > most
                ? Estimate.unknown(share.value(), Doubt.CORRELATED) : share;
    }

    /** @return correlation from slot to slot of the share of durations up to their median, -1..1 */
    private double alike() {
        int median = median();
        double[] shares = new double[length()];
        Arrays.fill(shares, Double.NaN);
        slots.forEach((slot, durations) -> {
            double upTo = 0;
            for (int i = 0; i < durations.distinct() && durations.value(i) <= median; i++) {
                upTo += durations.countAt(i);
            }
            shares[slot - slots.firstKey()] = upTo / durations.all();
        });
        double mean = Arrays.stream(shares).filter(share -> !Double.isNaN(share)).average().orElse(0);
        double squares = 0;
        double products = 0;
        double before = 0;
        for (double share : shares) {
            double deviation = Double.isNaN(share) ? 0 : share - mean;
            squares += deviation * deviation;
            products += deviation * before;
            before = deviation;
        }
        return squares == 0 ? 0 : products / squares;
    }

    private int median() {
        TreeMap<Integer, Long> counts = new TreeMap<>();
        long left = 0;
        for (Distribution durations : slots.values()) {
            left += durations.all();
            for (int i = 0; i < durations.distinct(); i++) {
                counts.merge(durations.value(i), durations.countAt(i), Long::sum);
            }
        }
        left = (left + 1) / 2;
        for (Map.Entry<Integer, Long> value : counts.entrySet()) {
            left -= value.getValue();
            if (left <= 0) {
                return value.getKey();
            }
        }
        return Distribution.BEYOND;
    }

    private int length() {
        return slots.isEmpty() ? 0 : slots.lastKey() - slots.firstKey() + 1;
    }

    private Estimate shareBelow(int limit, int fewest) {
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

package ch.ethz.mlmq.scenario.workload;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Chooses one of several things by weight: a queue, or an operation of a mix. */
public final class Choice {
    private final double[] cumulative;

    private Choice(double[] weights) {
        cumulative = weights.clone();
        Arrays.parallelPrefix(cumulative, Double::sum);
    }

    /** @return a choice among {@code count} things of equal weight */
    public static Choice uniform(int count) {
        return zipf(count, 0);
    }

    /**
     * @param count    of things, at least 1
     * @param exponent preference of the first things: thing {@code k} (from 1) has weight {@code 1/k^exponent}, at
     * least 0
     */
    public static Choice zipf(int count, double exponent) {
        if (exponent < 0) {
            throw new IllegalArgumentException("the exponent of zipf cannot be negative");
        }
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            weights[i] = Math.pow(i + 1, -exponent);
        }
        return weighted(weights);
    }

    /** @param weights one for each thing, none negative and not all 0 */
    public static Choice weighted(double... weights) {
        double sum = 0;
        for (double weight : weights) {
            if (!(weight >= 0) || Double.isInfinite(weight)) {
                throw new IllegalArgumentException("a weight cannot be " + weight);
            }
            sum += weight;
        }
        if (sum == 0) {
            throw new IllegalArgumentException("there is nothing to choose from");
        }
        return new Choice(weights);
    }

    /** @return number of things */
    public int count() {
        return cumulative.length;
    }

    /** @return the number of the chosen thing, from 0 */
    public int next(RandomGenerator random) {
        double point = random.nextDouble() * cumulative[cumulative.length - 1];
        int found = Arrays.binarySearch(cumulative, point);
        int index = found >= 0 ? found : -found - 1;
        while (index < cumulative.length - 1 && cumulative[index] <= point) {
            index++; // a point on a boundary belongs to the next thing; a weight of 0 has no point
        }
        return index;
    }

    /** @return {@code k} different things (at most {@link #count}), each drawn by weight from the remaining ones */
    public int[] sample(int k, RandomGenerator random) {
        double[] left = new double[count()];
        double sum = cumulative[count() - 1];
        for (int i = 0; i < left.length; i++) {
            left[i] = i == 0 ? cumulative[0] : cumulative[i] - cumulative[i - 1];
        }
        int[] chosen = new int[Math.min(k, count())];
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = draw(left, random.nextDouble() * sum);
            sum -= left[chosen[i]];
            left[chosen[i]] = 0;
        }
        return chosen;
    }

    /** @return the thing at a point of the cumulated weights; rounding never yields one that was removed */
    private static int draw(double[] weights, double point) {
        int last = -1;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] > 0) {
                last = i;
                point -= weights[i];
                if (point < 0) {
                    break;
                }
            }
        }
        return last;
    }
}

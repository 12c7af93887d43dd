package ch.ethz.mlmq.log_analyzer.model.waiting;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import org.apache.commons.math3.util.CombinatoricsUtils;

/** Moments of the waiting time of M/GI/1, exact, for any service time whose moments are known. */
public final class WaitingMoments {
    private WaitingMoments() {
    }

    /**
     * Computes E[W^k] = λ/(1 − ρ) Σ_{i=1..k} C(k, i) E[B^{i+1}]/(i + 1) E[W^{k−i}], L. Takács, <i>A Single-Server Queue
     * with Poisson Input</i>, Operations Research 10, 1962; Henjes (5.1), where E[B^{k−i}] is printed for E[W^{k−i}].
     *
     * @param rate of arrivals [1/s]
     * @param most highest k
     * @return E[W^0] to E[W^most] [s^k]
     */
    public static double[] of(Law service, double rate, int most) {
        double idle = 1 - Arrivals.stable(rate * service.mean());
        double[] moments = new double[most + 1];
        moments[0] = 1;
        for (int k = 1; k <= most; k++) {
            for (int i = 1; i <= k; i++) {
                moments[k] += CombinatoricsUtils.binomialCoefficientDouble(k, i) * service.moment(i + 1) / (i + 1)
                        * moments[k - i];
            }
            moments[k] *= rate / idle;
            if (!Double.isFinite(moments[k]) || moments[k] < Double.MIN_NORMAL) {
                throw new DataException("Moment %d is too large or too small for a number: ask for fewer moments."
                        .formatted(k));
            }
        }
        return moments;
    }
}

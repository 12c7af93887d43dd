package ch.ethz.mlmq.log_analyzer.model.waiting;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import org.apache.commons.math3.special.Gamma;

/**
 * M/GI/1. Moments of the waiting time are exact (L. Takács, <i>A Single-Server Queue with Poisson Input</i>, Operations
 * Research 10, 1962; Henjes (5.2), (5.3), corrected). The waiting time of requests that wait is assumed to be gamma
 * distributed (Henjes (5.23)–(5.25), with the moments of those). Exact for exponential service.
 *
 * <p>Assumes: Poisson arrivals, independent service times, one server, first come first served, utilisation below 1.
 * High quantiles are too low by up to 7 % if service varies little and the utilisation is low.
 */
public final class GammaWaiting implements WaitingTime {
    private final double utilisation;
    private final double mean;
    private final double second;
    private final double shape;
    private final double scale;

    /** @param rate of arrivals [1/s] */
    public GammaWaiting(ServiceTime service, double rate) {
        utilisation = Arrivals.stable(service.utilisation(rate));
        mean = rate * service.second() / (2 * (1 - utilisation));
        second = 2 * mean * mean + rate * service.third() / (3 * (1 - utilisation));
        double m1 = mean / utilisation;
        double m2 = second / utilisation;
        shape = m1 * m1 / (m2 - m1 * m1);
        scale = m1 / shape;
        if (!(shape > 0) || Double.isInfinite(shape)) {
            throw new DataException("No gamma distribution has the moments of this waiting time.");
        }
    }

    @Override
    public String name() {
        return "M/GI/1 gamma";
    }

    @Override
    public double mean() {
        return mean;
    }

    /** @return E[W²] [s²] */
    public double second() {
        return second;
    }

    @Override
    public double within(double seconds) {
        return 1 - utilisation + utilisation * Gamma.regularizedGammaP(shape, seconds / scale);
    }
}

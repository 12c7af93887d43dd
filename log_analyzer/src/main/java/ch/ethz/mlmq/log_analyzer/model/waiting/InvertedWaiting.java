package ch.ethz.mlmq.log_analyzer.model.waiting;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import org.apache.commons.math3.transform.DftNormalization;
import org.apache.commons.math3.transform.FastFourierTransformer;
import org.apache.commons.math3.transform.TransformType;

/**
 * M/GI/1 for any service time, by numerical inversion of the Pollaczek–Khintchine transform W*(s) = (1 − ρ) / (1 − ρ
 * B_r*(s)), where B_r* belongs to the residual service time, B_r*(s) = (1 − B*(s)) / (s E[B]) (Henjes (5.7)).
 *
 * <p>Fourier inversion on a lattice, as R. Grübel does it (<i>Algorithm AS 265: G/G/1 via Fast Fourier Transform</i>,
 * Applied Statistics 40, 1991): the residual time is rounded to the nearest point of a lattice, its transform is a fast
 * Fourier transform, and so is the inverse of W*. The residual time has no atoms, even if the service time has. So
 * constant and discrete service times need no smoothing, which the Fourier series of Abate and Whitt needs for them.
 * The error falls with the square of the lattice's step. What lies beyond the lattice would be added to its beginning;
 * the lattice is so long that this is less than 1e-14, by P(W > t) ≤ e^{−ηt} with λ (E[e^{ηB}] − 1) = η.
 *
 * <p>Assumes: Poisson arrivals, independent service times, one server, first come first served, utilisation below 1.
 */
public final class InvertedWaiting implements WaitingTime {
    /** Points of the lattice; powers of two. */
    private static final int POINTS = 1 << 16;
    private static final int MOST_POINTS = 1 << 20;
    /** Points for a mean service time, as far as there are enough. */
    private static final int PER_SERVICE = 256;
    private static final double BEYOND = 1e-14;
    private static final double ALL = 1 - 1e-16;
    private static final int HALVINGS = 100;

    private final double utilisation;
    private final double mean;
    private final double step;
    /** P(W > (j + ½) step). */
    private final double[] longer;

    /** @param rate of arrivals [1/s] */
    public InvertedWaiting(Law service, double rate) {
        utilisation = Arrivals.stable(rate * service.mean());
        mean = rate * service.moment(2) / (2 * (1 - utilisation));
        double longest = -Math.log(BEYOND) / decay(service, rate);
        int points = POINTS;
        while (points < MOST_POINTS && longest / points > service.mean() / PER_SERVICE) {
            points *= 2;
        }
        step = longest / points;
        double[][] transform = {residual(service, points), new double[points]};
        FastFourierTransformer.transformInPlace(transform, DftNormalization.STANDARD, TransformType.FORWARD);
        for (int k = 0; k < points; k++) {
            double real = 1 - utilisation * transform[0][k];
            double imaginary = -utilisation * transform[1][k];
            double scale = (1 - utilisation) / (real * real + imaginary * imaginary);
            transform[0][k] = real * scale;
            transform[1][k] = -imaginary * scale;
        }
        FastFourierTransformer.transformInPlace(transform, DftNormalization.STANDARD, TransformType.INVERSE);
        longer = transform[0];
        // From the end, so that small shares keep their digits.
        double sum = 0;
        for (int j = points - 1; j >= 0; j--) {
            double at = longer[j];
            longer[j] = Math.max(0, sum);
            sum += at;
        }
    }

    /** @return η > 0 with λ (E[e^{ηB}] − 1) = η [1/s], from below: waits become longer than t at most as e^{−ηt} */
    private static double decay(Law service, double rate) {
        double high = 1 / service.mean();
        while (rate * (service.exponentialMoment(high) - 1) < high) {
            high *= 2;
        }
        double low = 0;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (rate * (service.exponentialMoment(middle) - 1) < middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (!(low > 0)) {
            throw new DataException("The utilisation is too near to 1 for the inversion.");
        }
        return low;
    }

    private double[] residual(Law service, int points) {
        double[] masses = new double[points];
        double before = 0;
        for (int k = 0; k < points && before < ALL; k++) {
            double now = service.residual((k + 0.5) * step);
            masses[k] = now - before;
            before = now;
        }
        return masses;
    }

    @Override
    public String name() {
        return "M/GI/1 inversion";
    }

    @Override
    public double mean() {
        return mean;
    }

    @Override
    public double within(double seconds) {
        double at = seconds / step - 0.5;
        if (at < 0) {
            return 1 - utilisation + 2 * (at + 0.5) * (utilisation - longer[0]);
        }
        int below = (int) at;
        if (below >= longer.length - 1) {
            return 1;
        }
        return 1 - longer[below] + (at - below) * (longer[below] - longer[below + 1]);
    }
}

package ch.ethz.mlmq.log_analyzer.model.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.UnaryOperator;
import org.apache.commons.math3.complex.Complex;
import org.apache.commons.math3.special.Gamma;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;

/** Compares the inversion with exact queues, with another inversion, and with the study's numbers. */
class InvertedWaitingTest {
    private static final double[] QUANTILES = {0.9, 0.99, 0.9999};

    @Test
    void shouldBeTheExactQueueOfConstantService() {
        for (double rate : new double[] {0.05, 0.3, 0.7, 0.9, 0.99}) {
            WaitingTime inverted = new InvertedWaiting(Law.constant(1), rate);
            ConstantServiceWaiting exact = new ConstantServiceWaiting(1, rate);
            assertThat(inverted.within(0)).isCloseTo(1 - rate, within(1e-12));
            for (double time : new double[] {0.001, 0.5, 0.999, 1, 1.001, 2.5, 7, 30}) {
                assertThat(inverted.within(time)).as("rate %s, time %s", rate, time)
                        .isCloseTo(exact.within(time), within(5e-5));
            }
            assertThat(inverted.mean()).isCloseTo(exact.mean(), within(1e-12));
        }
    }

    @Test
    void shouldBeTheExactQueueOfExponentialService() {
        for (double rate : new double[] {0.05, 0.5, 0.95}) {
            WaitingTime inverted = new InvertedWaiting(Law.gamma(8e-5, 1), rate / 8e-5);
            WaitingTime exact = new ExponentialServiceWaiting(8e-5, rate / 8e-5, 1);
            for (double p : new double[] {0.5, 0.9, 0.99, 0.9999, 0.9999999}) {
                assertThat(inverted.quantile(p)).as("rate %s, quantile %s", rate, p)
                        .isCloseTo(exact.quantile(p), within(1e-5 * exact.quantile(p) + 1e-15));
            }
        }
    }

    @Test
    void shouldHaveTheStudysTailProbabilities() {
        assertThat(1 - new InvertedWaiting(Law.gamma(1, 0.05), 0.9).within(20)).isCloseTo(0.01498, within(5e-6));
        double rare = 1 - new InvertedWaiting(Law.gamma(1, 0.05), 0.7).within(20);
        assertThat(rare).isCloseTo(1.13e-6, within(5e-9));
        assertThat(1 - new GammaWaiting(ServiceTime.of(Law.gamma(1, 0.05)), 0.7).within(20)).as("gamma: half of it")
                .isCloseTo(0.50e-6, within(5e-9));
        WaitingTime tail = ExponentialTailWaiting.of(ServiceTime.of(Law.gamma(1, 0.05)), 0.9).orElseThrow();
        assertThat(1 - tail.within(20)).as("the plus before the correction").isCloseTo(0.01507, within(5e-6));
    }

    /** The study's table of how far gamma quantiles are off, recomputed: per cent, to a tenth. */
    @Test
    void shouldHaveTheGammaQuantilesAsFarOffAsTheStudySays() {
        double[] utilisations = {0.5, 0.7, 0.9, 0.95};
        double[][][] table = {
                {{0.2}, {2.4, 1.2, 0.3, 0.1}, {-1.4, -1.5, -0.6, -0.3}, {-5.6, -4.0, -1.4, -0.7}},
                {{0.4}, {1.8, 1.0, 0.2, 0.1}, {-0.8, -1.1, -0.5, -0.3}, {-3.9, -2.9, -1.1, -0.6}},
                {{1.5}, {-0.3, -0.4, -0.1, -0.1}, {0.1, 0.3, 0.2, 0.1}, {0.9, 1.1, 0.5, 0.3}},
                {{4.0}, {-0.4, -0.8, -0.3, -0.1}, {0.1, 0.6, 0.5, 0.3}, {1.4, 2.2, 1.2, 0.7}}};
        for (double[][] row : table) {
            Law law = Law.gamma(1, row[0][0]);
            for (int i = 0; i < utilisations.length; i++) {
                WaitingTime gamma = new GammaWaiting(ServiceTime.of(law), utilisations[i]);
                WaitingTime exact = new InvertedWaiting(law, utilisations[i]);
                for (int q = 0; q < QUANTILES.length; q++) {
                    double off = 100 * (gamma.quantile(QUANTILES[q]) / exact.quantile(QUANTILES[q]) - 1);
                    assertThat(off).as("cv %s, rho %s, quantile %s", row[0][0], utilisations[i], QUANTILES[q])
                            .isCloseTo(row[1 + q][i], within(0.0501));
                }
            }
        }
    }

    /** P(W > t) = (1 − ρ) Σ P(n short and m long services arrive in their own time less t): all terms are positive. */
    @Test
    void shouldBeTheExactQueueOfTwoServiceTimes() {
        double[] times = {1, 20};
        double[] shares = {0.9, 0.1};
        Law law = new DiscreteLaw(times, shares);
        double rate = 0.2;
        WaitingTime inverted = new InvertedWaiting(law, rate);
        for (double time : new double[] {0.5, 5, 19.5, 40.25, 90.5}) {
            double sum = 0;
            for (int longs = 0; longs < 60; longs++) {
                for (int shorts = 0; shorts < 1500; shorts++) {
                    double left = shorts * times[0] + longs * times[1] - time;
                    if (left > 0) {
                        sum += poisson(rate * shares[0] * left, shorts) * poisson(rate * shares[1] * left, longs);
                    }
                }
            }
            assertThat(1 - inverted.within(time)).as("time %s", time)
                    .isCloseTo((1 - rate * law.mean()) * sum, within(2e-5));
        }
        assertThat(law.moment(3)).isCloseTo(0.9 + 800, within(1e-9));
    }

    /** Euler summation: J. Abate, W. Whitt, ORSA Journal on Computing 7, 1995; good for smooth distributions. */
    @Test
    void shouldAgreeWithTheInversionOfAbateAndWhitt() {
        for (double[] each : new double[][] {{0.3, 0.4}, {0.6, 0.8}, {0.8, 2}, {0.95, 4}}) {
            double shape = 1 / (each[1] * each[1]);
            double rate = each[0];
            WaitingTime inverted = new InvertedWaiting(Law.gamma(1, each[1]), rate);
            UnaryOperator<Complex> longer = s -> {
                Complex service = Complex.ONE.add(s.divide(shape)).pow(new Complex(-shape));
                Complex waiting = s.multiply(1 - rate).divide(s.subtract(rate).add(service.multiply(rate)));
                return Complex.ONE.subtract(waiting).divide(s);
            };
            for (double time : new double[] {0.3, 1.7, 6, 25}) {
                assertThat(1 - inverted.within(time)).as("rho %s, cv %s, time %s", rate, each[1], time)
                        .isCloseTo(euler(longer, time), within(2e-5));
            }
        }
    }

    @Test
    void shouldHaveTakacssMoments() {
        ServiceTime service = ServiceTime.of(Law.gamma(1, 0.4));
        double[] moments = WaitingMoments.of(Law.gamma(1, 0.4), 0.8, 4);
        GammaWaiting gamma = new GammaWaiting(service, 0.8);
        assertThat(moments[1]).isCloseTo(gamma.mean(), within(1e-9));
        assertThat(moments[2]).isCloseTo(gamma.second(), within(1e-9));
        double[] exponential = WaitingMoments.of(Law.gamma(1, 1), 0.8, 8);
        for (int k = 1; k <= 8; k++) {
            double expected = 0.8 * CombinatoricsUtils.factorialDouble(k) / Math.pow(0.2, k);
            assertThat(exponential[k]).as("moment %d of M/M/1", k).isCloseTo(expected, within(1e-9 * expected));
        }
        WaitingTime inverted = new InvertedWaiting(Law.gamma(1, 0.4), 0.8);
        double third = 0;
        double step = 0.001;
        for (double t = step / 2; t < 120; t += step) {
            third += 3 * t * t * (1 - inverted.within(t)) * step;
        }
        assertThat(moments[3]).as("∫ 3 t² P(W > t) dt").isCloseTo(third, within(1e-4 * third));
    }

    @Test
    void shouldLeaveOutAnExponentialTailThatDoesNotFall() {
        Law law = new DiscreteLaw(new double[] {1, 1000}, new double[] {0.999999, 0.000001});
        assertThat(ExponentialTailWaiting.of(ServiceTime.of(law), 0.1)).isEmpty();
    }

    private static double poisson(double mean, int n) {
        return Math.exp(n * Math.log(mean) - mean - Gamma.logGamma(n + 1));
    }

    private static double euler(UnaryOperator<Complex> transform, double time) {
        double a = 18.4;
        int terms = 100;
        int averaged = 12;
        double sum = transform.apply(new Complex(a / (2 * time))).getReal() / 2;
        double result = 0;
        for (int k = 1; k <= terms + averaged; k++) {
            double term = transform.apply(new Complex(a / (2 * time), k * Math.PI / time)).getReal();
            sum += k % 2 == 0 ? term : -term;
            if (k >= terms) {
                result += sum * CombinatoricsUtils.binomialCoefficientDouble(averaged, k - terms)
                        / Math.pow(2, averaged);
            }
        }
        return result * Math.exp(a / 2) / time;
    }
}

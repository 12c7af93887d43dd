package ch.ethz.mlmq.log_analyzer.model.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares waiting times with the study's numbers, with each other, and with a simulation. */
class WaitingTimeTest {
    @Test
    void shouldHaveTheMomentsOfTheStudysCopies() {
        Copies copies = Copies.binomial(10, 0.3);
        assertThat(copies.second()).isCloseTo(11.1, within(1e-9));
        assertThat(copies.third()).isCloseTo(46.74, within(1e-9));

        ServiceTime constant = ServiceTime.of(4.10e-6 + 100 * 1.46e-5, 1.62e-5, Copies.constant(1));
        assertThat(constant.cv()).as("no variance with constant copies").isZero();
        ServiceTime activemq = ServiceTime.of(4.88e-5 + 100 * 1.62e-7, 1.54e-5, Copies.allOrNone(100, 0.1));
        assertThat(activemq.cv()).isCloseTo(2.11, within(0.005));
        assertThat(ServiceTime.of(4.88e-5 + 100 * 1.62e-7, 1.54e-5, Copies.binomial(100, 0.1)).cv())
                .isCloseTo(0.211, within(0.0005));
    }

    @Test
    void shouldNotExceedTheStudysHighestVariation() {
        double many = 1e7;
        ServiceTime correlation = ServiceTime.of(many * 7.02e-6, 1.70e-5, Copies.allOrNone(many, 0.226));
        assertThat(correlation.cv()).isCloseTo(0.6546, within(0.0007));
        ServiceTime property = ServiceTime.of(many * 1.46e-5, 1.62e-5, Copies.allOrNone(many, 0.322));
        assertThat(property.cv()).isCloseTo(0.382, within(0.0005));
    }

    /**
     * The study's table of how far the gamma quantiles are off, recomputed against exact M/D/1: per cent, to a tenth.
     */
    @Test
    void shouldBeAsFarFromExactAsTheStudySays() {
        double[][] expected = {{0.5, 2.1, -1.7, -6.4}, {0.7, 1.3, -1.7, -4.4}, {0.9, 0.3, -0.7, -1.6}};
        double[] quantiles = {0.9, 0.99, 0.9999};
        for (double[] row : expected) {
            WaitingTime gamma = new GammaWaiting(ServiceTime.of(Law.constant(1)), row[0]);
            WaitingTime exact = new ConstantServiceWaiting(1, row[0]);
            assertThat(gamma.mean()).isCloseTo(exact.mean(), within(1e-12));
            for (int i = 0; i < quantiles.length; i++) {
                double off = 100 * (gamma.quantile(quantiles[i]) / exact.quantile(quantiles[i]) - 1);
                assertThat(off).as("rho %s, quantile %s", row[0], quantiles[i]).isCloseTo(row[1 + i], within(0.0501));
            }
        }
    }

    @Test
    void shouldBeExactForExponentialService() {
        for (double utilisation : new double[] {0.3, 0.7, 0.95}) {
            GammaWaiting gamma = new GammaWaiting(ServiceTime.of(Law.gamma(8e-5, 1)), utilisation / 8e-5);
            WaitingTime exact = new ExponentialServiceWaiting(8e-5, utilisation / 8e-5, 1);
            assertThat(gamma.mean()).isCloseTo(exact.mean(), within(1e-12));
            for (double p : new double[] {0.5, 0.9, 0.9999}) {
                assertThat(gamma.quantile(p)).isCloseTo(exact.quantile(p), within(exact.quantile(p) * 1e-6 + 1e-15));
            }
        }
    }

    @Test
    void shouldSumTheManyTermsOfABusyServer() {
        WaitingTime busy = new ConstantServiceWaiting(1, 0.95);
        assertThat(busy.within(0)).as("P(W = 0)").isCloseTo(0.05, within(1e-9));
        // Cramér–Lundberg's decay: P(W > t) falls by e^{-eta t}, with e^{eta} - 1 = eta / rho
        double eta = 0.1017;
        for (int i = 0; i < 50; i++) {
            eta = eta - (Math.expm1(eta) * 0.95 - eta) / (Math.exp(eta) * 0.95 - 1);
        }
        assertThat(Math.log((1 - busy.within(40)) / (1 - busy.within(60))) / 20).isCloseTo(eta, within(1e-6));
        for (double rate : new double[] {0.9, 0.95, 0.99}) {
            ConstantServiceWaiting waiting = new ConstantServiceWaiting(1, rate);
            for (double time : new double[] {0, 0.3, 1, 2.5, 7, 9.99, 10, 12.5, 40, 200}) {
                assertThat(waiting.within(time)).as("rate %s, time %s", rate, time)
                        .isCloseTo(waiting.bySum(time), within(1e-8));
            }
        }
        assertThat(new ConstantServiceWaiting(1, 0.99999).within(50_000)).as("of a mean of 49,999.5")
                .isCloseTo(1 - Math.exp(-1), within(0.001));
        assertThat(new ConstantServiceWaiting(1, 0.5).within(2000)).as("what is too rare for a double ends")
                .isEqualTo(1);
    }

    /** Erlang's C: at two servers that are half busy one request in three waits. */
    @Test
    void shouldKnowSeveralServers() {
        WaitingTime two = new ExponentialServiceWaiting(1, 1, 2);
        assertThat(1 - two.within(0)).isCloseTo(1.0 / 3, within(1e-12));
        assertThat(two.mean()).isCloseTo(1.0 / 3, within(1e-12));
        assertThat(new VaryingServiceWaiting(ServiceTime.of(Law.constant(1)), 1, 2).mean())
                .isCloseTo(1.0 / 6, within(1e-12));
        assertThat(new ExponentialServiceWaiting(1, 900, 1000).mean()).isPositive().isLessThan(0.001);
    }

    @Test
    void shouldAgreeWithTheDiscreteQueueAndWithASimulation() {
        ServiceTime service = ServiceTime.of(Law.gamma(0.5, 0.5));
        DiscreteWaiting discrete = new DiscreteWaiting(Law.gamma(1, 1), Law.gamma(0.5, 0.5),
                Discretization.OF_STUDY);
        GammaWaiting gamma = new GammaWaiting(service, 1);
        assertThat(discrete.mean()).isCloseTo(gamma.mean(), within(0.02 * gamma.mean()));
        assertThat(discrete.quantile(0.99)).isCloseTo(gamma.quantile(0.99), within(0.03 * gamma.quantile(0.99)));
        assertThat(discrete.isBounded()).isFalse();

        // Lindley's recursion
        Random random = new Random(11);
        double wait = 0;
        double sum = 0;
        int requests = 1_000_000;
        for (int i = 0; i < requests; i++) {
            double served = 0;
            for (int stage = 0; stage < 4; stage++) {
                served -= 0.5 / 4 * Math.log(1 - random.nextDouble());
            }
            wait = Math.max(0, wait + served + Math.log(1 - random.nextDouble()));
            sum += wait;
        }
        assertThat(sum / requests).isCloseTo(gamma.mean(), within(0.02 * gamma.mean()));
    }

    @Test
    void shouldBoundWhatWaits() {
        DiscreteWaiting bounded = new DiscreteWaiting(Law.gamma(1, 1), Law.gamma(0.9, 1),
                Discretization.OF_STUDY.boundedBy(3));
        assertThat(bounded.isBounded()).isTrue();
        assertThat(bounded.quantile(0.9999)).isLessThanOrEqualTo(3);
        assertThat(bounded.mean()).isLessThan(new ExponentialServiceWaiting(0.9, 1, 1).mean());
    }

    @Test
    void shouldRefuseAQueueThatGrowsForEver() {
        assertThatThrownBy(() -> new GammaWaiting(ServiceTime.of(Law.constant(1)), 1)).isInstanceOf(DataException.class)
                .hasMessageContaining("Utilisation is 1");
        assertThatThrownBy(() -> new ExponentialServiceWaiting(1, 2.5, 2)).isInstanceOf(DataException.class);
        assertThatThrownBy(() -> new ConstantServiceWaiting(1, 1.2)).isInstanceOf(DataException.class);
    }
}

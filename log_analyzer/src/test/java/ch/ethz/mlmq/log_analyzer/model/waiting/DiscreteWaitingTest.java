package ch.ethz.mlmq.log_analyzer.model.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The study's discrete time analysis, its parameters, and what they cost in accuracy. */
class DiscreteWaitingTest {
    private static final Law POISSON = Law.gamma(1, 1);

    @Test
    void shouldRoundTimesAsTheStudyDoes() {
        double[][] expected = {{50, 1.00}, {100, 0.50}, {200, 0.25}};
        for (double[] each : expected) {
            DiscreteWaiting queue = queue(new Discretization((int) each[0], 1e-6, 1e-6, 1e-9, OptionalDouble.empty()),
                    Law.constant(0.5));
            assertThat(100 * (0.5 / queue.utilisation() - 1)).as("E[A'] is longer, per cent of %s units", each[0])
                    .isCloseTo(each[1], within(0.02));
            assertThat(queue.arrivalCv()).as("geometric").isCloseTo(Math.sqrt(Math.exp(-1 / each[0])), within(1e-4));
        }
    }

    @Test
    void shouldChooseTheBoundByTheShareThatMayMeetIt() {
        DiscreteWaiting rare = queue(new Discretization(20, 1e-12, 1e-8, 1e-6, OptionalDouble.empty()),
                Law.gamma(0.7, 1));
        assertThat(rare.atBound()).isPositive().isLessThan(1e-8);
        assertThat(rare.isBounded()).isFalse();
        DiscreteWaiting often = queue(new Discretization(20, 1e-12, 1e-3, 1e-6, OptionalDouble.empty()),
                Law.gamma(0.7, 1));
        assertThat(often.bound()).isLessThan(rare.bound());
        assertThat(often.atBound()).isLessThan(1e-3);
    }

    @Test
    void shouldComeNearerToTheExactQueueWithMoreUnitsAndASmallerEpsilon() {
        WaitingTime exact = new InvertedWaiting(Law.gamma(0.7, 0.4), 1);
        double before = Double.MAX_VALUE;
        for (double converged : new double[] {1e-3, 1e-5, 1e-8}) {
            double off = off(queue(new Discretization(50, converged, 1e-9, 1e-6, OptionalDouble.empty()),
                    Law.gamma(0.7, 0.4)), exact);
            assertThat(off).as("ε_c %s", converged).isLessThan(before);
            before = off;
        }
        double fine = off(queue(new Discretization(200, 1e-8, 1e-9, 1e-6, OptionalDouble.empty()),
                Law.gamma(0.7, 0.4)), exact);
        assertThat(fine).isLessThan(before);
    }

    @Test
    void shouldTakeDiscreteServiceTimes() {
        Law law = new DiscreteLaw(new double[] {0.25, 3}, new double[] {0.9, 0.1});
        DiscreteWaiting queue = queue(Discretization.OF_STUDY, law);
        WaitingTime exact = new InvertedWaiting(law, 1);
        assertThat(queue.mean()).isCloseTo(exact.mean(), within(0.02 * exact.mean()));
        assertThat(queue.quantile(0.99)).isCloseTo(exact.quantile(0.99), within(0.02 * exact.quantile(0.99)));
    }

    @Test
    void shouldNotWaitIfArrivalsAreApartForLongEnough() {
        DiscreteWaiting queue = new DiscreteWaiting(Law.constant(1), Law.constant(0.5), Discretization.OF_STUDY);
        assertThat(queue.mean()).isZero();
        assertThat(queue.within(0)).isCloseTo(1, within(1e-12));
    }

    @Test
    void shouldRefuseWhatTakesTooLong() {
        assertThatThrownBy(() -> queue(new Discretization(10_000, 1e-8, 1e-10, 1e-4, OptionalDouble.of(1000)),
                Law.gamma(0.7, 1))).isInstanceOf(DataException.class).hasMessageContaining("Take fewer units");
    }

    private static DiscreteWaiting queue(Discretization parameters, Law service) {
        return new DiscreteWaiting(POISSON, service, parameters);
    }

    /** Largest distance of the distribution functions. */
    private static double off(DiscreteWaiting queue, WaitingTime exact) {
        double most = 0;
        for (double time = 0; time < 15; time += 0.1) {
            most = Math.max(most, Math.abs(queue.within(time) - exact.within(time)));
        }
        return most;
    }
}

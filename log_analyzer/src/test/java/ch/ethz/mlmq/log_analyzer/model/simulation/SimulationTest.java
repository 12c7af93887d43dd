package ch.ethz.mlmq.log_analyzer.model.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.network.ClosedNetwork;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.waiting.ConstantServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.ExponentialServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.GammaWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.ServiceTime;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.statistics.Intervals;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;

/** What closed forms know is what the simulation must find, within its own interval. */
class SimulationTest {
    private static final Times NOTHING = Times.gamma(0, 0);

    @Test
    void shouldFindWhatOpenQueuesSay() {
        assertThat(waiting(open(0.7, 1, 1))).satisfies(interval ->
                contains(interval, new ExponentialServiceWaiting(1, 0.7, 1).mean()));
        assertThat(waiting(open(0.7, 0, 1))).satisfies(interval ->
                contains(interval, new ConstantServiceWaiting(1, 0.7).mean()));
        assertThat(waiting(open(0.8, 0.5, 1))).satisfies(interval ->
                contains(interval, new GammaWaiting(ServiceTime.gamma(1, 0.5), 0.8).mean()));
        assertThat(waiting(open(3.2, 1, 4))).satisfies(interval ->
                contains(interval, new ExponentialServiceWaiting(1, 3.2, 4).mean()));
    }

    @Test
    void shouldFindWhatClosedNetworksSay() {
        RunStations stations = new RunStations(0, 0, 0, 0.005, 0, 0.0004, 0.0002, 0.0012, 8, 3, 2, Optional.empty(),
                List.of());
        ClosedNetwork network = stations.closedNetwork();
        for (int clients : new int[] {10, 30, 80}) {
            SimulatedSystem setup = new SimulatedSystem(clients, 0, Times.gamma(0.005, 1), Times.gamma(0.0004, 1),
                    Times.gamma(0.0002, 1), Times.gamma(0.0012, 1), 8, 3, 2, null);
            Interval interval = interval(setup, Simulation.Outcome::throughput);
            double predicted = network.exact(clients, 0).get(clients - 1).throughput();
            assertThat(predicted).as("%s clients, %s", clients, interval)
                    .isCloseTo((interval.low() + interval.high()) / 2, within(0.01 * predicted));
        }
    }

    @Test
    void shouldTakeBatches() {
        SimulatedSystem setup = new SimulatedSystem(200, 0, NOTHING, Times.gamma(0.0001, 1), NOTHING, NOTHING, 2, 2,
                1,
                new GroupCommit(0.0004, 0.00002, 64));
        Simulation.Outcome outcome = Simulation.run(setup, 200_000, 5);
        assertThat(outcome.batch()).isBetween(50.0, 64.0);
        assertThat(outcome.throughput()).isCloseTo(2 * 64 / (0.0004 + 64 * 0.00002), within(4_000.0));
        assertThat(outcome.busy()).isCloseTo(1, within(0.01));
        assertThat(outcome.throughput() * outcome.response()).as("Little").isCloseTo(200, within(2.0));
    }

    /**
     * A closed form that was fitted to 32 clients knows what the simulation does with others, by the same rule: within
     * a twentieth of the throughput, which is how good it is, not how sure.
     */
    @Test
    void shouldFindWhatTheClosedFormOfGroupCommitSays() {
        double[][] systems = {{0.0005, 0.00003, 0.01, 2}, {0.0005, 0.00003, 0, 2}, {0.004, 0.0001, 0.01, 2},
            {0.003, 0.0001, 0, 1}};
        for (double[] each : systems) {
            GroupCommit batch = new GroupCommit(each[0], each[1], 512);
            RunStations fitted = asMeasured(batch, each[2], (int) each[3], 32).fitted();
            assertThat(fitted.batch().orElseThrow().waiting()).isBetween(GroupCommit.LEAST_WAITING,
                    GroupCommit.MOST_WAITING);
            assertThat(fitted.network()).as("nothing is left over").isEqualTo(0.0005);
            for (int clients : new int[] {8, 64}) {
                double simulated = asMeasured(batch, each[2], (int) each[3], clients).throughput();
                assertThat(fitted.closedNetwork().throughput(clients)).as("%s clients of %s", clients, fitted)
                        .isCloseTo(simulated, within(0.05 * simulated));
            }
        }
    }

    private static RunStations asMeasured(GroupCommit batch, double think, int workers, int clients) {
        Simulation.Outcome outcome = Simulation.run(new SimulatedSystem(clients, 0, Times.gamma(think, 1),
                Times.gamma(0.0005, 1), NOTHING, NOTHING, workers, workers, 1, batch), 50_000, 5);
        return new RunStations(clients, outcome.throughput(), outcome.response(), think, clients / outcome.throughput()
                - outcome.response() - think, 0.0005, 0, 0.001, workers, workers, 1, Optional.of(batch), List.of());
    }

    /** A line of two threads that serve requests and answers alike: M/M/2 as long as workers do not make it wait. */
    @Test
    void shouldLetRequestsAndAnswersWaitForThreads() {
        Times each = Times.gamma(0.4, 1);
        SimulatedSystem setup = new SimulatedSystem(0, 2, NOTHING, NOTHING, Times.gamma(0.0001, 0), NOTHING, 64, 64,
                1,
                null, null, new SimulatedSystem.Io(each, each, 2), null, 0);
        double waiting = new ExponentialServiceWaiting(0.4, 4, 2).mean();

        assertThat(interval(setup, Simulation.Outcome::response)).satisfies(interval ->
                contains(interval, 2 * (0.4 + waiting) + 0.0001));
        assertThat(interval(setup, Simulation.Outcome::io)).satisfies(interval -> contains(interval, 0.8));
    }

    /** Each of four databases is M/M/1 with a fourth of the requests. */
    @Test
    void shouldShareRequestsAmongDatabases() {
        SimulatedSystem setup = new SimulatedSystem(0, 2.8, NOTHING, NOTHING, NOTHING, Times.gamma(1, 1), 2_000,
                2_000,
                1, null, null, null, new SimulatedSystem.Shards(4, 1, 1), 0);

        assertThat(interval(setup, Simulation.Outcome::response)).satisfies(interval -> contains(interval, 1 / 0.3));
        assertThat(interval(setup, Simulation.Outcome::databases)).satisfies(interval -> contains(interval, 0.7));
    }

    /** What arrives in 20 s at half the capacity is worked off in another 20 s. */
    @Test
    void shouldStandStillAndRecover() {
        SimulatedSystem setup = new SimulatedSystem(0, 500, NOTHING, NOTHING, Times.gamma(0.001, 1), NOTHING, 1, 1, 1,
                null, null, null, null, 20);

        Simulation.Outcome outcome = Simulation.run(setup, 200_000, 3);

        assertThat(outcome.longest()).isCloseTo(20, within(0.2));
        assertThat(outcome.recovery()).isCloseTo(20, within(2.0));
        assertThat(Simulation.run(open(0.5, 1, 1), 50_000, 3).recovery()).isNaN();
    }

    /** At half load a worker that takes batches is never idle: the next batch waits when one ends. */
    @Test
    void shouldRecoverWhereWorkersTakeBatches() {
        GroupCommit batch = new GroupCommit(478e-6, 11.7e-6, 512);
        SimulatedSystem setup = new SimulatedSystem(0, 18_000, NOTHING, NOTHING, NOTHING, NOTHING, 2, 2, 1, batch,
                null, null, null, 10);

        Simulation.Outcome outcome = Simulation.run(setup, 1_000_000, 3);

        // 180,000 that wait, of which 2 workers take 512 in 6.5 ms each, while 18,000 come every second
        assertThat(outcome.recovery()).isCloseTo(180_000 / (2 * 512 / batch.time(512) - 18_000), within(0.1));
    }

    @Test
    void shouldDrawMeasuredTimesAsOftenAsTheyWere() {
        int[] values = IntStream.range(0, 1000).map(i -> i < 900 ? 100 : 1_100).toArray();

        assertThat(Times.measured(Distribution.of(values), 0.0002).mean()).isCloseTo(0.0002, within(1e-12));
        SimulatedSystem setup = new SimulatedSystem(0, 1, NOTHING, NOTHING,
                Times.measured(Distribution.of(values), 0.0002), NOTHING, 1, 1, 1, null);
        Simulation.Outcome outcome = Simulation.run(setup, 50_000, 3);
        assertThat(outcome.p50()).isCloseTo(0.0001, within(1e-6));
        assertThat(outcome.p99()).isCloseTo(0.0011, within(1e-5));
    }

    @Test
    void shouldGiveTheSameForTheSameSeed() {
        SimulatedSystem setup = open(0.9, 1, 1);
        assertThat(Simulation.run(setup, 50_000, 7)).isEqualTo(Simulation.run(setup, 50_000, 7));
        assertThat(Simulation.run(setup, 50_000, 7)).isNotEqualTo(Simulation.run(setup, 50_000, 8));
    }

    @Test
    void shouldRefuseAQueueThatGrowsForEver() {
        assertThatThrownBy(() -> Simulation.run(open(1.1, 1, 1), 1_000, 1)).isInstanceOf(DataException.class)
                .hasMessageContaining("Utilisation is 1.1");
    }

    @Test
    void shouldKeepMeanAndVariation() {
        for (double cv : new double[] {0, 0.3, 1, 2}) {
            assertThat(Times.gamma(0.002, cv).mean()).isCloseTo(0.002, within(1e-12));
        }
    }

    private static SimulatedSystem open(double rate, double cv, int workers) {
        return new SimulatedSystem(0, rate, NOTHING, NOTHING, Times.gamma(1, cv), NOTHING, workers, workers, 1, null);
    }

    private static Interval waiting(SimulatedSystem setup) {
        return interval(setup, Simulation.Outcome::waiting);
    }

    /** Of 99.9 %, so that a right program fails in a thousandth of the seeds; this seed is one of the others. */
    private static Interval interval(SimulatedSystem setup, ToDoubleFunction<Simulation.Outcome> figure) {
        double[] values = IntStream.range(0, 8).mapToDouble(i ->
                figure.applyAsDouble(Simulation.run(setup, 80_000, 100 + i))).toArray();
        return Intervals.ofMean(8, StatUtils.mean(values), Math.sqrt(StatUtils.variance(values)), 0.999);
    }

    private static void contains(Interval interval, double expected) {
        assertThat(interval.low()).isLessThan(expected);
        assertThat(interval.high()).isGreaterThan(expected);
        assertThat(interval.high() - interval.low()).as("says something").isLessThan(0.4 * expected);
    }
}

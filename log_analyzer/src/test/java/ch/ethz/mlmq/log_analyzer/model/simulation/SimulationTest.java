package ch.ethz.mlmq.log_analyzer.model.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.network.ClosedNetwork;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import ch.ethz.mlmq.log_analyzer.model.waiting.ConstantServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.ExponentialServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.GammaWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.Law;
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

/** Compares the simulation with closed forms, within its own interval. */
class SimulationTest {
    private static final Times NOTHING = Times.gamma(0, 0);

    @Test
    void shouldFindWhatOpenQueuesSay() {
        assertThat(waiting(open(0.7, 1, 1))).satisfies(interval ->
                contains(interval, new ExponentialServiceWaiting(1, 0.7, 1).mean()));
        assertThat(waiting(open(0.7, 0, 1))).satisfies(interval ->
                contains(interval, new ConstantServiceWaiting(1, 0.7).mean()));
        assertThat(waiting(open(0.8, 0.5, 1))).satisfies(interval ->
                contains(interval, new GammaWaiting(ServiceTime.of(Law.gamma(1, 0.5)), 0.8).mean()));
        assertThat(waiting(open(3.2, 1, 4))).satisfies(interval ->
                contains(interval, new ExponentialServiceWaiting(1, 3.2, 4).mean()));
    }

    @Test
    void shouldFindWhatClosedNetworksSay() {
        Servers servers = new Servers(2, 8, 3);
        RunStations stations = new RunStations(new RunStations.Load(0, 0, 0, 0.005, 0),
                new RunStations.Demands(0.0004, 0.0002, 0.0012), servers, Optional.empty(), List.of());
        ClosedNetwork network = stations.closedNetwork();
        for (int clients : new int[] {10, 30, 80}) {
            SimulatedSystem setup = new SimulatedSystem(SimulatedSystem.Load.closed(clients, Times.gamma(0.005, 1)),
                    new SimulatedSystem.Demands(Times.gamma(0.0004, 1), Times.gamma(0.0002, 1),
                            Times.gamma(0.0012, 1)), servers);
            Interval interval = interval(setup, Simulation.Outcome::throughput);
            double predicted = network.exact(clients, 0).get(clients - 1).throughput();
            assertThat(predicted).as("%s clients, %s", clients, interval)
                    .isCloseTo((interval.low() + interval.high()) / 2, within(0.01 * predicted));
        }
    }

    @Test
    void shouldTakeBatches() {
        SimulatedSystem setup = new SimulatedSystem(SimulatedSystem.Load.closed(200, NOTHING),
                new SimulatedSystem.Demands(Times.gamma(0.0001, 1), NOTHING, NOTHING), workers(2))
                .with(new SimulatedSystem.Batches(new GroupCommit(0.0004, 0.00002, 64), null));
        Simulation.Outcome outcome = Simulation.run(setup, 200_000, 5);
        assertThat(outcome.batch()).isBetween(50.0, 64.0);
        assertThat(outcome.throughput()).isCloseTo(2 * 64 / (0.0004 + 64 * 0.00002), within(4_000.0));
        assertThat(outcome.busy().workers()).isCloseTo(1, within(0.01));
        assertThat(outcome.throughput() * outcome.response().mean()).as("Little").isCloseTo(200, within(2.0));
    }

    /**
     * A closed form fitted to 32 clients must predict the simulation with other numbers of clients within a twentieth
     * of the throughput, which is its accuracy, not its confidence.
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
            assertThat(fitted.demands().network()).as("nothing is left over").isEqualTo(0.0005);
            for (int clients : new int[] {8, 64}) {
                double simulated = asMeasured(batch, each[2], (int) each[3], clients).load().throughput();
                assertThat(fitted.closedNetwork().throughput(clients)).as("%s clients of %s", clients, fitted)
                        .isCloseTo(simulated, within(0.05 * simulated));
            }
        }
    }

    private static RunStations asMeasured(GroupCommit batch, double think, int workers, int clients) {
        SimulatedSystem setup = new SimulatedSystem(SimulatedSystem.Load.closed(clients, Times.gamma(think, 1)),
                new SimulatedSystem.Demands(Times.gamma(0.0005, 1), NOTHING, NOTHING), workers(workers))
                .with(new SimulatedSystem.Batches(batch, null));
        Simulation.Outcome outcome = Simulation.run(setup, 50_000, 5);
        double response = outcome.response().mean();
        return new RunStations(new RunStations.Load(clients, outcome.throughput(), response, think,
                clients / outcome.throughput() - response - think), new RunStations.Demands(0.0005, 0, 0.001),
                workers(workers), Optional.of(batch), List.of());
    }

    /** Two threads serve requests and responses from one line: M/M/2 as long as workers do not delay it. */
    @Test
    void shouldLetRequestsAndAnswersWaitForThreads() {
        Times each = Times.gamma(0.4, 1);
        SimulatedSystem setup = open(2, Times.gamma(0.0001, 0), NOTHING, 64)
                .with(new SimulatedSystem.Io(each, each, 2));
        double waiting = new ExponentialServiceWaiting(0.4, 4, 2).mean();

        assertThat(interval(setup, outcome -> outcome.response().mean())).satisfies(interval ->
                contains(interval, 2 * (0.4 + waiting) + 0.0001));
        assertThat(interval(setup, outcome -> outcome.busy().ioThreads())).satisfies(interval ->
                contains(interval, 0.8));
    }

    /** Each of four databases is M/M/1 with a fourth of the requests. */
    @Test
    void shouldShareRequestsAmongDatabases() {
        SimulatedSystem setup = open(2.8, NOTHING, Times.gamma(1, 1), 2_000)
                .with(new SimulatedSystem.Shards(4, 1, 1));

        assertThat(interval(setup, outcome -> outcome.response().mean())).satisfies(interval ->
                contains(interval, 1 / 0.3));
        assertThat(interval(setup, outcome -> outcome.busy().databases())).satisfies(interval ->
                contains(interval, 0.7));
    }

    /** Requests that arrive in 20 s at half the capacity are completed in another 20 s. */
    @Test
    void shouldStandStillAndRecover() {
        SimulatedSystem setup = open(500, Times.gamma(0.001, 1), NOTHING, 1).withPause(20);

        Simulation.Outcome outcome = Simulation.run(setup, 200_000, 3);

        assertThat(outcome.response().longest()).isCloseTo(20, within(0.2));
        assertThat(outcome.recovery()).isCloseTo(20, within(2.0));
        assertThat(Simulation.run(open(0.5, 1, 1), 50_000, 3).recovery()).isNaN();
    }

    /** At half load a worker that takes batches is never idle, because the next batch waits when one ends. */
    @Test
    void shouldRecoverWhereWorkersTakeBatches() {
        GroupCommit batch = new GroupCommit(478e-6, 11.7e-6, 512);
        SimulatedSystem setup = open(18_000, NOTHING, NOTHING, 2)
                .with(new SimulatedSystem.Batches(batch, null)).withPause(10);

        Simulation.Outcome outcome = Simulation.run(setup, 1_000_000, 3);

        // 180,000 that wait, of which 2 workers take 512 in 6.5 ms each, while 18,000 come every second
        assertThat(outcome.recovery()).isCloseTo(180_000 / (2 * 512 / batch.time(512) - 18_000), within(0.1));
    }

    @Test
    void shouldDrawMeasuredTimesAsOftenAsTheyWere() {
        int[] values = IntStream.range(0, 1000).map(i -> i < 900 ? 100 : 1_100).toArray();

        assertThat(Times.measured(Distribution.of(values), 0.0002).mean()).isCloseTo(0.0002, within(1e-12));
        SimulatedSystem setup = open(1, Times.measured(Distribution.of(values), 0.0002), NOTHING, 1);
        Simulation.Outcome outcome = Simulation.run(setup, 50_000, 3);
        assertThat(outcome.response().p50()).isCloseTo(0.0001, within(1e-6));
        assertThat(outcome.response().p99()).isCloseTo(0.0011, within(1e-5));
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
        return open(rate, Times.gamma(1, cv), NOTHING, workers);
    }

    private static SimulatedSystem open(double rate, Times worker, Times database, int workers) {
        return new SimulatedSystem(SimulatedSystem.Load.open(rate),
                new SimulatedSystem.Demands(NOTHING, worker, database), workers(workers));
    }

    /** Makes workers of one broker, with a connection for each. */
    private static Servers workers(int count) {
        return new Servers(1, count, count);
    }

    private static Interval waiting(SimulatedSystem setup) {
        return interval(setup, Simulation.Outcome::waiting);
    }

    /**
     * Computes a 99.9 % interval, so that a correct program fails with one seed in a thousand; this seed is one of the
     * others.
     */
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

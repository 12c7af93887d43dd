package ch.ethz.mlmq.log_analyzer.model.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosedNetworkTest {
    /** Compares with the recursion of exact mean value analysis, written here for stations of one server. */
    @Test
    void shouldAgreeWithMeanValueAnalysis() {
        double[] demands = {0.125, 0.3, 0.2};
        double think = 4;
        ClosedNetwork network = new ClosedNetwork(List.of(Station.delay("think", think),
                Station.queue("cpu", demands[0], 1),
                Station.queue("disk a", demands[1], 1), Station.queue("disk b", demands[2], 1)));
        List<ClosedNetwork.Answer> answers = network.exact(60, 0);

        double[] lengths = new double[3];
        for (int n = 1; n <= 60; n++) {
            double response = 0;
            double[] residences = new double[3];
            for (int i = 0; i < 3; i++) {
                residences[i] = demands[i] * (1 + lengths[i]);
                response += residences[i];
            }
            double throughput = n / (think + response);
            for (int i = 0; i < 3; i++) {
                lengths[i] = throughput * residences[i];
            }
            ClosedNetwork.Answer answer = answers.get(n - 1);
            assertThat(answer.throughput()).isCloseTo(throughput, within(1e-9));
            assertThat(answer.response()).isCloseTo(response, within(1e-8));
            assertThat(answer.utilisations()[2]).isCloseTo(throughput * 0.3, within(1e-9));
        }
        assertThat(network.bottleneck().name()).isEqualTo("disk a");
        assertThat(network.knee()).isCloseTo((4 + 0.625) / 0.3, within(1e-9));
    }

    /** The machine repairman with m repairmen: p(j) ∝ N!/(N−j)! / Π min(k, m) (D/Z)^j. */
    @Test
    void shouldKnowSeveralServers() {
        int clients = 200;
        int servers = 8;
        double[] weights = new double[clients + 1];
        weights[0] = 1;
        double sum = 1;
        double served = 0;
        for (int j = 1; j <= clients; j++) {
            weights[j] = weights[j - 1] * (clients - j + 1) * (0.0015 / 0.005) / Math.min(j, servers);
            sum += weights[j];
            served += weights[j] * Math.min(j, servers);
        }
        double expected = served / sum / 0.0015;

        ClosedNetwork network = new ClosedNetwork(List.of(Station.delay("think", 0.005),
                Station.queue("workers", 0.0015, servers)));

        ClosedNetwork.Answer answer = network.exact(clients, 0).get(clients - 1);
        assertThat(answer.throughput()).isCloseTo(expected, within(1e-6 * expected));
        assertThat(answer.throughput() * (answer.response() + 0.005)).as("Little").isCloseTo(clients, within(1e-6));
        assertThat(network.approximate(clients, 0).throughput()).isCloseTo(expected, within(0.02 * expected));
        assertThat(network.approximate(20, 0).throughput()).isCloseTo(network.exact(20, 0).get(19).throughput(),
                within(0.08 * expected));
    }

    @Test
    void shouldSayHowManyClientsAreTooMany() {
        ClosedNetwork network = new ClosedNetwork(List.of(Station.delay("think", 1), Station.queue("worker", 0.01, 4)));
        assertThatThrownBy(() -> network.exact(10_000_000, 0)).isInstanceOf(DataException.class)
                .hasMessageStartingWith("10000000 clients at 2 stations are too many");
    }

    @Test
    void shouldBeCloseBySchweitzersApproximation() {
        ClosedNetwork network = new ClosedNetwork(List.of(Station.delay("think", 4), Station.queue("cpu", 0.125, 1),
                Station.queue("disk a", 0.3, 1), Station.queue("disk b", 0.2, 1)));
        for (int n : new int[] {1, 5, 20, 60}) {
            double exact = network.exact(n, 0).get(n - 1).throughput();
            assertThat(network.approximate(n, 0).throughput()).as("with %s", n).isCloseTo(exact, within(0.05 * exact));
        }
        assertThat(network.approximate(1, 0).throughput()).isCloseTo(1 / 4.625, within(1e-9));
    }

    @Test
    void shouldGrowFasterWithBatches() {
        Station batches = Station.batches("worker", new GroupCommit(400e-6, 20e-6, 64), 2, 1);
        ClosedNetwork network = new ClosedNetwork(List.of(Station.delay("network", 100e-6), batches));
        List<ClosedNetwork.Answer> answers = network.exact(400, -1);
        assertThat(answers.get(0).throughput()).as("a batch of one").isCloseTo(1 / 520e-6, within(1e-3));
        double most = 2 * 64 / (400e-6 + 64 * 20e-6);
        assertThat(batches.capacity()).isCloseTo(most, within(1e-6 * most));
        assertThat(answers.get(399).throughput()).isCloseTo(most, within(0.001 * most));
        double noBatches = new ClosedNetwork(List.of(Station.delay("network", 100e-6),
                Station.queue("worker", 420e-6, 2)))
                .exact(100, -1).get(99).throughput();
        assertThat(answers.get(99).throughput()).isGreaterThan(5 * noBatches);
    }

    @Test
    void shouldStayExactWithManyClients() {
        ClosedNetwork network = new ClosedNetwork(List.of(Station.delay("think", 1),
                Station.queue("worker", 0.001, 4)));
        List<ClosedNetwork.Answer> answers = network.exact(1_500, 0);
        assertThat(answers.get(999).throughput()).as("far from 4,000/s").isCloseTo(999, within(1.0));
        ClosedNetwork slow = new ClosedNetwork(List.of(Station.delay("think", 1), Station.queue("worker", 0.01, 4)));
        assertThat(slow.exact(1_500, 0).get(1_499).throughput()).as("saturated").isCloseTo(400, within(0.01));
        assertThatThrownBy(() -> network.exact(50_000, 0)).isInstanceOf(DataException.class)
                .hasMessageContaining("--approximate");
    }
}

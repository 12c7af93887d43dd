package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.broker.io.IoAgent;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.config.ConfigurationException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests which I/O thread serves which connection. */
class PlacementTest {
    @Test
    void shouldSpreadTheConnectionsOfEveryAddressOverAllThreads() throws Exception {
        List<String> both = List.of("127.0.0.2", "127.0.0.4");
        assertThat(addressesOfEachThread("0")).containsExactly(List.of("127.0.0.2", "127.0.0.4", "127.0.0.6"), both,
                both, both);
    }

    @Test
    void shouldServeTheConnectionsOfAnAddressByItsOwnThreads() throws Exception {
        // 6 has the thread of 2, as there are only four.
        assertThat(addressesOfEachThread("1")).containsExactly(List.of("127.0.0.4"), List.of(),
                List.of("127.0.0.2", "127.0.0.6"), List.of());
    }

    @Test
    void shouldRefuseMoreThreadsOfAnAddressThanThereAre() {
        assertThatThrownBy(() -> TestBroker.start(Map.of("broker.storage", "memory", "broker.io.threads", "2",
                "broker.io.threads.per.address", "3")).close()).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("broker.io.threads.per.address=3: there are only broker.io.threads=2");
    }

    /** Connects four clients from 127.0.0.2, then four from 127.0.0.4, then one from 127.0.0.6. */
    private static List<List<String>> addressesOfEachThread(String threadsOfAddress) throws Exception {
        List<Client> clients = new ArrayList<>();
        try (Broker broker = TestBroker.start(Map.of("broker.storage", "memory", "broker.io.threads", "4",
                "broker.io.threads.per.address", threadsOfAddress))) {
            for (int i = 0; i < 9; i++) {
                clients.add(Client.connect(ClientConfig.builder()
                        .brokers(BrokerAddress.parseList("127.0.0.1:" + broker.port()))
                        .source(InetAddress.getByName("127.0.0." + (2 + i / 4 * 2))).build()));
            }
            List<List<String>> all = new ArrayList<>();
            for (IoAgent agent : broker.ioAgents()) {
                CompletableFuture<List<String>> found = new CompletableFuture<>();
                agent.run(() -> found.complete(agent.connections().stream()
                        .map(connection -> connection.link().address()).distinct().sorted().toList()));
                all.add(found.get(30, TimeUnit.SECONDS));
            }
            return all;
        } finally {
            clients.forEach(Client::close);
        }
    }
}

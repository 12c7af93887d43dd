package ch.ethz.mlmq.driver.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.driver.contract.DriverContract;
import ch.ethz.mlmq.driver.contract.ServerUnderTest;
import ch.ethz.mlmq.driver.contract.TestLoad;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.jvm.Catalogue;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.link.BlockingSession;
import ch.ethz.mlmq.scenario.link.DriverAddress;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.jms.Connection;
import javax.jms.DeliveryMode;
import javax.jms.Session;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the driver on ActiveMQ, through its client library. */
class JmsDriverTest extends DriverContract {
    private static ActiveMqServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = ActiveMqServer.started();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @Override
    protected ServerUnderTest server() {
        return server;
    }

    @Override
    protected List<String> acknowledgements() {
        return List.of("each", "batch", "transacted");
    }

    @Override
    protected Map<String, String> driver() {
        return Map.of("", "jms");
    }

    @Test
    void shouldBeDescribedAsTheTestmasterReadsIt() throws Exception {
        assertThat(Files.readString(Path.of("driver.json"))).as("java -cp … ch.ethz.mlmq.cli.Main describe jms")
                .isEqualTo(Catalogue.describe(new JmsDriver()));
    }

    @Test
    void shouldTakeByPriorityWhereThatIsAskedFor() {
        TestLoad load = load("by_priority", "driver.priorities", "true");
        load.run("Fill", "requests", "10", "priority", "1");
        load.run("Fill", "requests", "10", "priority", "9");
        load.run("Bob", "requests", "20");

        assertThat(load.messages("received")).hasSize(20);
        assertThat(load.messages("received").subList(0, 10))
                .containsExactlyElementsOf(load.messages("sent").subList(10, 20));
    }

    @Test
    void shouldTakeWhatTheServerPushes() {
        TestLoad load = load("pushed", "driver.take", "consume", "queues", "2", "clients", "2", "timeout", "5s");
        load.run("Fill", "requests", "200");
        List<CompletableFuture<RunSummary>> both = load.startAll(
                "PublicQueueConsumer#127.0.0.1;PairedClient#127.0.0.1", 2, "requests", "200", "duration", "20s",
                "driver.prefetch", "10");

        // A client with an empty share gets a few responses without a message.
        assertThat(both.get(0).join().ledger().received()).isBetween(190L, 200L);
        assertThat(both.get(1).join().ledger().received()).isPositive();
        both.forEach(summary -> assertThat(TestLoad.errors(summary.join())).isEmpty());
        assertThat(load.messages("received")).doesNotHaveDuplicates();
        assertThat(both.get(0).join().toJson().toString()).contains("\"driver\":\"jms\"", "\"client_threads\":2");
    }

    /** The broker refuses a second subscription by the name of a durable one in use. */
    @Test
    void shouldEndSubscriptionsOfASessionWhoseConnectionStays() throws Exception {
        Settings settings = Settings.of(ClientJvm.keys(), Map.of("common.scenario.mytype", "client",
                "common.scenario.myposition", "0", "common.scenario.mapping.client", "Subscriber#127.0.0.1",
                "client.driver", "jms", "client.topic.durable", "true", "client.driver.address", server.address()));
        JmsSource source = new JmsSource(DriverAddress.of(settings, Map.of("tcp", 61616)), settings);
        ClientId client = new ClientId("Subscriber", 0, 0);
        TopicRequest.Subscribe subscribe = new TopicRequest.Subscribe(1, "news", "", true);
        BlockingSession closed = source.connect(client);
        BlockingSession stays = source.connect(client);
        try {
            closed.execute(subscribe);
            assertThatThrownBy(() -> stays.execute(subscribe)).hasMessageContaining("in use");

            closed.close();

            assertThat(stays.execute(subscribe)).isInstanceOf(Response.QueueFound.class);
        } finally {
            stays.close();
        }
    }

    @Test
    void shouldSendMessagesThatAreKeptAsAsked() throws Exception {
        Connection connection = new ActiveMQConnectionFactory(server.address()).createConnection();
        try {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            for (Map.Entry<String, Integer> mode : Map.of("persistent", DeliveryMode.PERSISTENT, "transient",
                    DeliveryMode.NON_PERSISTENT).entrySet()) {
                load(mode.getKey(), "driver.delivery", mode.getKey()).run("Fill", "requests", "3");

                assertThat(session.createConsumer(session.createQueue(mode.getKey() + ".queue1")).receive(10_000)
                        .getJMSDeliveryMode()).isEqualTo(mode.getValue());
            }
        } finally {
            connection.close();
        }
    }

    @Test
    void shouldRefuseSettingsThatDoNothing() {
        TestLoad load = load("refused");

        assertRefused(load, "has no effect with client.driver=jms", "driver.table", "pgmq");
        assertRefused(load, "needs client.driver.take=consume", "driver.prefetch", "5");
        assertRefused(load, "write ssl://user@host:61617 or tcp://user@host:61616", "driver.address",
                "amqp://h");
    }

    private TestLoad load(String prefix, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of("driver", "jms", "driver.address", server.address(),
                "driver.prefix", prefix, "clients", "1", "queues", "1", "timeout", "20s"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return new TestLoad(folder.resolve(prefix), settings);
    }

    private static void assertRefused(TestLoad load, String message, String... settings) {
        assertThatThrownBy(() -> load.jvm("Bob#127.0.0.1", 0, settings)).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
    }
}

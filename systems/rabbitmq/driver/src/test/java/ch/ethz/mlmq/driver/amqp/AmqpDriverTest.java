package ch.ethz.mlmq.driver.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.driver.contract.DriverContract;
import ch.ethz.mlmq.driver.contract.ServerUnderTest;
import ch.ethz.mlmq.driver.contract.TestLoad;
import ch.ethz.mlmq.scenario.jvm.Catalogue;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the driver on RabbitMQ, through its client library. */
class AmqpDriverTest extends DriverContract {
    private static RabbitServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = RabbitServer.started();
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
        return List.of("each", "batch", "none", "transacted");
    }

    @Override
    protected Map<String, String> driver() {
        return Map.of("", "amqp");
    }

    @Override
    protected List<String> topicFilters() {
        return super.topicFilters().stream().filter(filter -> !filter.equals("range")).toList();
    }

    @Test
    void shouldRefuseAFilterThatNoExchangeHas() {
        TestLoad load = load("bounds", "topic.filter", "range");

        assertThatThrownBy(() -> load.run("Publisher")).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no exchange of RabbitMQ compares a property with bounds");
    }

    /** Durable subscriptions keep the bindings of an earlier load, whose filters had equal values of another kind. */
    @Test
    void shouldNotSelectByTheFiltersOfAnEarlierLoad() {
        for (String filter : List.of("property", "context")) {
            TestLoad load = load("kept", "batch", "20", "topic.durable", "true", "topic.matching", "2",
                    "topic.others", "3", "topic.filter", filter);
            List<RunSummary> both = load.startAll("Subscriber#127.0.0.1;Publisher#127.0.0.1", 2, "rate", "50/s",
                    "duration", "3s").stream().map(CompletableFuture::join).toList();
            both.forEach(summary -> assertThat(TestLoad.errors(summary)).as(filter).isEmpty());
            RunSummary left;
            do {
                left = load.run("Subscriber", "duration", "2s");
            } while (left.ledger().received() > 0);

            Map<String, Integer> copies = new HashMap<>();
            load.messages("sent").forEach(id -> copies.merge(id, 1, Integer::sum));
            load.messages("received").forEach(id -> copies.merge(id, -1, Integer::sum));
            assertThat(copies.values()).as(filter).isNotEmpty().containsOnly(0);
        }
    }

    @Test
    void shouldBeDescribedAsTheTestmasterReadsIt() throws Exception {
        assertThat(Files.readString(Path.of("driver.json"))).as("java -cp … ch.ethz.mlmq.cli.Main describe amqp")
                .isEqualTo(Catalogue.describe(new AmqpDriver()));
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
    void shouldTakeWhatTheServerPushesOutOfQueuesOfEitherKind() {
        for (String kind : List.of("classic", "quorum")) {
            TestLoad load = load("pushed_" + kind, "driver.take", "consume", "driver.queue", kind, "queues", "2",
                    "clients", "2", "inflight.max", "20");
            load.run("Fill", "requests", "200");
            List<CompletableFuture<RunSummary>> both = load.startAll(
                    "PublicQueueConsumer#127.0.0.1;PairedClient#127.0.0.1", 2, "requests", "200", "inflight.max", "1",
                    "timeout", "5s", "duration", "60s");

            // A client with an empty share gets a few responses without a message.
            assertThat(both.get(0).join().ledger().received()).isBetween(190L, 200L);
            assertThat(both.get(1).join().ledger().received()).isPositive();
            both.forEach(summary -> assertThat(TestLoad.errors(summary.join())).isEmpty());
            assertThat(load.messages("received")).doesNotHaveDuplicates();
            assertThat(both.get(0).join().toJson().toString()).contains("\"driver\":\"amqp\"", "\"client_threads\":2");
        }
    }

    @Test
    void shouldSendMessagesThatAreKeptAsAsked() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(server.port());
        try (Connection connection = factory.newConnection(); Channel channel = connection.createChannel()) {
            for (Map.Entry<String, Integer> mode : Map.of("persistent", 2, "transient", 1).entrySet()) {
                load(mode.getKey(), "driver.delivery", mode.getKey(), "driver.prefix", mode.getKey())
                        .run("Fill", "requests", "3");

                assertThat(channel.basicGet(mode.getKey() + ".queue1", true).getProps().getDeliveryMode())
                        .isEqualTo(mode.getValue());
            }
        }
    }

    @Test
    void shouldGoOnWhereAQueueIsDeleted() throws Exception {
        TestLoad load = load("deleted", "driver.prefix", "deleted");
        List<CompletableFuture<RunSummary>> both = load.startAll(
                "PublicQueueProducer#127.0.0.1;PublicQueueConsumer#127.0.0.1", 2, "rate", "100/s", "requests", "200",
                "duration", "60s");
        load.awaitAnswered(30);
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(server.port());
        try (Connection connection = factory.newConnection(); Channel channel = connection.createChannel()) {
            channel.queueDelete("deleted.queue1");
        }

        assertThat(TestLoad.errors(both.get(0).join())).containsOnlyKeys("QUEUE_DOES_NOT_EXIST");
        assertThat(TestLoad.errors(both.get(1).join())).containsKey("CONNECTION_LOST");
        assertThat(both.get(1).join().ledger().received()).isPositive();
    }

    @Test
    void shouldRefuseSettingsThatDoNothing() {
        TestLoad load = load("refused");

        assertRefused(load, "has no effect with client.driver=amqp", "driver.table", "pgmq");
        assertRefused(load, "needs client.driver.take=consume", "driver.prefetch", "5");
        assertRefused(load, "quorum queues do not have ten priorities", "driver.queue", "quorum", "driver.priorities",
                "true");
        assertRefused(load, "quorum queues keep all messages on disk", "driver.queue", "quorum", "driver.delivery",
                "transient");
        assertRefused(load, "write amqp://user@host:5672/vhost", "driver.address", "tcp://127.0.0.1:1");
    }

    @Test
    void shouldSayThatThePasswordIsWrong() {
        TestLoad load = load("stranger", "driver.address", server.address().replace("guest", "stranger"),
                "connect.within", "3s");

        assertThatThrownBy(() -> load.run("PublicQueueProducer")).hasMessageContaining("no client could connect to ")
                .hasMessageContaining("ACCESS_REFUSED");
    }

    private TestLoad load(String prefix, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of("driver", "amqp", "driver.address", server.address(),
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

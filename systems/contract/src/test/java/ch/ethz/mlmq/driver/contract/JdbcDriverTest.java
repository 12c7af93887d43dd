package ch.ethz.mlmq.driver.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the driver on a table in PostgreSQL. */
class JdbcDriverTest extends DriverContract {
    private static PostgresqlServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = PostgresqlServer.started();
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
        return List.of("batch", "none", "transacted");
    }

    @Override
    protected Map<String, String> driver() {
        return Map.of("", "jdbc");
    }

    @Override
    protected List<String> topicFilters() {
        return super.topicFilters().stream().filter(filter -> !filter.equals("range")).toList();
    }

    @Test
    void shouldRefuseTopicsThatTheTablesDoNotHave() {
        assertThatThrownBy(() -> new TestLoad(folder, settings("bounds", "topic.filter", "range")).run("Publisher"))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("has no bounds");
        assertThatThrownBy(() -> new TestLoad(folder, settings("pgmq_topics", "driver.table", "pgmq"))
                .run("Publisher")).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("pgmq has no topics");
    }

    @Test
    void shouldTakeByPriorityWhereThatIsAskedFor() {
        TestLoad load = new TestLoad(folder, settings("by_priority", "driver.priorities", "true"));
        load.run("Fill", "requests", "10", "priority", "1");
        load.run("Fill", "requests", "10", "priority", "9");
        load.run("Bob", "requests", "20");

        assertThat(load.messages("received")).hasSize(20);
        assertThat(load.messages("received").subList(0, 10))
                .containsExactlyElementsOf(load.messages("sent").subList(10, 20));
    }

    @Test
    void shouldReleaseLockedRowsWithTheNextReceive() throws Exception {
        try (TestClient client = client(0)) {
            int queue = client.queue(QUEUE);
            client.send(queue, 1);
            Message first = awaited(client, queue);

            Message again = client.receive(queue, LEASE_MILLIS);

            assertThat(again.content()).isEqualTo(first.content());
            assertThat(client.acknowledge(first)).isEqualTo(Status.UNKNOWN_LEASE);
            assertThat(client.acknowledge(again)).isEqualTo(Status.OK);
        }
    }

    /** A client that was killed cannot end its subscriptions. */
    @Test
    void shouldStartASubscriptionEmptyThatIsNotDurable() throws Exception {
        try (TestClient killed = client(0); TestClient next = client(0)) {
            int topic = ((Response.TopicFound) killed.ask(new TopicRequest.LookupTopic("topic1"))).topic();
            TopicRequest.Subscribe subscribe = new TopicRequest.Subscribe(topic, "killed", "id = '0'", false);
            killed.ask(subscribe);
            killed.publish(topic);

            int queue = ((Response.QueueFound) next.ask(subscribe)).queue();
            assertThat(next.receive(queue, LEASE_MILLIS)).isNull();
            next.publish(topic);
            assertThat(next.ask(subscribe)).as("again by the same client").isInstanceOf(Response.QueueFound.class);
            assertThat(next.acknowledge(awaited(next, queue))).isEqualTo(Status.OK);
        }
    }

    @Test
    void shouldTakeMessagesOfPgmqInEachOfItsWays() {
        for (String way : new String[] {"archive", "delete", "pop"}) {
            TestLoad load = new TestLoad(folder.resolve(way), settings("pgmq_" + way, "driver.table", "pgmq",
                    "driver.pgmq.take", way));
            load.run("Fill", "requests", "30");
            RunSummary taken = load.run("Rick", "requests", "31");
            // The clients share the requests, so the first one must leave some to the second.
            RunSummary paired = load.run("PairedClient", "clients", "2", "requests", "200", "think.time", "20ms",
                    "duration", "60s");

            assertThat(taken.ledger().received()).isEqualTo(30);
            assertThat(TestLoad.errors(taken)).isEmpty();
            assertThat(paired.ledger().received()).isPositive();
            assertThat(TestLoad.errors(paired)).isEmpty();
            assertThat(paired.toJson().toString()).contains("\"driver\":\"jdbc\"", "\"client_threads\":2");
        }
    }

    @Test
    void shouldRefuseSettingsThatDoNothing() {
        TestLoad load = new TestLoad(folder, settings("refused"));

        assertRefused(load, "has no effect with client.driver=jdbc", "driver.queue", "quorum");
        assertRefused(load, "pgmq has no priorities", "driver.table", "pgmq", "driver.priorities", "true");
        for (String way : List.of("each", "batch", "none", "transacted")) {
            assertRefused(load, "client.driver.pgmq.take=pop acknowledges nothing", "driver.table", "pgmq",
                    "driver.pgmq.take", "pop", "driver.acknowledge", way);
        }
        assertRefused(load, "client.driver.pgmq.take=pop takes one message at a time", "driver.table", "pgmq",
                "driver.pgmq.take", "pop", "batch.take", "2");
        assertThatThrownBy(() -> load.jvm("Worker#127.0.0.1", 0, "driver.table", "pgmq", "driver.pgmq.take", "pop"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("pop leaves no message to acknowledge, as Worker does");
        assertRefused(load, "must be 1..40 lower-case letters", "driver.prefix", "a; DROP TABLE b");
        assertRefused(load, "other jars have amqp and jms", "driver", "kafka");
        assertRefused(load, "mlmq-driver-amqp.jar ch.ethz.mlmq.cli.Main", "driver", "amqp");
    }

    private static Map<String, String> settings(String prefix, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of("driver", "jdbc", "driver.address", server.address(),
                "driver.prefix", prefix, "clients", "1", "queues", "1", "timeout", "20s"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    private static void assertRefused(TestLoad load, String message, String... settings) {
        assertThatThrownBy(() -> load.jvm("Bob#127.0.0.1", 0, settings)).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(message);
    }
}

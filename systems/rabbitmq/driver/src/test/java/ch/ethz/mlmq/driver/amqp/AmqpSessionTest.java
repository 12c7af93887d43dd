package ch.ethz.mlmq.driver.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.link.Numbering;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AmqpSessionTest {
    private static final int QUEUE = 1;
    private static RabbitServer server;

    private Connection connection;
    private Connection other;

    @BeforeAll
    static void startServer() throws Exception {
        server = RabbitServer.started();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void connect() throws Exception {
        connection = connected();
        other = connected();
    }

    @AfterEach
    void disconnect() {
        connection.abort();
        other.abort();
    }

    /** The thread that writes requests may have chosen the connection before its end was reported. */
    @Test
    void shouldEndATakeThatComesWhenTheEndOfTheConnectionHasBeenReported() throws Exception {
        AmqpSession session = session(Runnable::run);
        assertThat(outcome(session, new Request.CreateQueue("queue1"))).isEqualTo(Status.OK);
        CompletableFuture<Status> before = submitted(session, take());
        assertThat(before).isNotDone();

        connection.close();
        session.endAll();

        assertThat(before).isCompletedWithValue(Status.CONNECTION_LOST);
        assertThat(outcome(session, take())).isEqualTo(Status.CONNECTION_LOST);
    }

    @Test
    void shouldEndTheConnectionIfAQueueThatItConsumesIsDeleted() throws Exception {
        AmqpSession session = session(ForkJoinPool.commonPool());
        assertThat(outcome(session, new Request.CreateQueue("queue1"))).isEqualTo(Status.OK);
        CompletableFuture<Status> taken = submitted(session, take());
        other.createChannel().basicPublish("", "consumed.queue1", null, new byte[0]);
        assertThat(taken.get(10, TimeUnit.SECONDS)).isEqualTo(Status.OK);

        deleteAndAwaitTheEnd("consumed.queue1");
    }

    @Test
    void shouldEndTheConnectionIfTheQueueOfASubscriptionIsDeleted() throws Exception {
        AmqpSession session = session(ForkJoinPool.commonPool());
        assertThat(outcome(session, new TopicRequest.LookupTopic("topic1"))).isEqualTo(Status.OK);
        assertThat(outcome(session, new TopicRequest.Subscribe(1, "one", "", true))).isEqualTo(Status.OK);

        deleteAndAwaitTheEnd("consumed.topic1.one");
    }

    private void deleteAndAwaitTheEnd(String queue) throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        connection.addShutdownListener(cause -> ended.countDown());
        other.createChannel().queueDelete(queue);

        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private static Connection connected() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(server.port());
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }

    private AmqpSession session(Executor helpers) throws IOException {
        Settings settings = Settings.of(ClientJvm.keys(), Map.of("common.scenario.mytype", "client",
                "client.queues", "1", "client.driver", "amqp", "client.driver.address", server.address(),
                "client.driver.prefix", "consumed", "client.driver.take", "consume", "client.topic.filter", "none"));
        Numbering numbering = new Numbering(settings);
        return new AmqpSession(new AmqpLinks.Opened(connection, connection::abort),
                new QueueNames("consumed", numbering), numbering, settings, helpers, 1);
    }

    private static Request take() {
        return new Request.DequeueMessage(MessageQuery.queue(QUEUE));
    }

    private static Status outcome(AmqpSession session, Request request)
            throws InterruptedException, ExecutionException, TimeoutException {
        return submitted(session, request).get(5, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Status> submitted(AmqpSession session, Request request) {
        CompletableFuture<Status> outcome = new CompletableFuture<>();
        Status refused = session.submit(request, (tag, status, response, sent, end) -> outcome.complete(status));
        if (refused != Status.OK) {
            outcome.complete(refused);
        }
        return outcome;
    }
}

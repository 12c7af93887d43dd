package ch.ethz.mlmq.driver.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.link.Numbering;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class AmqpSessionTest {
    private static final int QUEUE = 1;

    /** The thread that writes requests may have chosen the connection before its end was reported. */
    @Test
    void shouldEndATakeThatComesWhenTheEndOfTheConnectionHasBeenReported() throws Exception {
        try (RabbitServer server = RabbitServer.started()) {
            Settings settings = Settings.of(ClientJvm.keys(), Map.of("common.scenario.mytype", "client",
                    "client.queues", "1", "client.driver", "amqp", "client.driver.address", server.address(),
                    "client.driver.take", "consume"));
            Numbering numbering = new Numbering(settings);
            ConnectionFactory factory = new ConnectionFactory();
            factory.setPort(server.port());
            Connection connection = factory.newConnection();
            AmqpSession session = new AmqpSession(new AmqpLinks.Opened(connection, connection::abort),
                    new QueueNames("late", numbering), numbering, settings, Runnable::run, 1);
            assertThat(outcome(session, new Request.CreateQueue("queue1"))).isEqualTo(Status.OK);
            CompletableFuture<Status> before = submitted(session, take());
            assertThat(before).isNotDone();

            connection.close();
            session.endAll();

            assertThat(before).isCompletedWithValue(Status.CONNECTION_LOST);
            assertThat(outcome(session, take())).isEqualTo(Status.CONNECTION_LOST);
        }
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

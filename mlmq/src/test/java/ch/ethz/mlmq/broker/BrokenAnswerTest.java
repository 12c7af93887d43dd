package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An answer that cannot be given. */
class BrokenAnswerTest {
    @Test
    @SuppressWarnings("try")
    void shouldEndItsConnectionAndKeepNobodyElseFromHisAnswers() throws Exception {
        try (Broker broker = TestBroker.start(Map.of("broker.storage", "memory", "broker.io.threads", "1"));
                Client other = TestBroker.client(broker.port(), "other");
                Client victim = TestBroker.client(broker.port(), "victim")) {
            IoAgent agent = broker.ioAgents().get(0);
            CompletableFuture<ClientConnection> found = new CompletableFuture<>();
            agent.run(() -> found.complete(agent.connections().stream()
                    .filter(connection -> "victim".equals(connection.name())).findFirst().orElseThrow()));
            ClientConnection connection = found.get(30, TimeUnit.SECONDS);
            Exchange broken = new Exchange(connection, 99, new Request.Echo(new byte[0]), 1, false, 0, 0);
            broken.answer(new Response.Echoed(null));

            agent.respond(List.of(broken));

            TestBroker.until("it is closed", () -> !connection.isOpen());
            assertThat(other.echo(new byte[] {7})).containsExactly(7);
        }
    }

    @Test
    void shouldGoToWhoeverPutsBackWhereNobodyGivesItAnyMore() throws Exception {
        List<Exchange> tooLate = new ArrayList<>();
        ResponseQueue queue = new ResponseQueue(null, 10, 1_000, tooLate::add);
        Exchange exchange = new Exchange(new ClientConnection(null, null, 8_192, false), 1,
                new Request.Echo(new byte[0]), 1, false, 0, 0);
        exchange.answer(new Response.Delivery(new Message(1, 2, 3, 0, 5, 0, 0, 1, 0, new byte[0])));
        queue.offer(List.of(exchange));
        queue.close();
        List<Exchange> given = new ArrayList<>();
        queue.drainTo(given);
        assertThat(given).containsExactly(exchange);

        queue.offer(List.of(exchange));

        assertThat(tooLate).containsExactly(exchange);
        assertThat(queue.size()).isZero();
    }
}

package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.io.IoAgent;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Stages;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests a response that cannot be written. */
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
                    .filter(connection -> "victim".equals(connection.session().name())).findFirst().orElseThrow()));
            ClientConnection connection = found.get(30, TimeUnit.SECONDS);
            Exchange broken = new Exchange(connection, 99, new Request.Echo(new byte[0]), Exchange.Size.of(1),
                    new Stages(false, 0, 0));
            broken.answer(new Response.Echoed(null));

            agent.respond(List.of(broken));

            TestBroker.until("it is closed", () -> !connection.link().isOpen());
            assertThat(other.echo(new byte[] {7})).containsExactly(7);
        }
    }
}

package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations that a broker of an earlier version does not have. */
class OldBrokerTest {
    private StubBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new StubBroker(StubBroker::answerAll);
    }

    @AfterEach
    void stop() throws Exception {
        broker.close();
    }

    @Test
    void shouldSayThatTheBrokerIsTooOldForQueueLengths() {
        broker.grant(Features.ALL & ~Features.QUEUE_LENGTHS & ~Features.KEEP_ALIVE);
        try (Client client = Client.connect(broker.address())) {
            assertThatThrownBy(() -> client.queueLength(3)).isInstanceOf(MlmqException.InvalidRequest.class)
                    .hasMessageContaining("too old for queueLength").hasMessageContaining("queue lengths");
            assertThat(broker.received()).isEmpty();
        }
    }

    @Test
    void shouldSayThatTheBrokerIsTooOldToTellQueuesWithMessagesToTheClient() {
        broker.grant(Features.ALL & ~Features.ADDRESSED & ~Features.KEEP_ALIVE);
        try (Client client = Client.connect(broker.address())) {
            assertThatThrownBy(() -> client.queuesWithMessagesToMe(3))
                    .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("feature addressed");
            assertThat(broker.received()).isEmpty();
        }
    }

    @Test
    void shouldSayThatTheBrokerIsTooOldForADelay() {
        broker.grant(Features.ALL & ~Features.TIMES & ~Features.KEEP_ALIVE);
        try (Client client = Client.connect(broker.address())) {
            SendOptions delayed = SendOptions.none().withDelay(10);
            assertThatThrownBy(() -> client.sendMessage(new int[] {1}, new byte[1], 5, delayed))
                    .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("feature times");
            assertThatThrownBy(() -> client.publish(1, new byte[1], 5, delayed))
                    .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("feature times");
        }
    }

    @Test
    void shouldSayThatTheBrokerIsTooOldForClientsWithoutAName() {
        broker.grant(Features.ALL & ~Features.TEMPORARY_CLIENTS & ~Features.KEEP_ALIVE);
        try (Client client = Client.connect(broker.address())) {
            assertThatThrownBy(client::register).isInstanceOf(MlmqException.InvalidRequest.class)
                    .hasMessageContaining("too old").hasMessageContaining("temporary clients");
            assertThatThrownBy(() -> client.register("")).isInstanceOf(MlmqException.InvalidRequest.class)
                    .hasMessageContaining("1..50 characters");
            assertThat(broker.received()).isEmpty();
        }
    }

    @Test
    @Timeout(60)
    void shouldRegisterAgainWithoutANameAfterALostConnection() throws Exception {
        broker.grant(Features.TEMPORARY_CLIENTS | Features.SESSION_TOKEN);
        broker.follow((peer, id, request) -> peer.answer(id, new Response.Registered(1, 2, 77)));
        try (Client client = Client.connect(broker.address())) {
            client.register();
            broker.peers().get(0).channel().close();
            while (broker.received().size() < 2) {
                TimeUnit.MILLISECONDS.sleep(10);
            }

            assertThat(broker.received()).containsExactly(new Request.Register(""), new Request.Register("", 77));
        }
    }

    @Test
    void shouldAskANewBrokerForQueueLengths() {
        broker.grant(Features.QUEUE_LENGTHS);
        broker.follow((peer, id, request) -> peer.answer(id, new Response.QueueLength(2, 1)));
        try (Client client = Client.connect(broker.address())) {
            assertThat(client.queueLength(3)).isEqualTo(new Response.QueueLength(2, 1));
        }
    }
}

package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that no response is longer than its client accepts, whatever the limits of the messages' senders. */
class LongAnswersTest {
    private static final int LARGE = 300_000;
    private static final int MESSAGES = 20;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.content.max", "1048576"));

    @OnEveryStorage
    void shouldFillAFrameOfTheClientWhereThatOfTheBrokerIsLonger(StorageKind storage) throws Exception {
        Client client = BROKERS.clientAt(BROKERS.start(storage, Map.of("broker.frame.max", "33554432")));
        client.register(BROKERS.name("client"));
        int queue = BROKERS.queue(client);
        fill(client, queue);

        assertThat(client.dequeueMessages(MessageQuery.queue(queue), MESSAGES)).hasSizeBetween(10, 13);
        assertThat(takeAll(client, queue)).hasSizeBetween(7, 10);
    }

    @OnEveryStorage
    void shouldLeaseNoMoreThanFitsIntoAFrame(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        fill(client, queue);

        List<Message> received = client.receiveMessages(MessageQuery.queue(queue), MESSAGES, 60_000);

        assertThat(received).hasSizeBetween(10, 13);
        assertThat(takeAll(client, queue)).hasSize(MESSAGES - received.size());
    }

    @Test
    void shouldLimitAResponseByTheStoredMessages() throws Exception {
        Client sender = BROKERS.registered(StorageKind.POSTGRESQL);
        int queue = BROKERS.queue(sender);
        fill(sender, queue);
        sender.sendMessage(queue, new byte[] {7}, 1);
        Client client = BROKERS.clientAt(BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.content.max", "2000")));
        client.register(BROKERS.name("client"));

        assertThat(takeAll(client, queue)).hasSize(MESSAGES + 1)
                .isSortedAccordingTo(Comparator.comparingLong(Message::id));
    }

    @Test
    void shouldLeaveAMessageWhereItIsThatIsTooLongForAClient() throws Exception {
        Client sender = BROKERS.registered(StorageKind.POSTGRESQL);
        int queue = BROKERS.queue(sender);
        sender.sendMessage(queue, new byte[LARGE], 5);
        String lowered = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.content.max", "2000"));
        try (RawClient client = new RawClient(lowered)) {
            client.ask(new Request.Hello(1, 0, "raw", 20_000));
            client.register(BROKERS.name("raw"));
            for (Request request : List.of(new Request.PeekMessage(MessageQuery.queue(queue)),
                    new Request.DequeueMessage(MessageQuery.queue(queue)))) {
                assertThat(client.ask(request)).isInstanceOfSatisfying(Response.Failure.class,
                        failure -> assertThat(failure.status()).isEqualTo(Status.CONTENT_TOO_LONG));
            }
        }
        assertThat(sender.dequeueMessage(MessageQuery.queue(queue).waiting(20_000))).map(Message::deliveries)
                .hasValue(1);
    }

    @Test
    void shouldRefuseAClientWhoseFramesHoldNoMessage() throws Exception {
        assertThatThrownBy(() -> Client.connect(ClientConfig.builder().maxPayloadBytes(65_536)
                .brokers(BrokerAddress.parseList(BROKERS.address(StorageKind.MEMORY))).build()))
                .isInstanceOf(MlmqException.NotConnected.class)
                .hasMessageContaining("maxPayloadBytes").hasMessageContaining("1056768");
        try (RawClient client = new RawClient(BROKERS.address(StorageKind.MEMORY))) {
            assertThat(client.ask(new Request.Hello(1, 0, "small", 65_536)))
                    .isInstanceOfSatisfying(Response.Failure.class, failure -> {
                        assertThat(failure.status()).isEqualTo(Status.INVALID_REQUEST);
                        assertThat(failure.text()).contains("1056768");
                    });
        }
    }

    private static void fill(Client client, int queue) {
        for (int i = 0; i < MESSAGES; i++) {
            client.sendMessage(queue, new byte[LARGE], 5);
        }
    }

    private static List<Message> takeAll(Client client, int queue) {
        List<Message> all = new ArrayList<>();
        List<Message> some = client.dequeueMessages(MessageQuery.queue(queue), 1_000);
        while (!some.isEmpty()) {
            all.addAll(some);
            some = client.dequeueMessages(MessageQuery.queue(queue), 1_000);
        }
        return all;
    }
}

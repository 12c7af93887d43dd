package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What docs/protocol.md says of cancel and received. */
class CancelTest {
    private static final byte[] CONTENT = {7};

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldAnswerAQueryThatWaitsWithoutAMessage(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        try (RawClient client = connect(storage, BROKERS.name("raw"))) {
            int waiting = client.send(new Request.DequeueMessage(MessageQuery.queue(queue).waiting(60_000)));
            BROKERS.until("it waits", () -> BROKERS.gauge(BROKERS.address(storage), "waiting") == 1);

            int cancel = client.send(new Request.Cancel(waiting));

            List<Integer> answered = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Response answer = client.read();
                assertThat(answer).isEqualTo(client.correlationId() == cancel ? Response.Done.INSTANCE
                        : Response.Delivery.NONE);
                answered.add(client.correlationId());
            }
            assertThat(answered).containsExactlyInAnyOrder(waiting, cancel);
        }
    }

    @OnEveryStorage
    void shouldPutBackWhatWasSentAndNotConfirmedAndCountThatDelivery(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        sender.sendMessage(queue, CONTENT, 5);
        sender.sendMessage(queue, new byte[] {8}, 5);
        try (RawClient client = connect(storage, BROKERS.name("raw"))) {
            Message message = ((Response.Delivery) client.ask(new Request.DequeueMessage(MessageQuery.queue(queue))))
                    .message();

            assertThat(client.ask(new Request.Cancel(client.correlationId()))).isEqualTo(Response.Done.INSTANCE);

            BROKERS.until("it is back at its place", () -> sender.peekMessage(MessageQuery.queue(queue)).orElseThrow()
                    .id() == message.id());
            Message again = await(sender, MessageQuery.queue(queue));
            assertThat(again.sentMillis()).isEqualTo(message.sentMillis());
            assertThat(again.deliveries()).isEqualTo(2);
        }
    }

    @OnEveryStorage
    void shouldPutBackNothingThatWasConfirmedNorAnythingTwice(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        for (int i = 0; i < 3; i++) {
            sender.sendMessage(queue, CONTENT, 5);
        }
        try (RawClient client = connect(storage, BROKERS.name("raw"))) {
            MessageQuery query = MessageQuery.queue(queue);
            client.ask(new Request.DequeueMessage(query));
            int first = client.correlationId();
            client.ask(new Request.DequeueMessages(query, 1));
            int second = client.correlationId();
            client.ask(new Request.DequeueMessage(query));
            int third = client.correlationId();

            client.send(new Request.Received(), second);
            for (int request : new int[] {first, second, third, third, 4_711}) {
                assertThat(client.ask(new Request.Cancel(request))).isEqualTo(Response.Done.INSTANCE);
            }

            await(sender, query);
            client.ask(new Request.Goodbye());
            assertThat(sender.dequeueMessage(query.waiting(300))).isEmpty();
        }
    }

    @OnEveryStorage
    void shouldMakeALeasedMessageVisibleAgain(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        sender.sendMessage(queue, CONTENT, 5);
        try (RawClient client = connect(storage, BROKERS.name("raw"))) {
            client.ask(new Request.ReceiveMessage(MessageQuery.queue(queue), 60_000));

            client.ask(new Request.Cancel(client.correlationId()));

            assertThat(await(sender, MessageQuery.queue(queue)).deliveries()).isEqualTo(2);
        }
    }

    @OnEveryStorage
    @SuppressWarnings("try")
    void shouldPutBackWhatALostConnectionWasSentInVainOnceItsClientIsBack(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        sender.sendMessage(queue, CONTENT, 5);
        String name = BROKERS.name("raw");
        try (RawClient lost = new RawClient(BROKERS.address(storage))) {
            lost.hello(Features.ALL);
            Response.Registered registered = lost.register(name);
            lost.ask(new Request.DequeueMessage(MessageQuery.queue(queue)));
            int unanswered = lost.correlationId();
            lost.close();

            try (RawClient back = new RawClient(BROKERS.address(storage))) {
                back.hello(Features.ALL);
                assertThat(back.ask(new Request.Register(name, registered.token())))
                        .isInstanceOf(Response.Registered.class);
                assertThat(sender.dequeueMessage(MessageQuery.queue(queue))).isEmpty();

                assertThat(back.ask(new Request.Cancel(unanswered))).isEqualTo(Response.Done.INSTANCE);

                assertThat(await(sender, MessageQuery.queue(queue)).deliveries()).isEqualTo(2);
            }
        }
    }

    @Test
    void shouldKnowNeitherFrameWhereTheFeatureWasNotAgreedOn() throws Exception {
        for (Request request : List.of(new Request.Cancel(1), new Request.Received())) {
            try (RawClient client = new RawClient(BROKERS.address(StorageKind.MEMORY))) {
                client.hello(Features.ALL & ~Features.CANCEL);
                client.send(request);

                assertThat(client.read()).isInstanceOfSatisfying(Response.Failure.class,
                        failure -> assertThat(failure.status()).isEqualTo(Status.PROTOCOL_ERROR));
            }
        }
    }

    private static RawClient connect(StorageKind storage, String name) throws Exception {
        RawClient client = new RawClient(BROKERS.address(storage));
        client.hello(Features.ALL);
        client.register(name);
        return client;
    }

    private static Message await(Client client, MessageQuery query) {
        Optional<Message> message = client.dequeueMessage(query.waiting(20_000));
        return message.orElseThrow();
    }
}

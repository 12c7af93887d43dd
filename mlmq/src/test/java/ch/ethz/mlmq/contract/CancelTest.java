package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests cancel and received as docs/reference/protocol.md describes them. */
@SuppressWarnings("try")
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
    void shouldRequeueAndCountUnconfirmedDeliveries(StorageKind storage) throws Exception {
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
            for (int request : new int[] {first, second, third, third}) {
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
    void shouldMakeManyLeasedMessagesVisibleAgain(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        for (int i = 0; i < 3; i++) {
            sender.sendMessage(queue, CONTENT, 5);
        }
        try (RawClient client = connect(storage, BROKERS.name("raw"))) {
            client.ask(new Request.ReceiveMessages(MessageQuery.queue(queue), 10, 60_000));
            assertThat(sender.peekMessage(MessageQuery.queue(queue))).isEmpty();

            client.ask(new Request.Cancel(client.correlationId()));

            for (int i = 0; i < 3; i++) {
                assertThat(await(sender, MessageQuery.queue(queue)).deliveries()).isEqualTo(2);
            }
        }
    }

    @OnEveryStorage
    void shouldAnswerABulkReceiveThatWaitsWithoutAMessage(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        MessageQuery query = MessageQuery.queue(BROKERS.queue(sender)).waiting(60_000);
        try (RawClient client = connect(storage, BROKERS.name("raw"))) {
            int waiting = client.send(new Request.ReceiveMessages(query, 10, 60_000));
            BROKERS.until("it waits", () -> BROKERS.gauge(BROKERS.address(storage), "waiting") == 1);

            int cancel = client.send(new Request.Cancel(waiting));

            for (int i = 0; i < 2; i++) {
                Response answer = client.read();
                assertThat(answer).isEqualTo(client.correlationId() == cancel ? Response.Done.INSTANCE
                        : new Response.Deliveries(List.of()));
            }
        }
    }

    @OnEveryStorage
    void shouldRequeueDeliveriesOfALostConnectionWhenItsClientReconnects(StorageKind storage) throws Exception {
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

    /** The client loses its connection, comes back, takes another message, and loses that connection as well. */
    @OnEveryStorage
    void shouldPutBackWhatTwoLostConnectionsWereSentInVain(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        sender.sendMessage(queue, CONTENT, 5);
        sender.sendMessage(queue, CONTENT, 5);
        String name = BROKERS.name("raw");
        try (RawClient first = new RawClient(BROKERS.address(storage));
                RawClient second = new RawClient(BROKERS.address(storage));
                RawClient third = new RawClient(BROKERS.address(storage))) {
            first.hello(Features.ALL);
            long token = first.register(name).token();
            first.send(new Request.DequeueMessage(MessageQuery.queue(queue)), 71);
            first.read();
            first.close();
            second.hello(Features.ALL);
            second.ask(new Request.Register(name, token));
            second.send(new Request.DequeueMessage(MessageQuery.queue(queue)), 72);
            second.read();
            second.close();
            third.hello(Features.ALL);
            third.ask(new Request.Register(name, token));

            boolean known = third.ask(new Request.Cancel(71)) == Response.Done.INSTANCE
                    & third.ask(new Request.Cancel(72)) == Response.Done.INSTANCE;

            int back = 0;
            while (back < 2 && sender.dequeueMessage(MessageQuery.queue(queue).waiting(5_000)).isPresent()) {
                back++;
            }
            assertThat(back).as("messages that are back").isEqualTo(2);
            assertThat(known).isTrue();
        }
    }

    /** The broker detects the end of the first connection last. */
    @OnEveryStorage
    void shouldRequeueDeliveriesOfAConnectionThatClosesAfterTheNextOne(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        sender.sendMessage(queue, CONTENT, 5);
        sender.sendMessage(queue, CONTENT, 5);
        String name = BROKERS.name("raw");
        try (RawClient first = new RawClient(BROKERS.address(storage));
                RawClient second = new RawClient(BROKERS.address(storage));
                RawClient third = new RawClient(BROKERS.address(storage))) {
            first.hello(Features.ALL);
            long token = first.register(name).token();
            first.send(new Request.DequeueMessage(MessageQuery.queue(queue)), 71);
            first.read();
            second.hello(Features.ALL);
            second.ask(new Request.Register(name, token));
            second.send(new Request.DequeueMessage(MessageQuery.queue(queue)), 72);
            second.read();
            second.close();
            third.hello(Features.ALL);
            third.ask(new Request.Register(name, token));
            first.close();

            assertThat(third.ask(new Request.Cancel(71))).isEqualTo(Response.Done.INSTANCE);
            assertThat(third.ask(new Request.Cancel(72))).isEqualTo(Response.Done.INSTANCE);

            await(sender, MessageQuery.queue(queue));
            await(sender, MessageQuery.queue(queue));
        }
    }

    @Test
    void shouldSayThatItDoesNotKnowARequestThatNobodyHasSent() throws Exception {
        try (RawClient client = connect(StorageKind.MEMORY, BROKERS.name("raw"))) {
            assertThat(client.ask(new Request.Cancel(4_711))).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.BROKER_ERROR));
        }
    }

    /** A broker forgets deliveries when there are too many: it must not report that it has requeued them. */
    @Test
    void shouldSayThatItHasForgottenWhatALostConnectionWasSent() throws Exception {
        String broker = BROKERS.start(StorageKind.MEMORY, Map.of("broker.memory.max", "9000000",
                "broker.content.max", "60000"));
        Client sender = BROKERS.clientAt(broker);
        sender.register(BROKERS.name("sender"));
        int queue = BROKERS.queue(sender);
        for (int i = 0; i < 110; i++) {
            sender.sendMessage(queue, new byte[50_000], 5);
        }
        String name = BROKERS.name("raw");
        try (RawClient first = new RawClient(broker); RawClient second = new RawClient(broker)) {
            first.hello(Features.ALL);
            long token = first.register(name).token();
            for (int i = 0; i < 110; i++) {
                first.send(new Request.DequeueMessage(MessageQuery.queue(queue)), 100 + i);
                assertThat(((Response.Delivery) first.read()).message()).isNotNull();
            }
            first.close();
            second.hello(Features.ALL);
            second.ask(new Request.Register(name, token));
            Response answer = second.ask(new Request.Cancel(209));

            assertThat(sender.dequeueMessage(MessageQuery.queue(queue).waiting(5_000)).isPresent()
                    || answer != Response.Done.INSTANCE).as("it is back, or the answer " + answer + " says it is not")
                    .isTrue();
        }
    }

    @Test
    void shouldKnowNoFrameWhoseFeatureWasNotAgreedOn() throws Exception {
        List<Lease> leases = List.of(new Lease(1, 2));
        for (Request request : List.of(new Request.Cancel(1), new Request.Received(),
                new Request.ReceiveMessages(MessageQuery.any(), 1, 1), new Request.AcknowledgeMessages(leases),
                new Request.ExtendLeases(leases, 1), new Request.ReleaseMessages(leases))) {
            try (RawClient client = new RawClient(BROKERS.address(StorageKind.MEMORY))) {
                client.hello(Features.ALL & ~Features.CANCEL & ~Features.BULK_LEASES);
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

package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;

class MessageContractTest {
    private static final byte[] CONTENT = {1, 2, 3};

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldDeliverAMessageAsItWasSent(StorageKind storage) {
        Client alice = BROKERS.client(storage);
        Response.Registered sender = alice.register(BROKERS.name("alice"));
        Client bob = BROKERS.client(storage);
        Response.Registered receiver = bob.register(BROKERS.name("bob"));
        int queue = BROKERS.queue(alice);
        long before = System.currentTimeMillis();

        alice.sendMessage(new int[] {queue}, CONTENT, 7,
                SendOptions.none().withReceiver(receiver.client()).withContext(99));

        Message message = bob.dequeueMessage(MessageQuery.queue(queue)).orElseThrow();
        assertThat(message.id()).isPositive();
        assertThat(message.queue()).isEqualTo(queue);
        assertThat(message.sender()).isEqualTo(sender.client());
        assertThat(message.receiver()).isEqualTo(receiver.client());
        assertThat(message.priority()).isEqualTo(7);
        assertThat(message.context()).isEqualTo(99);
        assertThat(message.sentMillis()).isBetween(before - 5_000, System.currentTimeMillis() + 5_000);
        assertThat(message.deliveries()).isEqualTo(1);
        assertThat(message.leaseToken()).isZero();
        assertThat(message.content()).isEqualTo(CONTENT);
        assertThat(bob.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
    }

    @OnEveryStorage
    void shouldGiveTheHighestPriorityFirstAndTheOldestWithinIt(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, "a", 1);
        send(client, queue, "b", 10);
        send(client, queue, "c", 5);
        send(client, queue, "d", 10);
        send(client, queue, "e", 5);

        assertThat(drain(client, MessageQuery.queue(queue))).containsExactly("b", "d", "c", "e", "a");
    }

    @OnEveryStorage
    void shouldGiveTheOldestFirstWhereAskedTo(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, "a", 1);
        send(client, queue, "b", 10);
        send(client, queue, "c", 5);

        assertThat(drain(client, MessageQuery.queue(queue).oldestFirst())).containsExactly("a", "b", "c");
    }

    @OnEveryStorage
    void shouldOrderOverSeveralQueuesToo(StorageKind storage) {
        Client client = BROKERS.client(storage);
        int me = client.register(BROKERS.name("alice")).client();
        int one = BROKERS.queue(client);
        int other = BROKERS.queue(client);
        SendOptions toMe = SendOptions.none().withReceiver(me);
        client.sendMessage(new int[] {one}, "a".getBytes(), 3, toMe);
        client.sendMessage(new int[] {other}, "b".getBytes(), 9, toMe);
        client.sendMessage(new int[] {one}, "c".getBytes(), 9, toMe);
        client.sendMessageToClient(me, "d".getBytes(), 10);

        assertThat(drain(client, MessageQuery.any().addressedToMe())).containsExactly("d", "b", "c", "a");
    }

    @OnEveryStorage
    void shouldSendToManyQueuesAtOnce(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int[] queues = IntStream.range(0, 5).map(i -> BROKERS.queue(client)).toArray();

        client.sendMessage(queues, CONTENT, 5, SendOptions.none());

        for (int queue : queues) {
            assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10)).hasSize(1);
        }
    }

    @OnEveryStorage
    void shouldSendToAllQueuesOrToNone(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int there = BROKERS.queue(client);

        int[] queues = {there, Integer.MAX_VALUE};
        assertThatThrownBy(() -> client.sendMessage(queues, CONTENT, 5, SendOptions.none()))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);

        assertThat(client.dequeueMessage(MessageQuery.queue(there))).isEmpty();
    }

    @OnEveryStorage
    void shouldSendToAsManyQueuesAsAreAllowedAndNotToOneMore(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        int[] queues = new int[1_000];
        queues[0] = queue;
        for (int i = 1; i < queues.length; i++) {
            queues[i] = Integer.MAX_VALUE - i;
        }

        assertThatThrownBy(() -> client.sendMessage(queues, CONTENT, 5, SendOptions.none()))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.sendMessage(new int[1_001], CONTENT, 5, SendOptions.none()))
                .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("1..1000, not 1001");
    }

    @OnEveryStorage
    void shouldGiveAMessageWithAReceiverToHimAlone(StorageKind storage) {
        Client bob = BROKERS.client(storage);
        int receiver = bob.register(BROKERS.name("bob")).client();
        Client alice = BROKERS.registered(storage);
        int queue = BROKERS.queue(alice);
        alice.sendMessage(new int[] {queue}, CONTENT, 10, SendOptions.none().withReceiver(receiver));
        send(alice, queue, "for anybody", 1);

        assertThat(drain(alice, MessageQuery.queue(queue))).containsExactly("for anybody");
        assertThat(bob.dequeueMessage(MessageQuery.queue(queue).addressedToMe())).isPresent();
    }

    @OnEveryStorage
    void shouldRefuseAReceiverThatDoesNotExist(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);

        assertThatThrownBy(() -> client.sendMessage(new int[] {queue}, CONTENT, 5,
                SendOptions.none().withReceiver(Integer.MAX_VALUE)))
                .isInstanceOf(MlmqException.ClientDoesNotExist.class);
        assertThatThrownBy(() -> client.sendMessageToClient(Integer.MAX_VALUE, CONTENT, 5))
                .isInstanceOf(MlmqException.ClientDoesNotExist.class);
        assertThatThrownBy(() -> client.sendRequestToClient(Integer.MAX_VALUE, CONTENT, 5))
                .isInstanceOf(MlmqException.ClientDoesNotExist.class);
        assertThatThrownBy(() -> client.sendResponseToClient(Integer.MAX_VALUE, 1, CONTENT, 5))
                .isInstanceOf(MlmqException.ClientDoesNotExist.class);
    }

    @OnEveryStorage
    void shouldSelectBySenderAndContext(StorageKind storage) {
        Client alice = BROKERS.client(storage);
        int aliceId = alice.register(BROKERS.name("alice")).client();
        Client bob = BROKERS.registered(storage);
        int queue = BROKERS.queue(alice);
        bob.sendMessage(new int[] {queue}, "bob 1".getBytes(), 9, SendOptions.none().withContext(1));
        alice.sendMessage(new int[] {queue}, "alice 1".getBytes(), 5, SendOptions.none().withContext(1));
        alice.sendMessage(new int[] {queue}, "alice 2".getBytes(), 5, SendOptions.none().withContext(2));

        MessageQuery inQueue = MessageQuery.queue(queue);
        assertThat(text(bob.peekMessage(inQueue.from(aliceId)))).isEqualTo("alice 1");
        assertThat(text(bob.peekMessage(inQueue.withContext(1)))).isEqualTo("bob 1");
        assertThat(text(bob.dequeueMessage(inQueue.from(aliceId).withContext(2)))).isEqualTo("alice 2");
        assertThat(bob.dequeueMessage(inQueue.from(aliceId).withContext(2))).isEmpty();
        assertThat(bob.dequeueMessage(inQueue.addressedToMe())).isEmpty();
    }

    @OnEveryStorage
    void shouldLeaveAMessageWhereItIsWhenPeekedAt(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, "a", 5);

        Message peeked = client.peekMessage(MessageQuery.queue(queue)).orElseThrow();

        assertThat(peeked.deliveries()).isZero();
        assertThat(peeked.text()).isEqualTo("a");
        assertThat(client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow().id()).isEqualTo(peeked.id());
        assertThat(client.peekMessage(MessageQuery.queue(queue))).isEmpty();
    }

    @OnEveryStorage
    void shouldTellOfLongQueuesWithoutCountingThem(StorageKind storage) throws Exception {
        Client alice = BROKERS.client(storage);
        int own = alice.register(BROKERS.name("alice")).ownQueue();
        alice.sendMessages(Collections.nCopies(1_000, new OutgoingMessage(own, CONTENT, 5)));
        assertThat(alice.queuesWithPendingMessages(0).inOwnQueue()).isEqualTo(1_000);
        alice.sendMessages(Collections.nCopies(700, new OutgoingMessage(own, CONTENT, 5)));

        BROKERS.until("the counters have been told", () -> alice.queuesWithPendingMessages(0).inOwnQueue() == 1_700);
    }

    @OnEveryStorage
    void shouldTellWhatIsPendingForAClientOrForAnybody(StorageKind storage) {
        Client alice = BROKERS.client(storage);
        Response.Registered registered = alice.register(BROKERS.name("alice"));
        Client bob = BROKERS.registered(storage);
        int forAlice = BROKERS.queue(bob);
        int forAnybody = BROKERS.queue(bob);
        int empty = BROKERS.queue(bob);
        bob.sendMessage(new int[] {forAlice}, CONTENT, 5, SendOptions.none().withReceiver(registered.client()));
        bob.sendMessage(forAnybody, CONTENT, 5);
        bob.sendMessageToClient(registered.client(), CONTENT, 5);
        bob.sendMessageToClient(registered.client(), CONTENT, 5);

        Response.PendingQueues pending = alice.queuesWithPendingMessages(1_000);
        assertThat(pending.inOwnQueue()).isEqualTo(2);
        assertThat(pending.queues()).contains(forAlice, forAnybody).doesNotContain(empty, registered.ownQueue());
        assertThat(bob.queuesWithPendingMessages(1_000).queues()).contains(forAnybody).doesNotContain(forAlice);
        assertThat(bob.queuesWithPendingMessages(1_000).inOwnQueue()).isZero();
        assertThat(alice.queuesWithMessagesToMe(1_000).queues()).containsExactly(forAlice);
        assertThat(alice.queuesWithMessagesToMe(1_000).inOwnQueue()).isEqualTo(2);
        assertThat(bob.queuesWithMessagesToMe(1_000).queues()).isEmpty();
        assertThat(alice.queuesWithPendingMessages(1).queues()).hasSize(1);
        assertThat(alice.queuesWithPendingMessages(0).queues()).isEmpty();
        assertThatThrownBy(() -> alice.queuesWithPendingMessages(1_001))
                .isInstanceOf(MlmqException.InvalidRequest.class);
    }

    @OnEveryStorage
    void shouldTransferInBulk(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int one = BROKERS.queue(client);
        int other = BROKERS.queue(client);
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            messages.add(new OutgoingMessage(i % 2 == 0 ? one : other, Integer.toString(i).getBytes(), 1 + i % 10));
        }

        client.sendMessages(messages);

        assertThat(client.dequeueMessages(MessageQuery.queue(one).oldestFirst(), 3)).extracting(Message::text)
                .containsExactly("0", "2", "4");
        List<Message> rest = client.dequeueMessages(MessageQuery.queue(one), 1_000);
        assertThat(rest).hasSize(497).extracting(Message::priority).isSortedAccordingTo((a, b) -> b - a);
        assertThat(client.dequeueMessages(MessageQuery.queue(one), 1_000)).isEmpty();
        assertThat(client.dequeueMessages(MessageQuery.queue(other), 1_000)).hasSize(500);
    }

    @OnEveryStorage
    void shouldStoreAllOfABulkOrNothing(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            messages.add(new OutgoingMessage(queue, CONTENT, 5));
        }
        messages.add(new OutgoingMessage(Integer.MAX_VALUE, CONTENT, 5));

        assertThatThrownBy(() -> client.sendMessages(messages)).isInstanceOf(MlmqException.QueueDoesNotExist.class);

        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
        assertThatThrownBy(() -> client.sendMessages(List.of())).isInstanceOf(MlmqException.InvalidRequest.class);
        assertThatThrownBy(() -> client.dequeueMessages(MessageQuery.queue(queue), 1_001))
                .isInstanceOf(MlmqException.InvalidRequest.class);
    }

    @OnEveryStorage
    void shouldKeepContentsOfAnyBytesUpToTheLimitAndNotOneMore(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        byte[] longest = new byte[2_000];
        for (int i = 0; i < longest.length; i++) {
            longest[i] = (byte) i;
        }

        client.sendMessage(queue, longest, 5);
        client.sendMessage(queue, new byte[0], 5);

        assertThat(client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow().content()).isEqualTo(longest);
        assertThat(client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow().content()).isEmpty();
        assertThatThrownBy(() -> client.sendMessage(queue, new byte[2_001], 5))
                .isInstanceOf(MlmqException.ContentTooLong.class).hasMessageContaining("at most 2000");
        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
    }

    @OnEveryStorage
    void shouldRefuseAPriorityOutsideItsLimits(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);

        for (int priority : new int[] {0, 11, -1, 261}) {
            assertThatThrownBy(() -> client.sendMessage(queue, CONTENT, priority))
                    .isInstanceOf(MlmqException.InvalidRequest.class)
                    .hasMessageContaining("within 1..10, not " + priority);
        }
        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
    }

    @OnEveryStorage
    void shouldSendTheBytesOfAnEchoBack(StorageKind storage) {
        assertThat(BROKERS.client(storage).echo(CONTENT)).isEqualTo(CONTENT);
    }

    private static void send(Client client, int queue, String text, int priority) {
        client.sendMessage(queue, text.getBytes(), priority);
    }

    private static List<String> drain(Client client, MessageQuery query) {
        List<String> texts = new ArrayList<>();
        Optional<Message> next = client.dequeueMessage(query);
        while (next.isPresent()) {
            texts.add(next.get().text());
            next = client.dequeueMessage(query);
        }
        return texts;
    }

    private static String text(Optional<Message> message) {
        return message.orElseThrow().text();
    }
}

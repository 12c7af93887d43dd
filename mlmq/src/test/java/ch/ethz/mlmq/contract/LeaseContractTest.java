package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeaseContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LONG = 600_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.deliveries.max", "3", "broker.wait.poll", "20ms"));

    @OnEveryStorage
    void shouldHideAMessageFromOthersUntilItIsAcknowledged(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = queueWithOneMessage(client);

        Message message = client.receiveMessage(MessageQuery.queue(queue), LONG).orElseThrow();

        assertThat(message.deliveries()).isEqualTo(1);
        assertThat(message.leaseToken()).isNotZero();
        assertThat(message.content()).isEqualTo(CONTENT);
        assertThat(client.receiveMessage(MessageQuery.queue(queue), LONG)).isEmpty();
        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
        assertThat(client.peekMessage(MessageQuery.queue(queue))).isEmpty();
        client.acknowledge(message);
        client.deleteQueue(queue, true);
    }

    @OnEveryStorage
    void shouldNotAcknowledgeTwice(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        Message message = client.receiveMessage(MessageQuery.queue(queueWithOneMessage(client)), LONG).orElseThrow();
        client.acknowledge(message);

        assertThatThrownBy(() -> client.acknowledge(message)).isInstanceOf(MlmqException.UnknownLease.class);
        assertThatThrownBy(() -> client.extend(message, LONG)).isInstanceOf(MlmqException.UnknownLease.class);
        assertThatThrownBy(() -> client.release(message)).isInstanceOf(MlmqException.UnknownLease.class);
    }

    @OnEveryStorage
    void shouldDeliverAgainWhenTheLeaseRanOut(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        MessageQuery query = MessageQuery.queue(queueWithOneMessage(client));

        Message first = client.receiveMessage(query, 50).orElseThrow();
        Message second = client.receiveMessage(query.waiting(20_000), LONG).orElseThrow();

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.deliveries()).isEqualTo(2);
        assertThat(second.leaseToken()).isNotEqualTo(first.leaseToken());
        assertThatThrownBy(() -> client.acknowledge(first)).isInstanceOf(MlmqException.UnknownLease.class);
        client.acknowledge(second);
    }

    @OnEveryStorage
    void shouldNotTakeATokenOfAnotherMessage(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        Message one = client.receiveMessage(MessageQuery.queue(queueWithOneMessage(client)), LONG).orElseThrow();
        Message other = client.receiveMessage(MessageQuery.queue(queueWithOneMessage(client)), LONG).orElseThrow();

        assertThatThrownBy(() -> client.acknowledge(one.id(), other.leaseToken() + 1))
                .isInstanceOf(MlmqException.UnknownLease.class);
        assertThatThrownBy(() -> client.acknowledge(Long.MAX_VALUE, one.leaseToken()))
                .isInstanceOf(MlmqException.UnknownLease.class);

        client.acknowledge(one);
        client.acknowledge(other);
    }

    @OnEveryStorage
    void shouldMakeAReleasedMessageVisibleAtOnce(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        MessageQuery query = MessageQuery.queue(queueWithOneMessage(client));
        Message message = client.receiveMessage(query, LONG).orElseThrow();

        client.release(message);

        assertThat(client.dequeueMessage(query).orElseThrow().id()).isEqualTo(message.id());
        assertThatThrownBy(() -> client.acknowledge(message)).isInstanceOf(MlmqException.UnknownLease.class);
    }

    @OnEveryStorage
    void shouldHideAMessageLongerWhenTheLeaseIsExtended(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        MessageQuery query = MessageQuery.queue(queueWithOneMessage(client));
        Message message = client.receiveMessage(query, 2_000).orElseThrow();

        client.extend(message, LONG);

        assertThat(client.receiveMessage(query.waiting(3_000), LONG)).isEmpty();
        client.acknowledge(message);
    }

    @OnEveryStorage
    void shouldLetALeaseBeShortenedByAnExtension(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        MessageQuery query = MessageQuery.queue(queueWithOneMessage(client));
        Message message = client.receiveMessage(query, LONG).orElseThrow();

        client.extend(message, 1);

        assertThat(client.receiveMessage(query.waiting(20_000), LONG)).isPresent();
    }

    @OnEveryStorage
    void shouldPutAMessageThatNobodyAcknowledgesIntoTheDeadLetterQueue(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("jobs");
        int queue = client.createQueue(name);
        client.sendMessage(queue, CONTENT, 8);
        MessageQuery query = MessageQuery.queue(queue);
        for (int delivery = 1; delivery <= 3; delivery++) {
            Message message = client.receiveMessage(query.waiting(20_000), LONG).orElseThrow();
            assertThat(message.deliveries()).isEqualTo(delivery);
            client.release(message);
        }

        assertThat(client.receiveMessage(query.waiting(200), LONG)).isEmpty();

        Message dead = client.dequeueMessage(MessageQuery.queue(client.lookupQueue(name + ".dead"))).orElseThrow();
        assertThat(dead.content()).isEqualTo(CONTENT);
        assertThat(dead.priority()).isEqualTo(8);
    }

    @OnEveryStorage
    void shouldPutCopiesOfAClientsSubscriptionIntoTheClientsOwnDeadLetters(StorageKind storage) {
        Client client = BROKERS.client(storage);
        String name = BROKERS.name("reader");
        client.register(name);
        int topic = client.createTopic(BROKERS.name("topic"));
        int queue = client.subscribe(topic, "mine", "", false);
        client.publish(topic, CONTENT, 8, SendOptions.none());
        for (int delivery = 1; delivery <= 3; delivery++) {
            client.release(client.receiveMessage(MessageQuery.queue(queue).waiting(20_000), LONG).orElseThrow());
        }

        int dead = client.lookupClientQueue(name + ".dead");
        assertThat(client.dequeueMessage(MessageQuery.queue(dead)).orElseThrow().content()).isEqualTo(CONTENT);
    }

    @OnEveryStorage
    void shouldPutAMessageIntoTheDeadLetterQueueWhenItsLastLeaseRanOut(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("jobs");
        int queue = client.createQueue(name);
        client.sendMessage(queue, CONTENT, 5);
        for (int delivery = 1; delivery <= 3; delivery++) {
            client.receiveMessage(MessageQuery.queue(queue).waiting(20_000), 20).orElseThrow();
        }

        assertThat(client.receiveMessage(MessageQuery.queue(queue).waiting(500), LONG)).isEmpty();
        assertThat(client.receiveMessage(MessageQuery.queue(client.lookupQueue(name + ".dead")), LONG)).isPresent();
    }

    @OnEveryStorage
    void shouldFindTheDeadLetterQueueOfTheLongestName(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = (BROKERS.name("jobs") + "x".repeat(50)).substring(0, 50);
        int queue = client.createQueue(name);
        client.sendMessage(queue, CONTENT, 5);
        for (int delivery = 1; delivery <= 3; delivery++) {
            client.release(client.receiveMessage(MessageQuery.queue(queue), LONG).orElseThrow());
        }

        assertThat(client.dequeueMessage(MessageQuery.queue(client.lookupQueue(name + ".dead")))).isPresent();
        assertThatThrownBy(() -> client.lookupQueue(name + "x.dead")).isInstanceOf(MlmqException.InvalidRequest.class);
        assertThatThrownBy(() -> client.createQueue(name + ".dead")).isInstanceOf(MlmqException.InvalidRequest.class);
    }

    @OnEveryStorage
    void shouldLeaseInTheOrderOfTheQuery(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        client.sendMessages(List.of(new OutgoingMessage(queue, new byte[] {1}, 1),
                new OutgoingMessage(queue, new byte[] {2}, 9), new OutgoingMessage(queue, new byte[] {3}, 5)));
        MessageQuery query = MessageQuery.queue(queue);

        assertThat(client.receiveMessage(query, LONG).orElseThrow().content()).containsExactly(2);
        assertThat(client.receiveMessage(query.oldestFirst(), LONG).orElseThrow().content()).containsExactly(1);
        assertThat(client.receiveMessage(query, LONG).orElseThrow().content()).containsExactly(3);
    }

    @OnEveryStorage
    void shouldHandOutEachMessageOnceToTakesAndLeasesThatComeTogether(StorageKind storage) throws Exception {
        int count = 300;
        AsyncClient client = BROKERS.asyncRegistered(storage);
        int queue = BROKERS.queue(BROKERS.registered(storage));
        client.sendMessages(IntStream.range(0, count)
                .mapToObj(i -> new OutgoingMessage(queue, CONTENT, 1 + i % 10)).toList()).get();
        MessageQuery query = MessageQuery.queue(queue);

        List<CompletableFuture<Optional<Message>>> takes = IntStream.range(0, count).mapToObj(i -> i % 3 == 0
                ? client.dequeueMessage(query) : client.receiveMessage(query, LONG + i % 2)).toList();
        List<Message> taken = new ArrayList<>();
        for (CompletableFuture<Optional<Message>> take : takes) {
            taken.add(take.get().orElseThrow());
        }

        assertThat(taken.stream().map(Message::id)).doesNotHaveDuplicates().hasSize(count);
        List<Message> leased = taken.stream().filter(message -> message.leaseToken() != 0).toList();
        assertThat(leased).hasSize(count - count / 3);
        assertThat(leased.stream().map(Message::leaseToken)).doesNotHaveDuplicates();
        List<CompletableFuture<Void>> acknowledged = leased.stream()
                .map(message -> client.acknowledge(message.id(), message.leaseToken())).toList();
        for (CompletableFuture<Void> one : acknowledged) {
            one.get();
        }
        client.deleteQueue(queue, true).get();
    }

    @OnEveryStorage
    void shouldLeaseFromAQueueThatGetsAMessageForAReceiver(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int bob = BROKERS.client(storage).register(BROKERS.name("bob")).client();
        int queue = queueWithOneMessage(client);
        assertThat(client.receiveMessage(MessageQuery.queue(queue), LONG)).isPresent();
        client.sendMessage(queue, CONTENT, 5);

        client.sendMessages(List.of(new OutgoingMessage(queue, bob, 5, 0, "", CONTENT)));

        assertThat(client.receiveMessage(MessageQuery.queue(queue), LONG)).isPresent();
        assertThat(client.receiveMessage(MessageQuery.queue(queue), LONG)).isEmpty();
    }

    @OnEveryStorage
    void shouldAcknowledgeOnceWhatIsAcknowledgedTwiceAtATime(StorageKind storage) throws Exception {
        AsyncClient client = BROKERS.asyncRegistered(storage);
        Message message = client.receiveMessage(
                MessageQuery.queue(queueWithOneMessage(BROKERS.registered(storage))), LONG).get().orElseThrow();

        CompletableFuture<Void> foreign = client.acknowledge(message.id(), message.leaseToken() + 1);
        CompletableFuture<Void> first = client.acknowledge(message.id(), message.leaseToken());
        CompletableFuture<Void> second = client.acknowledge(message.id(), message.leaseToken());

        first.get();
        for (CompletableFuture<Void> refused : List.of(foreign, second)) {
            assertThatThrownBy(refused::get).hasCauseInstanceOf(MlmqException.UnknownLease.class);
        }
    }

    @OnEveryStorage
    void shouldRefuseALeaseOutsideItsLimits(StorageKind storage) {
        Client client = BROKERS.registered(storage);

        for (int lease : new int[] {0, -1, 43_200_001}) {
            assertThatThrownBy(() -> client.receiveMessage(MessageQuery.any(), lease))
                    .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("1..43200000");
        }
    }

    private static int queueWithOneMessage(Client client) {
        int queue = BROKERS.queue(client);
        client.sendMessage(queue, CONTENT, 5);
        return queue;
    }
}

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;

class WaitContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LONG = 60_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.workers", "1", "broker.db.connections", "1"));

    /** The slow poll is off: only an event ends a wait here. */
    @RegisterExtension
    static final Brokers UNPOLLED = new Brokers(Map.of("broker.wait.poll", "60s"));

    @OnEveryStorage
    void shouldAnswerAWaitingQueryAsSoonAsAMessageIsThere(StorageKind storage) throws Exception {
        Client sender = UNPOLLED.registered(storage);
        int queue = UNPOLLED.queue(sender);
        AsyncClient consumer = UNPOLLED.asyncRegistered(storage);
        long start = System.nanoTime();
        CompletableFuture<Optional<Message>> waiting =
                consumer.dequeueMessage(MessageQuery.queue(queue).waiting(LONG));
        UNPOLLED.roundTrip(consumer);
        assertThat(waiting).isNotDone();

        sender.sendMessage(queue, CONTENT, 5);

        assertThat(waiting.get(30, TimeUnit.SECONDS).orElseThrow().content()).isEqualTo(CONTENT);
        assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MILLISECONDS.toNanos(LONG));
    }

    @OnEveryStorage
    void shouldAnswerWithNothingWhenTheWaitIsOver(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);

        long start = System.nanoTime();
        assertThat(client.dequeueMessage(MessageQuery.queue(queue).waiting(300))).isEmpty();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(client.dequeueMessages(MessageQuery.queue(queue).waiting(10), 10)).isEmpty();
        assertThat(client.receiveMessage(MessageQuery.queue(queue).waiting(10), 1_000)).isEmpty();
        assertThat(client.receiveMessages(MessageQuery.queue(queue).waiting(10), 10, 1_000)).isEmpty();
    }

    @OnEveryStorage
    void shouldHoldUpNobodyWhileManyWait(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        List<CompletableFuture<Optional<Message>>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(BROKERS.asyncRegistered(storage).dequeueMessage(MessageQuery.queue(queue).waiting(LONG)));
        }

        int other = BROKERS.queue(sender);
        sender.sendMessage(other, CONTENT, 5);
        assertThat(sender.dequeueMessage(MessageQuery.queue(other))).isPresent();

        for (int i = 0; i < 50; i++) {
            sender.sendMessage(queue, new byte[] {(byte) i}, 5);
        }
        List<Integer> received = new ArrayList<>();
        for (CompletableFuture<Optional<Message>> one : waiting) {
            received.add((int) one.get(30, TimeUnit.SECONDS).orElseThrow().content()[0]);
        }
        assertThat(received).doesNotHaveDuplicates().hasSize(50);
    }

    @OnEveryStorage
    void shouldGiveEachThatWaitsItsTurn(StorageKind storage) throws Exception {
        Client sender = UNPOLLED.registered(storage);
        int queue = UNPOLLED.queue(sender);
        List<AsyncClient> clients = new ArrayList<>();
        List<CompletableFuture<Optional<Message>>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            clients.add(UNPOLLED.asyncRegistered(storage));
            waiting.add(clients.get(i).dequeueMessage(MessageQuery.queue(queue).waiting(LONG)));
        }
        int[] messages = new int[5];
        for (int i = 0; i < 50; i++) {
            UNPOLLED.until("all wait", () -> UNPOLLED.gauge(UNPOLLED.address(storage), "waiting") == 5);
            sender.sendMessage(queue, CONTENT, 5);
            CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
            for (int client = 0; client < 5; client++) {
                if (waiting.get(client).isDone()) {
                    messages[client]++;
                    waiting.set(client, clients.get(client).dequeueMessage(MessageQuery.queue(queue).waiting(LONG)));
                }
            }
        }
        assertThat(messages).doesNotContain(0);
    }

    @OnEveryStorage
    void shouldLetOtherRequestsOfTheSameConnectionPassAWaitingOne(StorageKind storage) throws Exception {
        AsyncClient client = UNPOLLED.asyncRegistered(storage);
        int queue = client.createQueue(UNPOLLED.name("jobs")).get();
        CompletableFuture<Optional<Message>> waiting = client.dequeueMessage(MessageQuery.queue(queue).waiting(LONG));

        client.sendMessage(queue, CONTENT, 5).get(30, TimeUnit.SECONDS);

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isPresent();
    }

    @OnEveryStorage
    void shouldWakeTheOneWhoMayHaveTheMessage(StorageKind storage) throws Exception {
        Client sender = UNPOLLED.registered(storage);
        int queue = UNPOLLED.queue(sender);
        MessageQuery query = MessageQuery.queue(queue).waiting(LONG);
        AsyncClient carol = UNPOLLED.asyncRegistered(storage);
        AsyncClient bob = UNPOLLED.async(storage);
        int bobId = bob.register(UNPOLLED.name("bob")).get().client();
        CompletableFuture<Optional<Message>> first = carol.dequeueMessage(query.from(bobId));
        awaitWaiting(storage, 1);
        CompletableFuture<Optional<Message>> second = carol.dequeueMessage(query);
        awaitWaiting(storage, 2);
        CompletableFuture<Optional<Message>> bobs = bob.dequeueMessage(query);
        awaitWaiting(storage, 3);

        sender.sendMessage(new int[] {queue}, CONTENT, 5, SendOptions.none().withReceiver(bobId));

        assertThat(bobs.get(30, TimeUnit.SECONDS)).isPresent();
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        sender.sendMessage(queue, CONTENT, 5);
        assertThat(second.get(30, TimeUnit.SECONDS)).isPresent();
        assertThat(first).isNotDone();
    }

    private static void awaitWaiting(StorageKind storage, int requests) throws Exception {
        UNPOLLED.until(requests + " wait", () -> UNPOLLED.gauge(UNPOLLED.address(storage), "waiting") == requests);
    }

    @OnEveryStorage
    void shouldWaitForAResponseByItsContext(StorageKind storage) throws Exception {
        Client bob = UNPOLLED.client(storage);
        int bobId = bob.register(UNPOLLED.name("bob")).client();
        AsyncClient alice = UNPOLLED.async(storage);
        int aliceId = alice.register(UNPOLLED.name("alice")).get().client();
        long first = alice.sendRequestToClient(bobId, "1".getBytes(), 5).get();
        long second = alice.sendRequestToClient(bobId, "2".getBytes(), 5).get();
        assertThat(second).isNotEqualTo(first);
        CompletableFuture<Optional<Message>> toFirst = alice.dequeueMessage(MessageQuery.response(first).waiting(LONG));
        CompletableFuture<Optional<Message>> toSecond =
                alice.dequeueMessage(MessageQuery.response(second).waiting(LONG));

        Message request = bob.dequeueMessage(MessageQuery.any().withContext(second)).orElseThrow();
        assertThat(request.text()).isEqualTo("2");
        assertThat(request.sender()).isEqualTo(aliceId);
        bob.sendResponseToClient(request.sender(), request.context(), "to 2".getBytes(), 5);

        assertThat(toSecond.get(30, TimeUnit.SECONDS).orElseThrow().text()).isEqualTo("to 2");
        assertThat(toFirst).isNotDone();
        bob.sendResponseToClient(aliceId, first, "to 1".getBytes(), 5);
        assertThat(toFirst.get(30, TimeUnit.SECONDS).orElseThrow().text()).isEqualTo("to 1");
    }

    @OnEveryStorage
    void shouldLoseNothingWhenAWaitingClientDisconnects(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        for (int round = 0; round < 20; round++) {
            int queue = BROKERS.queue(sender);
            List<AsyncClient> gone = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                AsyncClient waiter = BROKERS.asyncRegistered(storage);
                waiter.receiveMessage(MessageQuery.queue(queue).waiting(LONG), 100);
                gone.add(waiter);
            }
            gone.forEach(BROKERS::roundTrip);
            gone.forEach(BROKERS::disconnect);

            sender.sendMessage(queue, CONTENT, 5);

            assertThat(sender.dequeueMessage(MessageQuery.queue(queue).waiting(20_000))).isPresent();
        }
    }

    @OnEveryStorage
    void shouldNotGiveAMessageToAClientThatLeftBeforeItCame(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        AsyncClient waiter = BROKERS.asyncRegistered(storage);
        waiter.dequeueMessage(MessageQuery.queue(queue).waiting(LONG));
        BROKERS.roundTrip(waiter);

        waiter.close().get(30, TimeUnit.SECONDS);
        sender.sendMessage(queue, CONTENT, 5);

        assertThat(sender.dequeueMessage(MessageQuery.queue(queue))).isPresent();
    }

    @OnEveryStorage
    void shouldLetNobodyTakeAllTheRoomForThoseWhoWait(StorageKind storage) throws Exception {
        String address = BROKERS.start(storage, Map.of("broker.requestqueue.size", "100"));
        AsyncClient greedy = BROKERS.asyncAt(address);
        int queue = greedy.register(BROKERS.name("greedy")).get().ownQueue();
        List<CompletableFuture<Optional<Message>>> waiting = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            waiting.add(greedy.dequeueMessage(MessageQuery.queue(queue).waiting(LONG)));
            BROKERS.roundTrip(greedy);
        }
        BROKERS.until("it has all that it gets", () -> waiting.stream().anyMatch(CompletableFuture::isDone)
                && BROKERS.gauge(address, "waiting") < 60);
        waiting.stream().filter(CompletableFuture::isDone).forEach(refused -> assertThatThrownBy(refused::get)
                .hasCauseInstanceOf(MlmqException.Overloaded.class));

        AsyncClient victim = BROKERS.asyncAt(address);
        int own = victim.register(BROKERS.name("victim")).get().ownQueue();
        CompletableFuture<Optional<Message>> patient = victim.dequeueMessage(MessageQuery.queue(own).waiting(LONG));
        BROKERS.until("it waits", () -> BROKERS.gauge(address, "waiting") == 52);
        assertThat(patient).isNotDone();
    }

    @OnEveryStorage
    void shouldEndTheWaitForAQueueThatIsDeleted(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        AsyncClient waiter = BROKERS.asyncRegistered(storage);
        CompletableFuture<?> waiting = waiter.dequeueMessage(MessageQuery.queue(queue).waiting(3_000))
                .handle((message, e) -> e == null ? message.isEmpty() : e instanceof MlmqException.QueueDoesNotExist);
        BROKERS.roundTrip(waiter);

        client.deleteQueue(queue, false);

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(true);
    }

    @OnEveryStorage
    void shouldRefuseAWaitOutsideItsLimits(StorageKind storage) {
        Client client = BROKERS.registered(storage);

        for (int wait : new int[] {-1, 60_001}) {
            assertThatThrownBy(() -> client.dequeueMessage(MessageQuery.any().waiting(wait)))
                    .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("0..60000");
        }
        assertThatThrownBy(() -> client.peekMessage(MessageQuery.any().waiting(1)))
                .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("peek");
    }
}

package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.KeyRegistry;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A message goes to the caller or back into its queue: each row of the table in docs/reference/client.md. */
@SuppressWarnings("try")
class HandOverTest {
    private static final int LONG = 60_000;
    private static final byte[] CONTENT = {7};

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldTakeNoMessageForACallThatWasInterrupted(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        Client receiver = BROKERS.registered(storage);
        AtomicReference<Exception> end = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                receiver.dequeueMessage(MessageQuery.queue(queue).waiting(LONG));
            } catch (CancellationException e) {
                end.set(e);
            }
        });
        caller.start();
        awaitWaiting(storage, 1);

        caller.interrupt();
        caller.join();
        assertThat(end.get()).isInstanceOf(CancellationException.class);
        awaitWaiting(storage, 0);

        sender.sendMessage(queue, CONTENT, 5);
        assertThat(sender.dequeueMessage(MessageQuery.queue(queue))).map(Message::deliveries).hasValue(1);
        assertThat(receiver.echo(CONTENT)).isEqualTo(CONTENT);
    }

    @OnEveryStorage
    void shouldTakeNoMessageForAFutureThatWasCancelledOrTimedOut(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        MessageQuery query = MessageQuery.queue(queue).waiting(LONG);
        AsyncClient receiver = BROKERS.asyncRegistered(storage);
        List<CompletableFuture<?>> futures = List.of(receiver.dequeueMessage(query),
                receiver.dequeueMessages(query, 10), receiver.receiveMessage(query, LONG),
                receiver.receiveMessages(query, 10, LONG));
        CompletableFuture<?> limited = receiver.dequeueMessage(query).orTimeout(1, TimeUnit.MILLISECONDS);

        futures.forEach(future -> future.cancel(true));

        assertThatThrownBy(limited::get).isInstanceOf(ExecutionException.class);
        // This request is executed behind the cancelled ones, so none of them is in flight any more.
        assertThat(receiver.dequeueMessage(MessageQuery.queue(queue)).get()).isEmpty();
        awaitWaiting(storage, 0);
        assertThat(receiver.inFlight()).isZero();
        sender.sendMessage(queue, CONTENT, 5);
        assertThat(sender.dequeueMessage(MessageQuery.queue(queue))).map(Message::deliveries).hasValue(1);
    }

    @OnEveryStorage
    void shouldHandOverOrPutBackWhateverIsCancelledWhen(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        AsyncClient receiver = BROKERS.asyncRegistered(storage);
        Random random = new Random(7);
        int sent = 0;
        List<Long> got = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            CompletableFuture<Optional<Message>> one =
                    receiver.dequeueMessage(MessageQuery.queue(queue).waiting(random.nextBoolean() ? LONG : 0));
            CompletableFuture<List<Message>> several = receiver.dequeueMessages(MessageQuery.queue(queue), 3);
            sender.sendMessage(queue, CONTENT, 5);
            sender.sendMessage(queue, CONTENT, 5);
            sent += 2;
            if (!one.cancel(true)) {
                one.get().ifPresent(message -> got.add(message.id()));
            }
            if (!several.cancel(true)) {
                several.get().forEach(message -> got.add(message.id()));
            }
        }
        awaitWaiting(storage, 0);
        int all = sent;
        BROKERS.until("all are there", () -> {
            sender.dequeueMessages(MessageQuery.queue(queue), 1_000).forEach(message -> got.add(message.id()));
            return got.size() >= all;
        });
        assertThat(got).hasSize(sent).doesNotHaveDuplicates();
        assertThat(receiver.inFlight()).isZero();
    }

    @OnEveryStorage
    void shouldTakeNoMessageForAClientThatClosesWhileItWaits(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        AsyncClient receiver = BROKERS.asyncRegistered(storage);
        CompletableFuture<?> waiting = receiver.dequeueMessage(MessageQuery.queue(queue).waiting(LONG));
        awaitWaiting(storage, 1);

        receiver.close().get(30, TimeUnit.SECONDS);

        assertThatThrownBy(waiting::get).hasCauseInstanceOf(MlmqException.ConnectionLost.class);
        sender.sendMessage(queue, CONTENT, 5);
        assertThat(sender.dequeueMessage(MessageQuery.queue(queue))).isPresent();
    }

    @OnEveryStorage
    void shouldPutBackWhatWasOnItsWayWhenTheConnectionWasLost(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        try (CuttingProxy network = new CuttingProxy(BROKERS.address(storage))) {
            AsyncClient receiver = BROKERS.asyncAt(network.address());
            receiver.register(BROKERS.name("receiver")).get();
            CompletableFuture<?> waiting = receiver.dequeueMessage(MessageQuery.queue(queue).waiting(LONG));
            awaitWaiting(storage, 1);
            network.loseAnswers();
            sender.sendMessage(queue, CONTENT, 5);
            BROKERS.until("the answer is on its way", () -> network.lostBytes() > 0);

            network.cut();

            assertThatThrownBy(waiting::get).hasCauseInstanceOf(MlmqException.ConnectionLost.class);
            assertThat(sender.dequeueMessage(MessageQuery.queue(queue).waiting(30_000))).map(Message::deliveries)
                    .hasValue(2);
        }
    }

    @OnEveryStorage
    void shouldPutBackWhatWasCancelledBeforeTheConnectionWasLost(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        try (CuttingProxy network = new CuttingProxy(BROKERS.address(storage))) {
            AsyncClient receiver = BROKERS.asyncAt(network.address());
            receiver.register(BROKERS.name("receiver")).get();
            CompletableFuture<?> waiting = receiver.dequeueMessage(MessageQuery.queue(queue).waiting(LONG));
            awaitWaiting(storage, 1);
            network.loseEverything();
            sender.sendMessage(queue, CONTENT, 5);
            BROKERS.until("the answer is on its way", () -> network.lostBytes() > 0);
            long lost = network.lostBytes();
            waiting.cancel(true);
            BROKERS.until("the cancel is on its way", () -> network.lostBytes() > lost);

            network.cut();

            assertThat(sender.dequeueMessage(MessageQuery.queue(queue).waiting(30_000))).isPresent();
        }
    }

    @OnEveryStorage
    void shouldCountNothingAsLostThatALostConnectionWaitedForInVain(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        try (CuttingProxy network = new CuttingProxy(BROKERS.address(storage))) {
            AsyncClient receiver = BROKERS.asyncAt(network.address());
            receiver.register(BROKERS.name("receiver")).get();
            CompletableFuture<?> waiting = receiver.dequeueMessage(MessageQuery.queue(queue).waiting(LONG));
            awaitWaiting(storage, 1);

            network.cut();

            assertThatThrownBy(waiting::get).hasCauseInstanceOf(MlmqException.ConnectionLost.class);
            receiver.whenConnected().get();
            receiver.echo(CONTENT).get();
            assertThat(receiver.droppedMessages()).isZero();
        }
    }

    /** The client can no longer reach the first of its two brokers, and connects to the other one. */
    @Test
    void shouldRequeueOrCountDeliveriesWhenTheClientChangesItsBroker() throws Exception {
        Client sender = BROKERS.registered(StorageKind.POSTGRESQL);
        int queue = BROKERS.queue(sender);
        String other = BROKERS.start(StorageKind.POSTGRESQL, Map.of());
        try (CuttingProxy network = new CuttingProxy(BROKERS.address(StorageKind.POSTGRESQL))) {
            AsyncClient receiver = BROKERS.asyncAt(network.address() + "," + other);
            receiver.register(BROKERS.name("receiver")).get();
            CompletableFuture<?> waiting = receiver.dequeueMessage(MessageQuery.queue(queue).waiting(LONG));
            awaitWaiting(StorageKind.POSTGRESQL, 1);
            network.loseAnswers();
            sender.sendMessage(queue, CONTENT, 5);
            BROKERS.until("the answer is on its way", () -> network.lostBytes() > 0);

            network.close();

            assertThatThrownBy(waiting::get).hasCauseInstanceOf(MlmqException.ConnectionLost.class);
            boolean back = sender.dequeueMessage(MessageQuery.queue(queue).waiting(15_000)).isPresent();
            assertThat(back || receiver.droppedMessages() > 0)
                    .as("the message is back, or is counted as lost").isTrue();
        }
    }

    @Test
    void shouldPutBackWhatComesAfterItsTimeout() throws Exception {
        Client sender = BROKERS.registered(StorageKind.POSTGRESQL);
        int queue = BROKERS.queue(sender);
        AsyncClient hasty = BROKERS.asyncAt(BROKERS.address(StorageKind.POSTGRESQL), 300);
        hasty.register(BROKERS.name("hasty")).get();
        for (int i = 0; i < 5; i++) {
            sender.sendMessage(queue, new byte[] {(byte) i}, 5);
        }
        List<CompletableFuture<?>> late = new ArrayList<>();
        try (Connection connection = BROKERS.database().address().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE message IN ACCESS EXCLUSIVE MODE");
            late.add(hasty.dequeueMessage(MessageQuery.queue(queue)));
            late.add(hasty.dequeueMessages(MessageQuery.queue(queue).from(0).oldestFirst(), 2));
            late.add(hasty.receiveMessage(MessageQuery.queue(queue), LONG));
            late.add(hasty.receiveMessages(MessageQuery.queue(queue), 10, LONG));
            for (CompletableFuture<?> future : late) {
                assertThatThrownBy(future::get).hasCauseInstanceOf(MlmqException.Timeout.class);
            }
            connection.rollback();
        }

        List<Integer> got = new ArrayList<>();
        BROKERS.until("all are there", () -> {
            sender.dequeueMessages(MessageQuery.queue(queue), 1_000)
                    .forEach(message -> got.add((int) message.content()[0]));
            return got.size() == 5;
        });
        assertThat(got).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    }

    @Test
    void shouldWaitLongerForABrokerThanThatForItsDatabaseByDefault() {
        Settings defaults = Settings.of(KeyRegistry.of(CommonKeys.ALL, BrokerKeys.ALL), Map.of());

        assertThat(ClientConfig.of("localhost:1").requestTimeoutMillis())
                .isGreaterThan((int) defaults.get(BrokerKeys.DB_TIMEOUT).toMillis());
    }

    private static void awaitWaiting(StorageKind storage, int requests) throws Exception {
        BROKERS.until(requests + " wait", () -> BROKERS.gauge(BROKERS.address(storage), "waiting") == requests);
    }
}

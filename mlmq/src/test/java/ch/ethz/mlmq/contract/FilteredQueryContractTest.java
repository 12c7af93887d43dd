package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queries with a filter. */
class FilteredQueryContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LEASE_MILLIS = 600_000;
    private static final int PATIENT_MILLIS = 20_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldFindMessagesByTheirPropertiesPriorityAndContext(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        for (int i = 0; i < 10; i++) {
            client.sendMessage(new int[] {queue}, CONTENT, 1 + i, SendOptions.none().withContext(100 + i)
                    .withProperties(MessageProperties.NONE.with("id", i)));
        }
        MessageQuery all = MessageQuery.queue(queue);

        assertThat(ids(client.peekMessage(all.matching("id < 3")))).containsExactly(2L);
        assertThat(ids(client.dequeueMessage(all.matching("id < 3")))).containsExactly(2L);
        assertThat(ids(client.dequeueMessage(all.matching("id < 3").oldestFirst()))).containsExactly(0L);
        assertThat(ids(client.dequeueMessages(all.matching("$priority BETWEEN 4 AND 6"), 2))).containsExactly(5L, 4L);
        assertThat(ids(client.receiveMessage(all.matching("$context = 108"), LEASE_MILLIS))).containsExactly(8L);
        assertThat(ids(client.receiveMessages(all.matching("id IN (1, 3, 8)"), 10, LEASE_MILLIS)))
                .containsExactly(3L, 1L);
        assertThat(ids(client.dequeueMessage(all.matching("nothing = 1")))).isEmpty();
        assertThat(ids(client.dequeueMessages(all.matching("nothing IS NULL"), 10))).containsExactly(9L, 7L, 6L);
    }

    @OnEveryStorage
    void shouldFindAMessageBehindManyOthers(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        for (int part = 0; part < 5; part++) {
            List<OutgoingMessage> messages = new ArrayList<>(IntStream.range(0, 1_000)
                    .mapToObj(i -> new OutgoingMessage(queue, CONTENT, 5)).toList());
            messages.set(999, messages.get(999).with(MessageProperties.NONE.with("id", part)));
            client.sendMessages(messages);
        }

        assertThat(ids(client.dequeueMessages(MessageQuery.queue(queue).matching("id >= 3"), 10)))
                .containsExactly(3L, 4L);
        BROKERS.until("the others are there", () -> client.queueLength(queue).ready() == 4_998);
    }

    @OnEveryStorage
    void shouldWaitForAMessageThatMatches(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        Client waiter = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        CompletableFuture<Optional<Message>> waiting = CompletableFuture.supplyAsync(() ->
                waiter.dequeueMessage(MessageQuery.queue(queue).matching("id = 2").waiting(PATIENT_MILLIS)));
        BROKERS.until("it waits", () -> client.brokerStatus().contains("\"waiting\":1"));

        for (int i = 0; i < 3; i++) {
            client.sendMessage(new int[] {queue}, CONTENT, 5,
                    SendOptions.none().withProperties(MessageProperties.NONE.with("id", i)));
        }

        assertThat(ids(waiting.get(PATIENT_MILLIS, TimeUnit.MILLISECONDS))).containsExactly(2L);
        assertThat(client.queueLength(queue).ready()).isEqualTo(2);
    }

    @OnEveryStorage
    void shouldLetOthersTakeWhatAWaitingFilterDoesNot(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        Client picky = BROKERS.registered(storage);
        Client other = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        CompletableFuture<Optional<Message>> never = CompletableFuture.supplyAsync(() ->
                picky.dequeueMessage(MessageQuery.queue(queue).matching("id = 2").waiting(PATIENT_MILLIS)));
        BROKERS.until("it waits", () -> client.brokerStatus().contains("\"waiting\":1"));
        CompletableFuture<Optional<Message>> any = CompletableFuture.supplyAsync(() ->
                other.dequeueMessage(MessageQuery.queue(queue).waiting(PATIENT_MILLIS)));
        BROKERS.until("both wait", () -> client.brokerStatus().contains("\"waiting\":2"));

        client.sendMessage(queue, CONTENT, 5);

        assertThat(any.get(PATIENT_MILLIS, TimeUnit.MILLISECONDS)).isPresent();
        assertThat(never).isNotDone();
    }

    @OnEveryStorage
    void shouldRefuseWhatIsNoFilter(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);

        assertThatThrownBy(() -> client.dequeueMessage(MessageQuery.queue(queue).matching("id =")))
                .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageStartingWith("the filter: ");
        assertThatThrownBy(() -> client.peekMessage(MessageQuery.queue(queue).matching("i".repeat(5_000))))
                .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("characters of a filter");
    }

    private static List<Long> ids(Optional<Message> message) {
        return ids(message.map(List::of).orElse(List.of()));
    }

    private static List<Long> ids(List<Message> messages) {
        return messages.stream().map(message -> (Long) message.properties().get("id")).toList();
    }
}

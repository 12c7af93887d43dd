package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many leases in one request. */
class BulkLeaseContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LONG = 600_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.deliveries.max", "3", "broker.wait.poll", "20ms"));

    @OnEveryStorage
    void shouldGiveEachMessageItsOwnToken(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        MessageQuery query = MessageQuery.queue(queueWith(client, 1_000));

        List<Message> messages = client.receiveMessages(query, 999, LONG);

        assertThat(messages).hasSize(999).allSatisfy(message -> {
            assertThat(message.deliveries()).isEqualTo(1);
            assertThat(message.leaseToken()).isPositive();
            assertThat(message.content()).isEqualTo(CONTENT);
        });
        assertThat(messages).extracting(Message::id).isSorted().doesNotHaveDuplicates();
        assertThat(messages).extracting(Message::leaseToken).doesNotHaveDuplicates();
        assertThat(client.receiveMessages(query, 1_000, LONG)).hasSize(1);
        assertThat(client.receiveMessages(query, 1_000, LONG)).isEmpty();
        assertThat(client.peekMessage(query)).isEmpty();
    }

    @OnEveryStorage
    void shouldReceiveInTheOrderOfTheQuery(StorageKind storage) {
        Client client = BROKERS.client(storage);
        int me = client.register(BROKERS.name("alice")).client();
        int queue = BROKERS.queue(client);
        SendOptions options = SendOptions.none().withReceiver(me).withContext(9);
        for (int priority : new int[] {1, 9, 5, 9}) {
            client.sendMessage(new int[] {queue}, new byte[] {(byte) priority}, priority, options);
        }
        MessageQuery query = MessageQuery.any().withContext(9).addressedToMe();

        List<Message> oldest = client.receiveMessages(query.oldestFirst(), 2, LONG);
        assertThat(oldest).extracting(Message::priority).containsExactly(1, 9);
        client.releaseMessages(leases(oldest));
        assertThat(client.receiveMessages(query, 10, LONG)).extracting(Message::priority).containsExactly(9, 9, 5, 1);
    }

    @OnEveryStorage
    void shouldAcknowledgeValidLeasesAndReportTheOthers(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = queueWith(client, 5);
        List<Message> messages = client.receiveMessages(MessageQuery.queue(queue), 5, LONG);
        client.acknowledge(messages.get(1));
        List<Lease> named = List.of(messages.get(4).lease(), messages.get(1).lease(),
                new Lease(messages.get(0).id(), messages.get(2).leaseToken()), messages.get(3).lease(),
                new Lease(Long.MAX_VALUE, 7), messages.get(3).lease(), messages.get(0).lease(), new Lease(-1, -1));

        assertThat(client.acknowledgeMessages(named)).containsExactly(Status.OK, Status.UNKNOWN_LEASE,
                Status.UNKNOWN_LEASE, Status.OK, Status.UNKNOWN_LEASE, Status.UNKNOWN_LEASE, Status.OK,
                Status.UNKNOWN_LEASE);

        assertThatThrownBy(() -> client.acknowledge(messages.get(4))).isInstanceOf(MlmqException.UnknownLease.class);
        client.acknowledge(messages.get(2));
        client.deleteQueue(queue, true);
    }

    @OnEveryStorage
    void shouldAcknowledgeTheLargestAllowedNumber(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = queueWith(client, 1_000);
        List<Lease> leases = new ArrayList<>(leases(client.receiveMessages(MessageQuery.queue(queue), 1_000, LONG)));
        Collections.reverse(leases);

        assertThat(client.acknowledgeMessages(leases)).hasSize(1_000).containsOnly(Status.OK);
        assertThat(client.acknowledgeMessages(leases)).hasSize(1_000).containsOnly(Status.UNKNOWN_LEASE);
        client.deleteQueue(queue, true);
    }

    @OnEveryStorage
    void shouldReleaseValidLeasesAndReportTheOthers(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        MessageQuery query = MessageQuery.queue(queueWith(client, 3));
        List<Message> messages = client.receiveMessages(query, 3, LONG);
        client.acknowledge(messages.get(1));

        assertThat(client.releaseMessages(List.of(messages.get(2).lease(), messages.get(1).lease(),
                messages.get(0).lease(), messages.get(2).lease()))).containsExactly(Status.OK, Status.UNKNOWN_LEASE,
                Status.OK, Status.UNKNOWN_LEASE);

        List<Message> again = client.receiveMessages(query, 3, LONG);
        assertThat(again).extracting(Message::id).containsExactly(messages.get(0).id(), messages.get(2).id());
        assertThat(again).extracting(Message::deliveries).containsOnly(2);
        assertThat(client.acknowledgeMessages(leases(messages))).containsOnly(Status.UNKNOWN_LEASE);
    }

    @OnEveryStorage
    void shouldWakeAWaitingReceiverWhenLeasesAreReleased(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        MessageQuery query = MessageQuery.queue(queueWith(client, 2));
        List<Message> messages = client.receiveMessages(query, 2, LONG);
        AsyncClient other = BROKERS.asyncRegistered(storage);
        CompletableFuture<List<Message>> waiting = other.receiveMessages(query.waiting(60_000), 10, LONG);
        BROKERS.roundTrip(other);
        assertThat(waiting).isNotDone();

        client.releaseMessages(leases(messages));

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isNotEmpty().extracting(Message::deliveries).containsOnly(2);
    }

    @OnEveryStorage
    void shouldExtendValidLeasesAndReportTheOthers(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        MessageQuery query = MessageQuery.queue(queueWith(client, 3));
        List<Message> messages = client.receiveMessages(query, 3, LONG);
        client.acknowledge(messages.get(2));

        assertThat(client.extendLeases(List.of(messages.get(0).lease(), messages.get(2).lease(),
                messages.get(0).lease()), 1)).containsExactly(Status.OK, Status.UNKNOWN_LEASE, Status.UNKNOWN_LEASE);

        List<Message> again = client.receiveMessages(query.waiting(20_000), 3, LONG);
        assertThat(again).extracting(Message::id).containsExactly(messages.get(0).id());
        assertThat(client.extendLeases(leases(messages), LONG)).containsExactly(Status.UNKNOWN_LEASE, Status.OK,
                Status.UNKNOWN_LEASE);
        assertThat(client.acknowledgeMessages(List.of(again.get(0).lease(), messages.get(1).lease())))
                .containsExactly(Status.OK, Status.OK);
    }

    @OnEveryStorage
    void shouldLetAnyClientUseLeases(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        List<Message> messages = client.receiveMessages(MessageQuery.queue(queueWith(client, 2)), 2, LONG);

        assertThat(BROKERS.registered(storage).acknowledgeMessages(leases(messages)))
                .containsExactly(Status.OK, Status.OK);
    }

    @OnEveryStorage
    void shouldMoveUnacknowledgedMessagesToTheDeadLetterQueue(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("jobs");
        int queue = client.createQueue(name);
        client.sendMessages(Collections.nCopies(2, new OutgoingMessage(queue, CONTENT, 8)));
        for (int delivery = 1; delivery <= 3; delivery++) {
            List<Message> messages = client.receiveMessages(MessageQuery.queue(queue), 10, LONG);
            assertThat(messages).extracting(Message::deliveries).containsExactly(delivery, delivery);
            assertThat(client.releaseMessages(leases(messages))).containsOnly(Status.OK);
        }

        assertThat(client.receiveMessages(MessageQuery.queue(queue), 10, LONG)).isEmpty();
        assertThat(client.receiveMessages(MessageQuery.queue(client.lookupQueue(name + ".dead")), 10, LONG)).hasSize(2);
    }

    @OnEveryStorage
    void shouldDropAMessageThatIsReleasedAfterItsQueueWasDeleted(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = queueWith(client, 2);
        int kept = queueWith(client, 1);
        List<Lease> leases = new ArrayList<>(leases(client.receiveMessages(MessageQuery.queue(queue), 2, LONG)));
        leases.addAll(leases(client.receiveMessages(MessageQuery.queue(kept), 2, LONG)));
        client.deleteQueue(queue, false);

        assertThat(client.releaseMessages(leases)).hasSize(3).endsWith(Status.OK);

        assertThat(client.receiveMessages(MessageQuery.queue(kept), 2, LONG)).hasSize(1);
        assertThatThrownBy(() -> client.receiveMessages(MessageQuery.queue(queue), 2, LONG))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
    }

    @OnEveryStorage
    void shouldRefuseCountsAndLeaseTimesOutOfRange(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = queueWith(client, 1);
        Message message = client.receiveMessages(MessageQuery.queue(queue), 1, LONG).get(0);
        List<Lease> good = List.of(message.lease());
        List<List<Lease>> bad = List.of(List.of(), Collections.nCopies(1_001, message.lease()),
                List.of(message.lease(), new Lease(0, 5)), List.of(message.lease(), new Lease(message.id(), 0)));
        List<ThrowingCallable> refused = new ArrayList<>();
        for (List<Lease> leases : bad) {
            refused.add(() -> client.acknowledgeMessages(leases));
            refused.add(() -> client.extendLeases(leases, 1));
            refused.add(() -> client.releaseMessages(leases));
        }
        for (int lease : new int[] {0, -1, 43_200_001}) {
            refused.add(() -> client.extendLeases(good, lease));
            refused.add(() -> client.receiveMessages(MessageQuery.queue(queue), 1, lease));
        }
        refused.add(() -> client.receiveMessages(MessageQuery.queue(queue), 0, LONG));
        refused.add(() -> client.receiveMessages(MessageQuery.queue(queue), 1_001, LONG));

        refused.forEach(one -> assertThatThrownBy(one).isInstanceOf(MlmqException.InvalidRequest.class)
                .hasMessageMatching(".*(1\\.\\.1000, not|1\\.\\.43200000, not|lease token is 0).*"));
        assertThat(client.acknowledgeMessages(good)).containsExactly(Status.OK);
    }

    /** Requests with the same leases in different orders lock them in one order, so they cannot block each other. */
    @Test
    void shouldLockLeasesInTheOrderOfTheirMessages() throws Exception {
        Client client = BROKERS.registered(StorageKind.POSTGRESQL);
        AsyncClient other = BROKERS.asyncRegistered(StorageKind.POSTGRESQL);
        List<Function<List<Lease>, CompletableFuture<List<Status>>>> operations = List.of(
                leases -> other.extendLeases(leases, LONG), other::releaseMessages, other::acknowledgeMessages);
        for (Function<List<Lease>, CompletableFuture<List<Status>>> operation : operations) {
            List<Lease> leases = leases(client.receiveMessages(MessageQuery.queue(queueWith(client, 3)), 3, LONG));
            CompletableFuture<List<Status>> waiting;
            try (Connection connection = begin(); Connection onlooker = begin()) {
                lock(connection, leases.get(1));

                waiting = operation.apply(List.of(leases.get(2), leases.get(0), leases.get(1)));

                BROKERS.until("it waits behind the first", () -> isLocked(onlooker, leases.get(0)));
                assertThat(isLocked(onlooker, leases.get(2))).isFalse();
            }
            assertThat(waiting.get(30, TimeUnit.SECONDS)).containsExactly(Status.OK, Status.OK, Status.OK);
        }
    }

    /** PostgreSQL ends one of two transactions that wait for each other; the broker executes its request again. */
    @Test
    void shouldRepeatARequestThatIsTheVictimOfADeadlock() throws Exception {
        Client client = BROKERS.registered(StorageKind.POSTGRESQL);
        AsyncClient other = BROKERS.asyncRegistered(StorageKind.POSTGRESQL);
        List<Function<List<Lease>, CompletableFuture<List<Status>>>> operations = List.of(
                leases -> other.extendLeases(leases, LONG), other::releaseMessages, other::acknowledgeMessages);
        for (Function<List<Lease>, CompletableFuture<List<Status>>> operation : operations) {
            // PostgreSQL may end either transaction, so the test repeats until it was the broker's.
            boolean isVictim = false;
            for (int attempt = 0; !isVictim && attempt < 20; attempt++) {
                List<Lease> leases = leases(
                        client.receiveMessages(MessageQuery.queue(queueWith(client, 2)), 2, LONG));
                CompletableFuture<List<Status>> waiting;
                try (Connection rival = begin(); Connection onlooker = begin()) {
                    lock(rival, leases.get(1));
                    waiting = operation.apply(leases);
                    BROKERS.until("it waits for the second", () -> isLocked(onlooker, leases.get(0)));

                    isVictim = isLockedWithoutDeadlock(rival, leases.get(0));
                }
                assertThat(waiting.get(30, TimeUnit.SECONDS)).containsExactly(Status.OK, Status.OK);
            }
            assertThat(isVictim).isTrue();
        }
    }

    private static boolean isLockedWithoutDeadlock(Connection connection, Lease lease) throws SQLException {
        try {
            lock(connection, lease);
            return true;
        } catch (SQLException e) {
            if (SqlStates.isDeadlock(e)) {
                return false;
            }
            throw e;
        }
    }

    /** A request that waits for a lock acts on the values that the lease has after the wait. */
    @Test
    void shouldAcknowledgeALeaseThatIsExtendedAtTheSameTime() throws Exception {
        Client client = BROKERS.registered(StorageKind.POSTGRESQL);
        AsyncClient other = BROKERS.asyncRegistered(StorageKind.POSTGRESQL);
        int queue = queueWith(client, 4);
        List<Lease> leases = leases(client.receiveMessages(MessageQuery.queue(queue), 4, LONG));
        CompletableFuture<List<Status>> waiting;
        try (Connection connection = begin()) {
            execute(connection, "UPDATE lease SET until = until + interval '1 h' WHERE message_id = ?", leases.get(1));
            execute(connection, "UPDATE lease SET token = token - 1 WHERE message_id = ?", leases.get(2));
            waiting = other.acknowledgeMessages(leases);
            try (Connection onlooker = begin()) {
                BROKERS.until("it waits", () -> isLocked(onlooker, leases.get(0)));
            }
            connection.commit();
        }

        assertThat(waiting.get(30, TimeUnit.SECONDS))
                .containsExactly(Status.OK, Status.OK, Status.UNKNOWN_LEASE, Status.OK);
        client.acknowledge(leases.get(2).message(), leases.get(2).token() - 1);
        client.deleteQueue(queue, true);
    }

    /** Several clients acknowledge the same leases while others extend them: one of them succeeds for each lease. */
    @OnEveryStorage
    void shouldAcknowledgeEachLeaseOnceWhenClientsCompete(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        List<Lease> leases = leases(client.receiveMessages(MessageQuery.queue(queueWith(client, 300)), 300, LONG));
        List<CompletableFuture<List<Status>>> asked = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            List<Lease> shuffled = new ArrayList<>(leases);
            Collections.rotate(shuffled, 50 * i);
            AsyncClient rival = BROKERS.asyncRegistered(storage);
            rival.extendLeases(shuffled, LONG);
            asked.add(rival.acknowledgeMessages(shuffled.subList(0, 200)));
        }

        int acknowledged = 0;
        for (CompletableFuture<List<Status>> statuses : asked) {
            acknowledged += Collections.frequency(statuses.get(30, TimeUnit.SECONDS), Status.OK);
        }
        assertThat(acknowledged).isEqualTo(300);
    }

    private static Connection begin() throws SQLException {
        Connection connection = BROKERS.database().address().connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void lock(Connection connection, Lease lease) throws SQLException {
        execute(connection, "SELECT FROM lease WHERE message_id = ? FOR UPDATE", lease);
    }

    /** @return whether another transaction has locked it; what this one locks for that is free again */
    private static boolean isLocked(Connection connection, Lease lease) throws SQLException {
        try {
            return execute(connection, "SELECT FROM lease WHERE message_id = ? FOR UPDATE SKIP LOCKED", lease) == 0;
        } finally {
            connection.rollback();
        }
    }

    /** @return rows that it has found, or 0 where it looks for none */
    private static int execute(Connection connection, String sql, Lease lease) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, lease.message());
            return statement.execute() && statement.getResultSet().next() ? 1 : 0;
        }
    }

    private static List<Lease> leases(List<Message> messages) {
        return messages.stream().map(Message::lease).toList();
    }

    private static int queueWith(Client client, int messages) {
        int queue = BROKERS.queue(client);
        client.sendMessages(IntStream.range(0, messages).mapToObj(i -> new OutgoingMessage(queue, CONTENT, 5))
                .toList());
        return queue;
    }
}

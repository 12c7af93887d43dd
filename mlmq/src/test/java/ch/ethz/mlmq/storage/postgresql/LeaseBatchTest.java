package ch.ethz.mlmq.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Lane;
import ch.ethz.mlmq.storage.postgresql.upkeep.LeaseExpiry;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Receives and acknowledgements that share statements with other calls. */
@Timeout(300)
class LeaseBatchTest {

    @Test
    void shouldLeaseAfterAMessageForAReceiverAtAnotherBroker() throws Exception {
        try (TestDatabase database = new TestDatabase(); StorageUser one = new StorageUser(database);
                StorageUser two = new StorageUser(database)) {
            int queue = one.queue();
            int bob = ((Response.Registered) two.execute(new Request.Register("bob", 0))).client();
            one.send(queue, 5, "first");
            one.send(queue, 5, "second");
            one.receive(queue, 60_000);

            two.execute(new Request.SendMessage(new int[] {queue}, bob, 5, 0, "", "for bob".getBytes()));

            assertThat(one.receive(queue, 60_000).text()).isEqualTo("second");
        }
    }

    /** Only so the right one of all that wait for a message of any queue is woken. */
    @Test
    void shouldTellTheOwnerOfAQueueOfAMessageThatComesBackAtABrokerThatDoesNotKnowIt() throws Exception {
        try (TestDatabase database = new TestDatabase(); StorageUser one = new StorageUser(database);
                StorageUser stranger = new StorageUser(database)) {
            Response.Registered alice = (Response.Registered) one.execute(new Request.Register("alice", 0));
            List<Integer> told = new ArrayList<>();
            stranger.storage.tell(new Arrivals() {
                @Override
                public void arrived(int queue, int receiver, long context) {
                    told.add(receiver);
                }

                @Override
                public void signal(long key) {
                    throw new AssertionError("nobody calls this");
                }

                @Override
                public Set<Long> awaited() {
                    return Set.of();
                }
            }, () -> { }, (client, session, over) -> { });
            one.execute(new Request.SendMessage(new int[] {alice.ownQueue()}, 0, 5, 0, "", new byte[1],
                    MessageProperties.NONE.with(MessageProperties.DELAY, 1)));

            LeaseExpiry expiry = stranger.agent(LeaseExpiry.class);
            while (told.isEmpty()) {
                expiry.doWork();
            }

            assertThat(told).containsExactly(alice.client());
        }
    }

    @Test
    void shouldLeaseDeadLettersOfAQueueThatGotAMessageForAReceiver() throws Exception {
        try (TestDatabase database = new TestDatabase();
                StorageUser one = new StorageUser(database, Map.of("broker.deliveries.max", "1"))) {
            int queue = ((Response.QueueFound) one.execute(new Request.CreateQueue("jobs"))).queue();
            one.send(queue, 5, "first");
            one.release(one.receive(queue, 60_000));
            int dead = ((Response.QueueFound) one.execute(new Request.LookupQueue("jobs.dead"))).queue();
            assertThat(one.receive(dead, 60_000).text()).isEqualTo("first");
            int bob = ((Response.Registered) one.execute(new Request.Register("bob", 0))).client();
            one.execute(new Request.SendMessage(new int[] {queue}, bob, 5, 0, "", "for bob".getBytes()));
            one.send(queue, 5, "second");

            one.release(one.receive(queue, 60_000));

            assertThat(one.receive(dead, 60_000).text()).isEqualTo("second");
        }
    }

    @Test
    void shouldFailAloneAnAcknowledgementThatWaitsForALock() throws Exception {
        try (TestDatabase database = new TestDatabase();
                StorageUser user = new StorageUser(database, Map.of("broker.db.timeout", "1s"));
                Connection other = database.address().connect(); Statement statement = other.createStatement()) {
            int queue = user.queue();
            user.send(queue, 5, "locked");
            user.send(queue, 5, "free");
            Message locked = user.receive(queue, 60_000);
            Message free = user.receive(queue, 60_000);
            other.setAutoCommit(false);
            statement.execute("SELECT FROM lease WHERE message_id = " + locked.id() + " FOR UPDATE");

            List<Call> calls = List.of(new Call(new Lane(), StorageUser.message(queue, 5, "one")),
                    acknowledge(locked), acknowledge(free), new Call(new Lane(), StorageUser.message(queue, 5, "two")));
            user.storage.execute(calls);

            assertThat(calls).extracting(Call::response).extracting(response ->
                    response instanceof Response.Failure failure ? failure.status() : Status.OK)
                    .containsExactly(Status.OK, Status.BROKER_ERROR, Status.OK, Status.OK);
            other.rollback();
            user.storage.execute(List.of(acknowledge(locked)));
            assertThat(database.number("SELECT count(*) FROM lease")).isZero();
        }
    }

    @Test
    void shouldFailOnlyTheAcknowledgementsThatWaitForLocks() throws Exception {
        try (TestDatabase database = new TestDatabase();
                StorageUser user = new StorageUser(database, Map.of("broker.db.timeout", "1s"));
                Connection other = database.address().connect(); Statement statement = other.createStatement()) {
            int queue = user.queue();
            List<Message> messages = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                user.send(queue, 5, "job " + i);
                messages.add(user.receive(queue, 60_000));
            }
            other.setAutoCommit(false);
            for (Message locked : messages.subList(0, 3)) {
                statement.execute("SELECT FROM lease WHERE message_id = " + locked.id() + " FOR UPDATE");
            }

            List<Call> calls = List.of(acknowledge(messages.get(0)), acknowledge(messages.get(1)),
                    acknowledgeAll(messages.get(2), messages.get(3)), acknowledgeAll(messages.get(4)),
                    acknowledge(messages.get(5)), new Call(new Lane(), StorageUser.message(queue, 5, "one")));
            user.storage.execute(calls);

            assertThat(calls).extracting(Call::response).extracting(response ->
                    response instanceof Response.Failure failure ? failure.status() : Status.OK).containsExactly(
                    Status.BROKER_ERROR, Status.BROKER_ERROR, Status.BROKER_ERROR, Status.OK, Status.OK, Status.OK);
            assertThat(((Response.LeaseStatuses) calls.get(3).response()).statuses()).containsExactly(Status.OK);
            other.rollback();
            user.storage.execute(
                    List.of(acknowledge(messages.get(0)), acknowledgeAll(messages.get(1), messages.get(2))));
            assertThat(database.number("SELECT count(*) FROM lease")).isZero();
        }
    }

    private static Call acknowledgeAll(Message... messages) {
        return new Call(new Lane(), new Request.AcknowledgeMessages(
                Arrays.stream(messages).map(Message::lease).toList()));
    }

    private static Call acknowledge(Message message) {
        return new Call(new Lane(), new Request.Acknowledge(message.id(), message.leaseToken()));
    }
}

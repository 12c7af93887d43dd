package ch.ethz.mlmq.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Answers;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Lane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bulk takes and acknowledgements that share statements with other calls. */
@Timeout(300)
class BulkBatchTest {
    private static final int LEASE_MILLIS = 60_000;
    private static final int CLIENT = 1;

    private TestDatabase database;
    private StorageUser user;

    @BeforeEach
    void start() throws Exception {
        database = new TestDatabase();
        user = new StorageUser(database);
    }

    @AfterEach
    void stop() throws Exception {
        user.close();
        database.close();
    }

    @Test
    @SuppressWarnings("unchecked")
    void shouldGiveEachMessageToOneOfSeveralTakes() throws Exception {
        int jobs = queueWith("a", "b", "c", "d", "e");
        int mails = queueWith("f", "g", "h");
        int empty = user.queue();

        List<Call> calls = List.of(call(receive(jobs, 3)), call(dequeue(jobs, 10)),
                call(new Request.DequeueMessage(MessageQuery.queue(mails))), call(receive(mails, 10)),
                call(receive(empty, 10)), call(dequeue(jobs, 10)));
        user.storage.execute(calls);

        assertThat(calls).extracting(BulkBatchTest::contents).containsExactly(List.of("a", "b", "c"), List.of("d", "e"),
                List.of("f"), List.of("g", "h"), List.of(), List.of());
        assertThat(database.number("SELECT count(*) FROM message")).isZero();
        assertThat(database.number("SELECT count(*) FROM lease")).isEqualTo(5);
    }

    @Test
    void shouldReceiveMessagesThatTheSameConnectionSentBefore() {
        int queue = user.queue();

        List<Response> responses = user.executeAll(List.of(StorageUser.message(queue, 5, "a"), receive(queue, 10),
                StorageUser.message(queue, 5, "b"), receive(queue, 10)));

        assertThat(responses.get(1)).isInstanceOf(Response.Deliveries.class);
        assertThat(contents(responses.get(1))).containsExactly("a");
        assertThat(contents(responses.get(3))).containsExactly("b");
    }

    @Test
    void shouldTakeOnlyMessagesThatFitIntoTheResponse() {
        String big = "x".repeat(1_000);
        int queue = queueWith(big, "small", big, "small");
        int other = queueWith(big, big);
        Call receive = call(receive(queue, 10), 2 * Limits.messageBytes(1_000));
        Call dequeue = call(dequeue(other, 10), 100);

        user.storage.execute(List.of(receive, dequeue));

        assertThat(contents(receive)).containsExactly(big, "small");
        assertThat(contents(dequeue)).as("at least one").containsExactly(big);
        assertThat(user.receiveAndAcknowledge(queue, 10)).extracting(Message::text).containsExactly(big, "small");
        assertThat(user.receiveAndAcknowledge(other, 10)).extracting(Message::text).containsExactly(big);
    }

    @Test
    void shouldTakeLongContentsBeforeItStoresOthers() {
        String big = "x".repeat(100_000);
        int queue = queueWith(Collections.nCopies(40, big).toArray(String[]::new));
        int other = user.queue();
        Lane lane = new Lane();
        List<Call> calls = new ArrayList<>(List.of(call(dequeue(queue, 1_000)),
                new Call(lane, StorageUser.message(other, 5, "first")), new Call(lane, dequeue(other, 1))));
        calls.addAll(Collections.nCopies(80, StorageUser.message(other, 5, big)).stream()
                .map(request -> new Call(lane, request)).toList());

        user.storage.execute(calls);

        assertThat(contents(calls.get(0))).hasSize(40);
        assertThat(contents(calls.get(2))).containsExactly("first");
        assertThat(calls.subList(3, calls.size())).extracting(Call::response).containsOnly(Response.Done.INSTANCE);
    }

    @Test
    void shouldAcknowledgeEachLeaseOnceAcrossRequests() throws Exception {
        int queue = queueWith("a", "b", "c", "d");
        Response.Deliveries received = (Response.Deliveries) user.execute(receive(queue, 10));
        List<Lease> leases = received.messages().stream().map(Message::lease).toList();
        Lease wrong = new Lease(leases.get(0).message(), leases.get(0).token() + 1);

        List<Call> calls = List.of(
                call(new Request.AcknowledgeMessages(List.of(leases.get(2), wrong, leases.get(1), leases.get(2)))),
                call(new Request.AcknowledgeMessages(List.of(leases.get(1), leases.get(3)))),
                call(new Request.Acknowledge(leases.get(0).message(), leases.get(0).token())));
        user.storage.execute(calls);

        assertThat(statuses(calls.get(0)))
                .containsExactly(Status.OK, Status.UNKNOWN_LEASE, Status.OK, Status.UNKNOWN_LEASE);
        assertThat(statuses(calls.get(1))).containsExactly(Status.UNKNOWN_LEASE, Status.OK);
        assertThat(calls.get(2).response()).isEqualTo(Response.Done.INSTANCE);
        assertThat(database.number("SELECT count(*) FROM lease")).isZero();
    }

    @Test
    void shouldReportADeletedQueueToABulkTake() {
        int queue = queueWith("a");
        user.execute(new Request.DeleteQueue(queue, false));
        Call call = call(receive(queue, 10));

        user.storage.execute(List.of(call));

        assertThat(call.response()).isInstanceOfSatisfying(Response.Failure.class,
                failure -> assertThat(failure.status()).isEqualTo(Status.QUEUE_DOES_NOT_EXIST));
    }

    private int queueWith(String... contents) {
        int queue = user.queue();
        Arrays.stream(contents).forEach(content -> user.send(queue, 5, content));
        return queue;
    }

    private static Request receive(int queue, int max) {
        return new Request.ReceiveMessages(MessageQuery.queue(queue), max, LEASE_MILLIS);
    }

    private static Request dequeue(int queue, int max) {
        return new Request.DequeueMessages(MessageQuery.queue(queue), max);
    }

    private static Call call(Request request) {
        return new Call(new Lane(), request);
    }

    private static Call call(Request request, int longest) {
        Call call = call(request);
        call.from(CLIENT, longest);
        return call;
    }

    private static List<String> contents(Call call) {
        return contents(call.response());
    }

    private static List<String> contents(Response response) {
        return Answers.messages(response).stream().map(Message::text).toList();
    }

    private static List<Status> statuses(Call call) {
        return ((Response.LeaseStatuses) call.response()).statuses();
    }
}

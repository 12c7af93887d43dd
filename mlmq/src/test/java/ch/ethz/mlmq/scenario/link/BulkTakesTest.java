package ch.ethz.mlmq.scenario.link;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class BulkTakesTest {
    private static final Request TAKE = new Request.DequeueMessages(MessageQuery.queue(7), 10);

    private final List<Request> requests = new ArrayList<>();
    private final Deque<Status> accepted = new ArrayDeque<>();
    private final Deque<Response> responses = new ArrayDeque<>();
    private final List<Object> ended = new ArrayList<>();
    private final Link link = new BulkTakes(new ConnectedLink(this::answer));

    /** Answers each request with the next response, within its submission. */
    private Status answer(Request request, Completion completion) {
        requests.add(request);
        Status status = accepted.isEmpty() ? Status.OK : accepted.poll();
        if (status == Status.OK) {
            Response response = responses.poll();
            Status result = response instanceof Response.Failure failure ? failure.status()
                    : response == null ? Status.CONNECTION_LOST : Status.OK;
            completion.completed(0, result, response, requests.size(), requests.size() + 100);
        }
        return status;
    }

    @Test
    void shouldReceiveUpToAsManyAndAcknowledgeThemTogether() {
        responses.add(new Response.Deliveries(List.of(message(1), message(2))));
        responses.add(new Response.LeaseStatuses(List.of(Status.OK, Status.OK)));

        take();

        assertThat(requests.get(0)).isInstanceOfSatisfying(Request.ReceiveMessages.class, receive -> {
            assertThat(receive.query().queue()).isEqualTo(7);
            assertThat(receive.max()).isEqualTo(10);
        });
        assertThat(((Request.AcknowledgeMessages) requests.get(1)).leases()).containsExactly(message(1).lease(),
                message(2).lease());
        assertThat(ended).containsExactly(Status.OK, List.of(1L, 2L), "from 1 to 102");
    }

    @Test
    void shouldAlsoMakeTwoRequestsOfATakeOfOneWhereEveryTakeIsAcknowledged() {
        responses.add(new Response.Deliveries(List.of(message(1))));
        responses.add(new Response.LeaseStatuses(List.of(Status.OK)));
        responses.add(new Response.Deliveries(List.of()));
        List<Response> taken = new ArrayList<>();
        Link every = new BulkTakes(new ConnectedLink(this::answer), true);

        for (int i = 0; i < 2; i++) {
            every.submit(new Request.DequeueMessage(MessageQuery.queue(7)),
                    (tag, status, response, sentNanos, endNanos) -> taken.add(response));
        }

        assertThat(requests).hasSize(3);
        assertThat(((Response.Delivery) taken.get(0)).message().id()).isEqualTo(1);
        assertThat(taken.get(1)).isEqualTo(Response.Delivery.NONE);
    }

    @Test
    void shouldNotHaveAMessageWhoseLeaseFailed() {
        responses.add(new Response.Deliveries(List.of(message(1), message(2))));
        responses.add(new Response.LeaseStatuses(List.of(Status.UNKNOWN_LEASE, Status.OK)));

        take();

        assertThat(ended).contains(Status.OK, List.of(2L));
    }

    @Test
    void shouldEndAnEmptyTakeWithoutAnAcknowledgement() {
        responses.add(new Response.Deliveries(List.of()));

        take();

        assertThat(requests).hasSize(1);
        assertThat(ended).contains(Status.OK, List.of());
    }

    @Test
    void shouldFailIfTheAcknowledgementIsLostOrRefused() {
        responses.add(new Response.Deliveries(List.of(message(1))));
        take();
        assertThat(ended).contains(Status.CONNECTION_LOST);

        ended.clear();
        responses.add(new Response.Deliveries(List.of(message(1))));
        accepted.addAll(List.of(Status.OK, Status.NOT_CONNECTED));
        take();
        assertThat(ended).contains(Status.NOT_CONNECTED);
    }

    @Test
    void shouldFailAsTheReceiptDoes() {
        responses.add(new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, ""));

        take();

        assertThat(requests).hasSize(1);
        assertThat(ended).contains(Status.QUEUE_DOES_NOT_EXIST);
    }

    @Test
    void shouldHandOverOtherRequestsAsTheyAre() {
        responses.add(Response.Delivery.NONE);
        Request one = new Request.DequeueMessage(MessageQuery.queue(7));

        link.submit(one, (tag, status, response, sent, end) -> ended.add(response));

        assertThat(requests).containsExactly(one);
        assertThat(ended).containsExactly(Response.Delivery.NONE);
    }

    private void take() {
        assertThat(link.submit(TAKE, (tag, status, response, sent, end) -> {
            ended.add(status);
            if (response instanceof Response.Deliveries found) {
                assertThat(found.messages()).allMatch(message -> message.leaseToken() == 0);
                ended.add(found.messages().stream().map(Message::id).toList());
            }
            ended.add("from " + sent + " to " + end);
        })).isEqualTo(Status.OK);
    }

    private static Message message(long id) {
        return new Message(id, 7, new Message.Envelope(1, 0, 5, 0, 0), new Message.Delivery(1, 100 + id), new byte[10]);
    }
}

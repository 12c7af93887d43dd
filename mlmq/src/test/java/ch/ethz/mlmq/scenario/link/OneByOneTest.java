package ch.ethz.mlmq.scenario.link;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class OneByOneTest {
    private final List<Request> requests = new ArrayList<>();
    private final Deque<Status> statuses = new ArrayDeque<>();
    private final List<Object> ended = new ArrayList<>();
    private final Link link = new OneByOne(new ConnectedLink(this::answer));

    /** Ends each request with the next status, or does not accept it if there is none. */
    private Status answer(Request request, Completion completion) {
        requests.add(request);
        if (statuses.isEmpty()) {
            return Status.NOT_CONNECTED;
        }
        completion.completed(0, statuses.poll(), Response.Done.INSTANCE, 1, 2);
        return Status.OK;
    }

    @Test
    void shouldAcknowledgeEachMessageByARequest() {
        statuses.addAll(List.of(Status.OK, Status.UNKNOWN_LEASE, Status.OK));

        assertThat(acknowledge(new Lease(1, 7), new Lease(2, 8), new Lease(3, 9))).isEqualTo(Status.OK);

        assertThat(requests).containsExactly(new Request.Acknowledge(1, 7), new Request.Acknowledge(2, 8),
                new Request.Acknowledge(3, 9));
        assertThat(ended).containsExactly(Status.OK,
                new Response.LeaseStatuses(List.of(Status.OK, Status.UNKNOWN_LEASE, Status.OK)));
    }

    @Test
    void shouldFailOnceWhereTheConnectionIsLost() {
        statuses.addAll(List.of(Status.OK, Status.CONNECTION_LOST, Status.OK));
        assertThat(acknowledge(new Lease(1, 7), new Lease(2, 8), new Lease(3, 9))).isEqualTo(Status.OK);
        assertThat(ended).containsExactly(Status.CONNECTION_LOST, "no response");
        ended.clear();
        statuses.clear();

        statuses.add(Status.OK);
        assertThat(acknowledge(new Lease(1, 7), new Lease(2, 8))).isEqualTo(Status.OK);
        assertThat(ended).containsExactly(Status.NOT_CONNECTED, "no response");
        ended.clear();

        assertThat(acknowledge(new Lease(1, 7))).isEqualTo(Status.NOT_CONNECTED);
        assertThat(ended).as("a request that was not accepted").isEmpty();
    }

    private Status acknowledge(Lease... leases) {
        return link.submit(new Request.AcknowledgeMessages(List.of(leases)),
                (tag, status, response, sentNanos, endNanos) -> {
                    ended.add(status);
                    ended.add(response == null ? "no response" : response);
                });
    }
}

package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Fills the public queues one after the other with {@code client.requests} messages in all, then stops. A message that
 * was certainly not stored is sent again.
 */
public final class Fill implements Behaviour {
    /** The scenario of this client. */
    public static final Scenario SCENARIO = new Scenario("Fill",
            "creates the queues, sends client.requests messages to them evenly, and exits",
            Set.of(Need.REGISTRATION, Need.QUEUES, Need.REQUESTS), Fill::new).using(FrameType.SEND_MESSAGE);

    private final ClientContext context;
    private final Deque<Request> again = new ArrayDeque<>();
    private int next;

    Fill(ClientContext context) {
        this.context = context;
        this.next = context.id().number();
    }

    @Override
    public Request next() {
        if (!again.isEmpty()) {
            return again.poll();
        }
        int[] queues = context.around().queues();
        return new Request.SendMessage(new int[] {queues[next++ % queues.length]}, 0, context.priority(), 0, "",
                context.messages().next());
    }

    @Override
    public void failed(Request request, Status status) {
        if (Received.surelyNotExecuted(status)) {
            again.add(request);
        }
    }
}

package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Receives messages of a random public queue, works for each of them, and acknowledges them. A message whose
 * acknowledgement fails is delivered again when its lease ends.
 */
public final class Worker implements Behaviour {
    /** The scenario of this client. */
    public static final Scenario SCENARIO = new Scenario("Worker",
            "receives messages, works for each of them, and acknowledges them",
            Set.of(Need.REGISTRATION, Need.QUEUES, Need.TURNS), Worker::new).using(Worker::operations);

    private static final long LEAST_LEASE_MILLIS = 30_000;

    private final ClientContext context;
    private final int batch;
    private final long workNanos;
    private final int leaseMillis;
    private List<Lease> received = List.of();

    Worker(ClientContext context) {
        this.context = context;
        this.batch = context.settings().get(ClientKeys.BATCH);
        this.workNanos = context.settings().get(ClientKeys.WORK).toNanos();
        // Twice the work leaves time for a slow response.
        this.leaseMillis = (int) Math.max(LEAST_LEASE_MILLIS, 2 * TimeUnit.NANOSECONDS.toMillis(batch * workNanos));
    }

    private static Set<FrameType> operations(Settings settings) {
        return settings.get(ClientKeys.BATCH) == 1 ? Set.of(FrameType.RECEIVE_MESSAGE, FrameType.ACKNOWLEDGE)
                : Set.of(FrameType.RECEIVE_MESSAGES, FrameType.ACKNOWLEDGE_MESSAGES);
    }

    @Override
    public Request next() {
        List<Lease> leases = received;
        received = List.of();
        if (leases.isEmpty()) {
            MessageQuery query = MessageQuery.queue(context.queue());
            return batch == 1 ? new Request.ReceiveMessage(query, leaseMillis)
                    : new Request.ReceiveMessages(query, batch, leaseMillis);
        }
        return batch == 1 ? new Request.Acknowledge(leases.get(0).message(), leases.get(0).token())
                : new Request.AcknowledgeMessages(leases);
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            received(List.of(delivery.message()));
        } else if (response instanceof Response.Deliveries deliveries) {
            received(deliveries.messages());
        } else if (response instanceof Response.LeaseStatuses settled) {
            Received.settled(context, settled.statuses());
        }
    }

    @Override
    public long workNanos() {
        return received.size() * workNanos;
    }

    private void received(List<Message> messages) throws UnexpectedAnswerException {
        received = messages.stream().map(Message::lease).toList();
        for (Message message : messages) {
            Received.check(context, message);
        }
    }
}

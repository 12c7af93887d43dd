package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.Subscribed.Subscription;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Receives what comes into its subscriptions, and acknowledges it. One request waits at each subscription that gets
 * messages, or at all of them if its library blocks until each response.
 * A subscription that has ended, as its client had no connection, is made again. If that is refused, it is tried again
 * when there is nothing else to request.
 */
public final class Subscriber implements Behaviour {
    /** The scenario of this client. */
    public static final Scenario SCENARIO = new Scenario("Subscriber",
            "subscribes to topics, and receives and acknowledges what comes",
            Set.of(Need.REGISTRATION, Need.TOPICS, Need.SUBSCRIPTIONS), Subscriber::new)
            .using(Subscriber::operations);

    private static final int LEASE_MILLIS = 30_000;
    private static final int MOST_WAIT_MILLIS = 5_000;

    private final ClientContext context;
    private final int batch;
    private final int waitMillis;
    /** By queue. */
    private final Map<Integer, Subscription> taken = new HashMap<>();
    private final Deque<Subscription> idle = new ArrayDeque<>();
    private final Deque<TopicRequest.Subscribe> ended = new ArrayDeque<>();
    /** True if a subscription could not be made again: what others have is received first, as a refusal pauses. */
    private boolean refused;
    private final int requestsAtOnce;
    private final Deque<List<Lease>> received = new ArrayDeque<>();
    /** When the subscriptions were made whose first message has not come, by queue [ns]. */
    private final Map<Integer, Long> withoutMessage = new HashMap<>();

    Subscriber(ClientContext context) {
        this.context = context;
        this.batch = context.settings().get(ClientKeys.BATCH);
        this.waitMillis = (int) Math.min(MOST_WAIT_MILLIS, context.settings().get(ClientKeys.TIMEOUT).toMillis() / 2);
        idle.addAll(context.around().subscribed().taken());
        idle.forEach(subscription -> taken.put(subscription.queue(), subscription));
        context.around().subscribed().subscriptions().stream().filter(Subscription::isMadeUnderLoad)
                .forEach(made -> withoutMessage.put(made.queue(), made.madeNanos()));
        this.requestsAtOnce = context.around().subscribed().together() ? 1 : taken.size();
    }

    private static Set<FrameType> operations(Settings settings) {
        return settings.get(ClientKeys.BATCH) == 1
                ? Set.of(FrameType.SUBSCRIBE, FrameType.RECEIVE_MESSAGE, FrameType.ACKNOWLEDGE)
                : Set.of(FrameType.SUBSCRIBE, FrameType.RECEIVE_MESSAGES, FrameType.ACKNOWLEDGE_MESSAGES);
    }

    @Override
    public int requestsAtOnce() {
        return requestsAtOnce;
    }

    @Override
    public Request next() {
        if (!received.isEmpty()) {
            List<Lease> leases = received.poll();
            return batch == 1 ? new Request.Acknowledge(leases.get(0).message(), leases.get(0).token())
                    : new Request.AcknowledgeMessages(leases);
        }
        if (!ended.isEmpty() && (!refused || idle.isEmpty())) {
            return ended.poll();
        }
        // With one request for all subscriptions, others are always idle.
        refused = refused && !context.around().subscribed().together();
        MessageQuery query = MessageQuery.queue(idle.remove().queue()).waiting(waitMillis);
        return batch == 1 ? new Request.ReceiveMessage(query, LEASE_MILLIS)
                : new Request.ReceiveMessages(query, batch, LEASE_MILLIS);
    }

    @Override
    public void answered(Request request, Response response) throws UnexpectedAnswerException {
        if (request instanceof Request.Retrieval retrieval) {
            idle.add(taken.get(retrieval.query().queue()));
        }
        if (response instanceof Response.Delivery delivery && delivery.message() != null) {
            received(List.of(delivery.message()));
        } else if (response instanceof Response.Deliveries deliveries && !deliveries.messages().isEmpty()) {
            received(deliveries.messages());
        } else if (response instanceof Response.LeaseStatuses settled) {
            Received.settled(context, settled.statuses());
        } else if (response instanceof Response.QueueFound found && request instanceof TopicRequest.Subscribe made) {
            madeAgain(made, found.queue());
        }
    }

    @Override
    public void failed(Request request, Status status) {
        if (request instanceof TopicRequest.Subscribe made) {
            ended.add(made);
            refused = true;
        } else if (request instanceof Request.Retrieval retrieval) {
            int queue = retrieval.query().queue();
            if (status == Status.QUEUE_DOES_NOT_EXIST) {
                ended.add(taken.remove(queue).request());
            } else {
                idle.add(taken.get(queue));
            }
        }
    }

    private void madeAgain(TopicRequest.Subscribe made, int queue) {
        refused = false;
        Subscription again = new Subscription(made, true, queue);
        taken.put(queue, again);
        withoutMessage.put(queue, context.nanoTime());
        idle.add(again);
    }

    private void received(List<Message> messages) throws UnexpectedAnswerException {
        received.add(messages.stream().map(Message::lease).toList());
        for (Message message : messages) {
            Long made = withoutMessage.isEmpty() ? null : withoutMessage.remove(message.queue());
            if (made != null) {
                context.around().subscribed().firsts().accept(context.nanoTime() - made);
            }
            Received.check(context, message);
        }
    }
}

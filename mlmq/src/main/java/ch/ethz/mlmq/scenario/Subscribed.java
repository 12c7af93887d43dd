package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.protocol.TopicRequest;
import java.util.List;

/**
 * The topics of a run, and a client's subscriptions of them.
 *
 * @param topics        ids of the topics
 * @param subscriptions of the client; those that get messages first
 * @param together      true if one request takes from all of the client's subscriptions, whichever it names
 */
public record Subscribed(int[] topics, List<Subscription> subscriptions, boolean together) {
    /** A client that neither publishes nor subscribes. */
    public static final Subscribed NONE = new Subscribed(new int[0], List.of(), false);

    /**
     * A subscription.
     *
     * @param request  that makes or finds it
     * @param matching true if it gets each message, false if it gets none
     * @param queue    id of its queue
     */
    public record Subscription(TopicRequest.Subscribe request, boolean matching, int queue) {
        /** @return the same subscription with another queue */
        public Subscription at(int newQueue) {
            return new Subscription(request, matching, newQueue);
        }
    }

    /** @return the subscriptions from which the client takes: those that get messages, or else one that gets none */
    public List<Subscription> taken() {
        List<Subscription> matching = subscriptions.stream().filter(Subscription::matching).toList();
        return matching.isEmpty() ? subscriptions.stream().limit(1).toList() : matching;
    }
}

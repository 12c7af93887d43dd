package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.protocol.TopicRequest;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The topics of a run, and a client's subscriptions of them.
 *
 * @param topics        ids of the topics
 * @param subscriptions of the client; those that get messages first
 * @param together      true if one request takes from all of the client's subscriptions, whichever it names
 * @param firsts        takes the delay of the first message of each subscription that was made under load [ns]
 */
public record Subscribed(int[] topics, List<Subscription> subscriptions, boolean together, LongConsumer firsts) {
    /** A client that neither publishes nor subscribes. */
    public static final Subscribed NONE = new Subscribed(new int[0], List.of(), false, delay -> { });

    /**
     * A subscription.
     *
     * @param request  that makes or finds it
     * @param matching true if it gets each message, false if it gets none
     * @param queue    id of its queue
     * @param madeNanos when it was answered under load [ns], or {@link #BEFORE_THE_LOAD}
     */
    public record Subscription(TopicRequest.Subscribe request, boolean matching, int queue, long madeNanos) {
        /** It was there before messages were published. */
        public static final long BEFORE_THE_LOAD = Long.MIN_VALUE;

        /** Makes one that is there before messages are published. */
        public Subscription(TopicRequest.Subscribe request, boolean matching, int queue) {
            this(request, matching, queue, BEFORE_THE_LOAD);
        }

        /** @return the same subscription with another queue, made at that time */
        public Subscription at(int newQueue, long nanos) {
            return new Subscription(request, matching, newQueue, nanos);
        }

        /** @return true if it was made while messages were published */
        public boolean isMadeUnderLoad() {
            return madeNanos != BEFORE_THE_LOAD;
        }
    }

    /** @return the subscriptions from which the client takes: those that get messages, or else one that gets none */
    public List<Subscription> taken() {
        List<Subscription> matching = subscriptions.stream().filter(Subscription::matching).toList();
        return matching.isEmpty() ? subscriptions.stream().limit(1).toList() : matching;
    }
}

package ch.ethz.mlmq.protocol;

/**
 * A request about a topic, whose messages are copied into the queues of its subscriptions. Needs
 * {@link Features#TOPICS}.
 */
public sealed interface TopicRequest extends Request.OfTopics {

    /** Creates a topic. The response is {@link Response.TopicFound}. */
    record CreateTopic(String name) implements TopicRequest {
        @Override
        public FrameType type() {
            return FrameType.CREATE_TOPIC;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Deletes a topic, with its subscriptions and their queues. The response is {@link Response.Done}. */
    record DeleteTopic(int topic) implements TopicRequest {
        @Override
        public FrameType type() {
            return FrameType.DELETE_TOPIC;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Looks up a topic. The response is {@link Response.TopicFound}. */
    record LookupTopic(String name) implements TopicRequest {
        @Override
        public FrameType type() {
            return FrameType.LOOKUP_TOPIC;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /**
     * Makes a subscription of a topic, which is a queue, or finds it. The response is {@link Response.QueueFound}.
     *
     * @param name    of the subscription, unique within the topic
     * @param filter  selects messages; empty for all
     * @param durable false if it belongs to this client and ends with it
     */
    record Subscribe(int topic, String name, String filter, boolean durable) implements TopicRequest {
        @Override
        public FrameType type() {
            return FrameType.SUBSCRIBE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Ends a subscription and deletes its queue. The response is {@link Response.Done}. */
    record Unsubscribe(int topic, String name) implements TopicRequest {
        @Override
        public FrameType type() {
            return FrameType.UNSUBSCRIBE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /**
     * Puts a copy of the message into each subscription whose filter takes it, or into none. The response is
     * {@link Response.Published}.
     *
     * @param context    or 0
     * @param key        stores the message once within the broker's window; or empty
     * @param properties that filters read
     */
    record Publish(int topic, int priority, long context, String key, byte[] content, MessageProperties properties)
            implements TopicRequest {
        @Override
        public FrameType type() {
            return FrameType.PUBLISH;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }
}

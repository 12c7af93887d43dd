package ch.ethz.mlmq.protocol;

import java.util.List;
import java.util.Objects;

/** A response of a broker. Each kind has a record, which several operations may share. */
public interface Response {
    FrameType type();

    /** The request was executed, and its changes are on disk if it had any to store. */
    record Done() implements Response {
        /** The shared instance. */
        public static final Done INSTANCE = new Done();

        @Override
        public FrameType type() {
            return FrameType.DONE;
        }
    }

    /**
     * The client has registered.
     *
     * @param client   id of the client
     * @param ownQueue id of its personal queue
     * @param token    takes over the name from this connection when it is lost; 0 if none was agreed on
     */
    record Registered(int client, int ownQueue, long token) implements Response {
        public Registered(int client, int ownQueue) {
            this(client, ownQueue, 0);
        }

        /** @return the same without the token, for logs and other readers */
        public Registered withoutToken() {
            return token == 0 ? this : new Registered(client, ownQueue);
        }

        @Override
        public FrameType type() {
            return FrameType.REGISTERED;
        }
    }

    record QueueFound(int queue, String name) implements Response {
        @Override
        public FrameType type() {
            return FrameType.QUEUE_FOUND;
        }
    }

    record TopicFound(int topic, String name) implements Response {
        @Override
        public FrameType type() {
            return FrameType.TOPIC_FOUND;
        }
    }

    /** @param copies number of subscriptions that the message was put into; 0 if its key is known */
    record Published(int copies) implements Response {
        @Override
        public FrameType type() {
            return FrameType.PUBLISHED;
        }
    }

    record ClientFound(int client, String name) implements Response {
        @Override
        public FrameType type() {
            return FrameType.CLIENT_FOUND;
        }
    }

    /** The context that the response to the request will have. */
    record ContextAssigned(long context) implements Response {
        @Override
        public FrameType type() {
            return FrameType.CONTEXT_ASSIGNED;
        }
    }

    /**
     * Numbers and queues of waiting messages.
     *
     * @param inOwnQueue messages in the client's personal queue
     * @param queues     ids of public queues with a message for the client or for any receiver
     */
    record PendingQueues(int inOwnQueue, int[] queues) implements Response {
        @Override
        public FrameType type() {
            return FrameType.PENDING_QUEUES;
        }
    }

    /**
     * Number of messages in a queue, about a second old.
     *
     * @param ready  messages without a lease, those for a single receiver included; exact below 1,000
     * @param leased messages under a lease; 10,000 if there are more
     */
    record QueueLength(long ready, long leased) implements Response {
        @Override
        public FrameType type() {
            return FrameType.LENGTH;
        }
    }

    /**
     * A message or none.
     *
     * @param message null if there was none
     */
    record Delivery(Message message) implements Response {
        /** There was no message. */
        public static final Delivery NONE = new Delivery(null);

        @Override
        public FrameType type() {
            return FrameType.DELIVERY;
        }
    }

    /**
     * Several messages.
     *
     * @param messages in the order of the query; empty if there was none
     */
    record Deliveries(List<Message> messages) implements Response {
        @Override
        public FrameType type() {
            return FrameType.DELIVERIES;
        }
    }

    /** @param statuses of the leases in the order of the request: {@link Status#OK} or a failure */
    record LeaseStatuses(List<Status> statuses) implements Response {
        @Override
        public FrameType type() {
            return FrameType.LEASE_STATUSES;
        }
    }

    /**
     * A step of a sign-in.
     *
     * @param complete true if the client has signed in
     * @param data     the broker's message
     */
    record Challenge(boolean complete, byte[] data) implements Response {
        @Override
        public FrameType type() {
            return FrameType.CHALLENGE;
        }
    }

    record Echoed(byte[] content) implements Response {
        @Override
        public FrameType type() {
            return FrameType.ECHOED;
        }
    }

    /** How many messages a {@link MoveMessages} has moved or removed. */
    record Moved(int messages) implements Response {
        @Override
        public FrameType type() {
            return FrameType.MOVED;
        }
    }

    /** What came of a {@link Statement}. @param text lines for people */
    record Report(String text) implements Response {
        @Override
        public FrameType type() {
            return FrameType.REPORT;
        }
    }

    /** The broker's state as one line of JSON. */
    record StatusReport(String json) implements Response {
        @Override
        public FrameType type() {
            return FrameType.STATUS_REPORT;
        }
    }

    /**
     * Description and limits of a broker.
     *
     * @param version         of the protocol that both speak
     * @param software        its name and version, for people
     * @param features        that it grants, see {@link Features}
     * @param bounds          its limits
     * @param keepAliveMillis time without a sign of life after which a client counts as gone [ms]
     * @param mechanisms      by which clients sign in, separated by spaces; empty if they do not. Only with
     * {@link Features#AUTHENTICATION}
     */
    record Welcome(int version, String software, long features, Bounds bounds, int keepAliveMillis, String mechanisms)
            implements Response {
        /** @return true if clients can sign in by that mechanism */
        public boolean offers(String mechanism) {
            return List.of(mechanisms.split(" ")).contains(mechanism);
        }

        /** @return longest content of a message [bytes] */
        public int contentMax() {
            return bounds.contentMax;
        }

        /** @return longest frame without its length, once registered [bytes] */
        public int payloadMax() {
            return bounds.payloadMax;
        }

        /** @return number of waiting requests that one connection may have */
        public int inFlightMax() {
            return bounds.inFlightMax;
        }

        /** @return most messages of a bulk transfer, queues of a send, and leases of a request */
        public int listMax() {
            return bounds.listMax;
        }

        /** @return longest wait of a query [ms] */
        public int waitMaxMillis() {
            return bounds.waitMaxMillis;
        }

        /** @return longest lease [ms] */
        public int leaseMaxMillis() {
            return bounds.leaseMaxMillis;
        }

        @Override
        public FrameType type() {
            return FrameType.WELCOME;
        }
    }

    /**
     * The limits of a broker.
     *
     * @param contentMax     longest content of a message [bytes]
     * @param payloadMax     longest frame after its length, once registered [bytes]
     * @param inFlightMax    requests of one connection that it has room for while they wait
     * @param listMax        most messages of a bulk transfer, queues of a send, and leases of a request
     * @param waitMaxMillis  longest wait of a query [ms]
     * @param leaseMaxMillis longest lease [ms]
     */
    record Bounds(int contentMax, int payloadMax, int inFlightMax, int listMax, int waitMaxMillis,
                  int leaseMaxMillis) {
    }

    /**
     * The request failed.
     *
     * @param status the reason; never {@link Status#OK}
     * @param text   one line for people that says what was wrong
     */
    record Failure(Status status, String text) implements Response {
        public Failure {
            Objects.requireNonNull(text);
            if (status == Status.OK || !status.isOnWire()) {
                throw new IllegalArgumentException("a broker does not fail with " + status);
            }
        }

        @Override
        public FrameType type() {
            return FrameType.FAILURE;
        }
    }
}

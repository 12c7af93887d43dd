package ch.ethz.mlmq.protocol;

import java.util.List;

/**
 * What a client asks of a broker; one record an operation.
 *
 * <p>Ids are those the broker handed out; 0 stands for "none" or "any". The records hold whatever they are given:
 * {@link Limits} says whether a broker accepts it.
 */
public sealed interface Request {
    FrameType type();

    /**
     * Makes this connection the client of that name, known from now on. Answered by {@link Response.Registered}.
     *
     * @param token of an earlier registration, to take the name over from its connection; or 0
     */
    record Register(String name, long token) implements Request {
        public Register(String name) {
            this(name, 0);
        }

        @Override
        public FrameType type() {
            return FrameType.REGISTER;
        }
    }

    /** Answered by {@link Response.QueueFound}. */
    record CreateQueue(String name) implements Request {
        @Override
        public FrameType type() {
            return FrameType.CREATE_QUEUE;
        }
    }

    /** Deletes a queue and the messages in it. Answered by {@link Response.Done}. */
    record DeleteQueue(int queue, boolean onlyIfEmpty) implements Request {
        @Override
        public FrameType type() {
            return FrameType.DELETE_QUEUE;
        }
    }

    /** Answered by {@link Response.QueueFound}. */
    record LookupQueue(String name) implements Request {
        @Override
        public FrameType type() {
            return FrameType.LOOKUP_QUEUE;
        }
    }

    /** Answered by {@link Response.ClientFound}. */
    record LookupClient(String name) implements Request {
        @Override
        public FrameType type() {
            return FrameType.LOOKUP_CLIENT;
        }
    }

    /** The personal queue of a client, by id or, where that is 0, by name. Answered by {@link Response.QueueFound}. */
    record LookupClientQueue(int client, String name) implements Request {
        @Override
        public FrameType type() {
            return FrameType.LOOKUP_CLIENT_QUEUE;
        }
    }

    /**
     * Puts a message into each of the queues, or into none of them. Answered by {@link Response.Done}.
     *
     * @param queues   ids, 1..1,000 of them
     * @param receiver id of the client that alone may take it, or 0
     * @param priority 1..10
     * @param context  or 0
     * @param key      for deduplication, or empty
     */
    record SendMessage(int[] queues, int receiver, int priority, long context, String key, byte[] content)
            implements Request {
        @Override
        public FrameType type() {
            return FrameType.SEND_MESSAGE;
        }
    }

    /** Puts a message into a client's personal queue. Answered by {@link Response.Done}. */
    record SendMessageToClient(int client, int priority, byte[] content) implements Request {
        @Override
        public FrameType type() {
            return FrameType.SEND_MESSAGE_TO_CLIENT;
        }
    }

    /** The same with a new context, unique over all brokers. Answered by {@link Response.ContextAssigned}. */
    record SendRequestToClient(int client, int priority, byte[] content) implements Request {
        @Override
        public FrameType type() {
            return FrameType.SEND_REQUEST_TO_CLIENT;
        }
    }

    /** The same with the context of the request it responds to. Answered by {@link Response.Done}. */
    record SendResponseToClient(int client, long context, int priority, byte[] content) implements Request {
        @Override
        public FrameType type() {
            return FrameType.SEND_RESPONSE_TO_CLIENT;
        }
    }

    /** Stores 1..1,000 messages, all or none of them. Answered by {@link Response.Done}. */
    record SendMessages(List<OutgoingMessage> messages) implements Request {
        @Override
        public FrameType type() {
            return FrameType.SEND_MESSAGES;
        }
    }

    /** Answered by {@link Response.PendingQueues} of at most {@code max} queues, 0..1,000. */
    record QueuesWithPendingMessages(int max) implements Request {
        @Override
        public FrameType type() {
            return FrameType.QUEUES_WITH_PENDING_MESSAGES;
        }
    }

    /** Shows a message and leaves it where it is; a peek does not wait. Answered by {@link Response.Delivery}. */
    record PeekMessage(MessageQuery query) implements Request {
        @Override
        public FrameType type() {
            return FrameType.PEEK_MESSAGE;
        }
    }

    /** Removes a message and hands it over. Answered by {@link Response.Delivery}. */
    record DequeueMessage(MessageQuery query) implements Request {
        @Override
        public FrameType type() {
            return FrameType.DEQUEUE_MESSAGE;
        }
    }

    /**
     * Removes up to {@code max} messages, 1..1,000, and no more than surely fit into a frame. Answered by
     * {@link Response.Deliveries}. A wait ends with the first message.
     */
    record DequeueMessages(MessageQuery query, int max) implements Request {
        @Override
        public FrameType type() {
            return FrameType.DEQUEUE_MESSAGES;
        }
    }

    /**
     * Hands a message over and hides it from others until it is acknowledged or the lease runs out. Answered by
     * {@link Response.Delivery}.
     *
     * @param leaseMillis [ms], 1..43,200,000
     */
    record ReceiveMessage(MessageQuery query, int leaseMillis) implements Request {
        @Override
        public FrameType type() {
            return FrameType.RECEIVE_MESSAGE;
        }
    }

    /** Removes a leased message for good. Answered by {@link Response.Done}. */
    record Acknowledge(long message, long leaseToken) implements Request {
        @Override
        public FrameType type() {
            return FrameType.ACKNOWLEDGE;
        }
    }

    /** Lets the lease run out {@code leaseMillis} [ms], 1..43,200,000, from now. Answered by {@link Response.Done}. */
    record Extend(long message, long leaseToken, int leaseMillis) implements Request {
        @Override
        public FrameType type() {
            return FrameType.EXTEND;
        }
    }

    /** Makes a leased message visible again at once. Answered by {@link Response.Done}. */
    record Release(long message, long leaseToken) implements Request {
        @Override
        public FrameType type() {
            return FrameType.RELEASE;
        }
    }

    /** Answered by {@link Response.Echoed} with the same bytes; needs no registration and no database. */
    record Echo(byte[] content) implements Request {
        @Override
        public FrameType type() {
            return FrameType.ECHO;
        }
    }

    /** Answered by {@link Response.StatusReport}; needs no registration. */
    record BrokerStatus() implements Request {
        @Override
        public FrameType type() {
            return FrameType.BROKER_STATUS;
        }
    }

    /** The client leaves. Answered by {@link Response.Done}, after which the broker closes the connection. */
    record Goodbye() implements Request {
        @Override
        public FrameType type() {
            return FrameType.GOODBYE;
        }
    }

    /**
     * The first frame of a connection, where it is one. Answered by {@link Response.Welcome}.
     *
     * @param version  of the protocol that the client speaks
     * @param features that it wants, see {@link Features}
     * @param software which it is, for people
     */
    record Hello(int version, long features, String software) implements Request {
        /** Begins the fields: "MLMQ". */
        public static final int MAGIC = 0x4d4c4d51;
        /** The version of the protocol that this library speaks. */
        public static final int VERSION = 1;

        @Override
        public FrameType type() {
            return FrameType.HELLO;
        }
    }

    /** A sign of life. Answered by {@link Response.Done}. */
    record KeepAlive() implements Request {
        @Override
        public FrameType type() {
            return FrameType.KEEP_ALIVE;
        }
    }
}

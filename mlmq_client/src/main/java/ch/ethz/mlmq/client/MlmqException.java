package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Status;

/** A request that did not succeed. Each status has its class, so that a caller can catch only what it can handle. */
public abstract sealed class MlmqException extends RuntimeException {
    private final transient Status status;

    private MlmqException(Status status, String message) {
        super(message);
        this.status = status;
    }

    public Status status() {
        return status;
    }

    /**
     * @param status any except {@link Status#OK}
     * @param text   one line for people
     */
    public static MlmqException of(Status status, String text) {
        return switch (status) {
            case OK -> throw new IllegalArgumentException("a successful request has no exception");
            case QUEUE_EXISTS -> new QueueExists(text);
            case QUEUE_DOES_NOT_EXIST -> new QueueDoesNotExist(text);
            case QUEUE_NOT_EMPTY -> new QueueNotEmpty(text);
            case CLIENT_DOES_NOT_EXIST -> new ClientDoesNotExist(text);
            case CLIENT_ALREADY_ONLINE -> new ClientAlreadyOnline(text);
            case BROKER_FULL -> new BrokerFull(text);
            case OVERLOADED -> new Overloaded(text);
            case CONTENT_TOO_LONG -> new ContentTooLong(text);
            case BROKER_ERROR -> new BrokerError(text);
            case INVALID_REQUEST -> new InvalidRequest(text);
            case PROTOCOL_ERROR -> new ProtocolError(text);
            case NOT_OWNER -> new NotOwner(text);
            case UNKNOWN_LEASE -> new UnknownLease(text);
            case NOT_REGISTERED -> new NotRegistered(text);
            case BROKER_STOPPING -> new BrokerStopping(text);
            case NOT_AUTHENTICATED -> new NotAuthenticated(text);
            case NOT_PERMITTED -> new NotPermitted(text);
            case TOPIC_EXISTS -> new TopicExists(text);
            case TOPIC_DOES_NOT_EXIST -> new TopicDoesNotExist(text);
            case SUBSCRIPTION_EXISTS -> new SubscriptionExists(text);
            case SUBSCRIPTION_DOES_NOT_EXIST -> new SubscriptionDoesNotExist(text);
            case TIMEOUT -> new Timeout(text);
            case CONNECTION_LOST, CONNECTION_CLOSED -> new ConnectionLost(text);
            case NOT_CONNECTED -> new NotConnected(text);
            case TOO_MANY_IN_FLIGHT -> new TooManyInFlight(text);
        };
    }

    /** A queue of that name already exists. */
    public static final class QueueExists extends MlmqException {
        private QueueExists(String text) {
            super(Status.QUEUE_EXISTS, text);
        }
    }

    /** There is no such queue, or it was deleted meanwhile. */
    public static final class QueueDoesNotExist extends MlmqException {
        private QueueDoesNotExist(String text) {
            super(Status.QUEUE_DOES_NOT_EXIST, text);
        }
    }

    /** The queue was to be deleted only if empty, and is not empty. */
    public static final class QueueNotEmpty extends MlmqException {
        private QueueNotEmpty(String text) {
            super(Status.QUEUE_NOT_EMPTY, text);
        }
    }

    /** There is no client of that name or id, or it was removed. */
    public static final class ClientDoesNotExist extends MlmqException {
        private ClientDoesNotExist(String text) {
            super(Status.CLIENT_DOES_NOT_EXIST, text);
        }
    }

    /** Another connection holds that name. */
    public static final class ClientAlreadyOnline extends MlmqException {
        private ClientAlreadyOnline(String text) {
            super(Status.CLIENT_ALREADY_ONLINE, text);
        }
    }

    /** The broker has its largest number of clients. */
    public static final class BrokerFull extends MlmqException {
        private BrokerFull(String text) {
            super(Status.BROKER_FULL, text);
        }
    }

    /** The broker has no room for the request, which was not executed and may be repeated later. */
    public static final class Overloaded extends MlmqException {
        private Overloaded(String text) {
            super(Status.OVERLOADED, text);
        }
    }

    /** The content is longer than the broker accepts. */
    public static final class ContentTooLong extends MlmqException {
        private ContentTooLong(String text) {
            super(Status.CONTENT_TOO_LONG, text);
        }
    }

    /** The broker failed, for instance because its database is unavailable. The request may have been executed. */
    public static final class BrokerError extends MlmqException {
        private BrokerError(String text) {
            super(Status.BROKER_ERROR, text);
        }
    }

    /** A value lies outside the limit that the message names. */
    public static final class InvalidRequest extends MlmqException {
        private InvalidRequest(String text) {
            super(Status.INVALID_REQUEST, text);
        }
    }

    /** Broker and client do not understand each other; the connection is closed. */
    public static final class ProtocolError extends MlmqException {
        private ProtocolError(String text) {
            super(Status.PROTOCOL_ERROR, text);
        }
    }

    /** The queue is the personal queue of another client. */
    public static final class NotOwner extends MlmqException {
        private NotOwner(String text) {
            super(Status.NOT_OWNER, text);
        }
    }

    /** The lease has expired, or the message was acknowledged or released. */
    public static final class UnknownLease extends MlmqException {
        private UnknownLease(String text) {
            super(Status.UNKNOWN_LEASE, text);
        }
    }

    /** The operation needs a registered client. */
    public static final class NotRegistered extends MlmqException {
        private NotRegistered(String text) {
            super(Status.NOT_REGISTERED, text);
        }
    }

    /** The broker is stopping; the request was not executed. */
    public static final class BrokerStopping extends MlmqException {
        private BrokerStopping(String text) {
            super(Status.BROKER_STOPPING, text);
        }
    }

    /** The connection has not signed in as a user. */
    public static final class NotAuthenticated extends MlmqException {
        private NotAuthenticated(String text) {
            super(Status.NOT_AUTHENTICATED, text);
        }
    }

    /** The user may not do that. */
    public static final class NotPermitted extends MlmqException {
        private NotPermitted(String text) {
            super(Status.NOT_PERMITTED, text);
        }
    }

    /** A topic of that name already exists. */
    public static final class TopicExists extends MlmqException {
        private TopicExists(String text) {
            super(Status.TOPIC_EXISTS, text);
        }
    }

    /** There is no such topic, or it was deleted meanwhile. */
    public static final class TopicDoesNotExist extends MlmqException {
        private TopicDoesNotExist(String text) {
            super(Status.TOPIC_DOES_NOT_EXIST, text);
        }
    }

    /** The topic has a subscription of that name with another filter, durability or client. */
    public static final class SubscriptionExists extends MlmqException {
        private SubscriptionExists(String text) {
            super(Status.SUBSCRIPTION_EXISTS, text);
        }
    }

    /** The topic has no such subscription, or it has ended. */
    public static final class SubscriptionDoesNotExist extends MlmqException {
        private SubscriptionDoesNotExist(String text) {
            super(Status.SUBSCRIPTION_DOES_NOT_EXIST, text);
        }
    }

    /** No response came in time; it is not known whether the request was executed. */
    public static final class Timeout extends MlmqException {
        private Timeout(String text) {
            super(Status.TIMEOUT, text);
        }
    }

    /** The connection was lost before the response; it is not known whether the request was executed. */
    public static final class ConnectionLost extends MlmqException {
        private ConnectionLost(String text) {
            super(Status.CONNECTION_LOST, text);
        }
    }

    /** There is no connection at present; the request was not sent. */
    public static final class NotConnected extends MlmqException {
        private NotConnected(String text) {
            super(Status.NOT_CONNECTED, text);
        }
    }

    /** The largest number of requests is in flight; the request was not sent. */
    public static final class TooManyInFlight extends MlmqException {
        private TooManyInFlight(String text) {
            super(Status.TOO_MANY_IN_FLIGHT, text);
        }
    }
}

package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.limit.QueueLimits;
import ch.ethz.mlmq.storage.topic.Subscriptions;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;

/** Failures that several operations return. */
public final class Failures {
    private Failures() {
    }

    /** @return true if a storage has refused the request because its user has too many queues, topics or clients */
    public static boolean isOfUsersLimit(Request request, Response response) {
        return response instanceof Response.Failure failure && failure.status() == Status.OVERLOADED
                && switch (request.type()) {
                    case REGISTER, CREATE_QUEUE, CREATE_TOPIC, SUBSCRIBE -> true;
                    default -> false;
                };
    }

    /** @param queue id or name */
    public static Response.Failure noQueue(Object queue) {
        return new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, "there is no queue " + queue);
    }

    /** @param client id or name */
    public static Response.Failure noClient(Object client) {
        return new Response.Failure(Status.CLIENT_DOES_NOT_EXIST, "there is no client " + client);
    }

    /** @param topic id or name */
    public static Response.Failure noTopic(Object topic) {
        return new Response.Failure(Status.TOPIC_DOES_NOT_EXIST, "there is no topic " + topic);
    }

    /** @param name of the topic */
    public static Response.Failure topicExists(String name) {
        return new Response.Failure(Status.TOPIC_EXISTS, "there is a topic " + name + " already");
    }

    /** @param name of the subscription */
    public static Response.Failure noSubscription(String name) {
        return new Response.Failure(Status.SUBSCRIPTION_DOES_NOT_EXIST, "the topic has no subscription " + name);
    }

    /** @param name of the subscription */
    public static Response.Failure otherSubscription(String name) {
        return new Response.Failure(Status.SUBSCRIPTION_EXISTS, "the topic has a subscription " + name
                + " with another filter, or of another client or user, or dead letters of such a one; unsubscribe or "
                + "empty them first");
    }

    /** @param name of the subscription */
    public static Response.Failure notSubscriber(String name) {
        return new Response.Failure(Status.NOT_OWNER, "subscription " + name + " is that of another client or user");
    }

    /** Refuses a further subscription of a topic. */
    public static Response.Failure topicIsFull() {
        return new Response.Failure(Status.INVALID_REQUEST, "a topic has at most " + Subscriptions.MAX
                + " subscriptions, whose filters have at most " + Subscriptions.MAX_WEIGHT
                + " characters together, where each LIKE counts " + Subscriptions.WEIGHT_OF_LIKE
                + " more; unsubscribe some, or use another topic");
    }

    /** @param copies number of subscriptions that the message is for */
    public static Response.Failure tooMuchToCopy(int copies) {
        return new Response.Failure(Status.CONTENT_TOO_LONG, "a publish stores at most "
                + (Subscriptions.MAX_COPIED_BYTES >> 20) + " MB, and this message is for " + copies
                + " subscriptions");
    }

    /** @param queue that has no room for all that was to be stored */
    public static Response.Failure queueIsFull(int queue, QueueLimits limits) {
        return new Response.Failure(Status.OVERLOADED, "queue " + queue + " is full: it is limited to " + limits
                + "; nothing was stored");
    }

    /** @param topic id */
    public static Response.Failure subscriptionsChange(int topic) {
        return new Response.Failure(Status.OVERLOADED, "the subscriptions of topic " + topic
                + " have changed again and again; publish again later");
    }

    /** Refuses a receiver other than the owner in a personal queue. */
    public static Response.Failure notForReceiver(int queue) {
        return new Response.Failure(Status.INVALID_REQUEST,
                "queue " + queue + " is a personal queue: only its owner can be the receiver");
    }

    /** Refuses the personal queue of another client. */
    public static Response.Failure notOwner(int queue) {
        return new Response.Failure(Status.NOT_OWNER, "queue " + queue + " is the personal queue of another client");
    }

    /** Refuses to delete a personal queue, even for its owner. */
    public static Response.Failure staysWithClient(int queue, int owner, int client) {
        return owner == client ? new Response.Failure(Status.INVALID_REQUEST,
                "queue " + queue + " is this client's own personal queue, which cannot be deleted") : notOwner(queue);
    }

    /** @param name of the queue of a client's dead letters */
    public static Response.Failure noDeadLetters(String name) {
        return new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, "there is no queue " + name
                + ": the client has no dead letters");
    }

    /** @param message id */
    public static Response.Failure unknownLease(long message) {
        return new Response.Failure(Status.UNKNOWN_LEASE,
                "message " + message + " is not leased under this token (any more)");
    }

    /** @param message id */
    public static Response.Failure leaseIsLocked(long message) {
        return new Response.Failure(Status.BROKER_ERROR, "another transaction of the database has locked the lease of "
                + "message " + message + " for too long");
    }

    /** Reports that messages were being stored all the time, so that the outcome could not be decided. */
    public static Response.Failure messagesAreBeingStored(Duration within) {
        return new Response.Failure(Status.OVERLOADED, "messages were being stored whenever the broker looked, for "
                + within.toMillis() + " ms, so the queue may not be empty; retry");
    }

    /**
     * Reports a failure of the database; details such as address and user are only in the log. A cause of the class
     * {@link SQLTimeoutException} comes from the broker, and speaks to the client.
     */
    public static Response.Failure databaseFailed(SQLException e) {
        if (e.getCause() instanceof SQLTimeoutException timeout) {
            return new Response.Failure(Status.BROKER_ERROR, timeout.getMessage());
        }
        return new Response.Failure(Status.BROKER_ERROR, "the broker's database failed"
                + (e.getSQLState() == null ? "" : " (SQL state " + e.getSQLState() + ")")
                + "; the broker's log has the reason");
    }
}

package ch.ethz.mlmq.protocol;

/** The outcome of a request. Codes below 100 are sent on the wire; the client itself sets the others. */
public enum Status {
    /** The request succeeded. */
    OK(0),
    /** A queue of that name already exists. */
    QUEUE_EXISTS(1),
    /** There is no such queue, or it was deleted meanwhile. */
    QUEUE_DOES_NOT_EXIST(2),
    /** The queue was to be deleted only if empty, and is not empty. */
    QUEUE_NOT_EMPTY(3),
    /** There is no client of that name or id, or it was removed. */
    CLIENT_DOES_NOT_EXIST(4),
    /** Another connection, to this broker or another, holds that name. */
    CLIENT_ALREADY_ONLINE(5),
    /** The broker has its largest number of clients. */
    BROKER_FULL(6),
    /** The broker has no room for the request; the text names the limit. The request was not executed. */
    OVERLOADED(7),
    /** The content is longer than the broker accepts. */
    CONTENT_TOO_LONG(8),
    /** The broker failed, for instance because its database is unavailable. The request may have been executed. */
    BROKER_ERROR(9),
    /** A value lies outside its limit; the text names the limit. */
    INVALID_REQUEST(10),
    /** The bytes are no frame of this protocol; the connection is closed after this response. */
    PROTOCOL_ERROR(11),
    /** The queue is the personal queue of another client. */
    NOT_OWNER(12),
    /** The lease token belongs to no current delivery: it has expired, or the message was acknowledged or released. */
    UNKNOWN_LEASE(13),
    /** The operation needs a registered client, and this connection has not registered. */
    NOT_REGISTERED(14),
    /** The broker is stopping; the request was not executed. */
    BROKER_STOPPING(15),
    /** The broker closes this connection; the text names the exceeded limit, or the client's new connection. */
    CONNECTION_CLOSED(16),
    /** The connection has not signed in as a user, or not with a right password; in the latter case it is closed. */
    NOT_AUTHENTICATED(17),
    /** The user may not do that; nothing was executed. */
    NOT_PERMITTED(18),
    /** A topic of that name already exists. */
    TOPIC_EXISTS(19),
    /** There is no such topic, or it was deleted meanwhile. */
    TOPIC_DOES_NOT_EXIST(20),
    /** The topic has a subscription of that name with another filter, durability or client. */
    SUBSCRIPTION_EXISTS(21),
    /** The topic has no such subscription, or it has ended. */
    SUBSCRIPTION_DOES_NOT_EXIST(22),

    /** No response came in time; it is not known whether the request was executed. */
    TIMEOUT(100),
    /** The connection was lost before the response; it is not known whether the request was executed. */
    CONNECTION_LOST(101),
    /** There is no connection at present; the request was not sent. */
    NOT_CONNECTED(102),
    /** The largest number of requests is in flight; the request was not sent. */
    TOO_MANY_IN_FLIGHT(103);

    private static final Status[] WIRE = wireStatuses();

    private final int code;

    Status(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** @return true if a broker may send it */
    public boolean isOnWire() {
        return code < TIMEOUT.code;
    }

    /** @return the status, or null if no status of that code is sent on the wire */
    public static Status ofWire(int code) {
        return code < 0 || code >= WIRE.length ? null : WIRE[code];
    }

    private static Status[] wireStatuses() {
        Status[] wire = new Status[SUBSCRIPTION_DOES_NOT_EXIST.code + 1];
        for (Status status : values()) {
            if (status.isOnWire()) {
                wire[status.code] = status;
            }
        }
        return wire;
    }
}

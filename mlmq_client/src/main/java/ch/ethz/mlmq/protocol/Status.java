package ch.ethz.mlmq.protocol;

/** How a request ended. Codes below 100 travel on the wire; the others are found by the client itself. */
public enum Status {
    /** Done as asked. */
    OK(0),
    /** A queue of that name is there already. */
    QUEUE_EXISTS(1),
    /** No such queue, or it was deleted meanwhile. */
    QUEUE_DOES_NOT_EXIST(2),
    /** The queue was to be deleted only if empty, and is not. */
    QUEUE_NOT_EMPTY(3),
    /** No client of that name or id has ever registered. */
    CLIENT_DOES_NOT_EXIST(4),
    /** Another connection, to this broker or another, holds that name. */
    CLIENT_ALREADY_ONLINE(5),
    /** The broker has as many clients as it may have. */
    BROKER_FULL(6),
    /** The broker has no room for the request; the text says which room. It was not executed. */
    OVERLOADED(7),
    /** The content is longer than the broker accepts. */
    CONTENT_TOO_LONG(8),
    /**
     * The broker could not do it, for instance because its database is away; where that went meanwhile it may be done.
     */
    BROKER_ERROR(9),
    /** A value lies outside its limit; the text names the limit. */
    INVALID_REQUEST(10),
    /** The bytes are no frame of this protocol; the connection is closed after this answer. */
    PROTOCOL_ERROR(11),
    /** The queue is the personal queue of another client. */
    NOT_OWNER(12),
    /** The lease token belongs to no current delivery: it ran out, or was acknowledged or released. */
    UNKNOWN_LEASE(13),
    /** The operation needs a registered client, and this connection has not registered. */
    NOT_REGISTERED(14),
    /** The broker is stopping; the request was not executed. */
    BROKER_STOPPING(15),
    /** The broker closes this connection; the text says which limit it went beyond, or who takes its place. */
    CONNECTION_CLOSED(16),

    /** No answer in time; whether the request was executed is not known. */
    TIMEOUT(100),
    /** The connection was lost before the answer; whether the request was executed is not known. */
    CONNECTION_LOST(101),
    /** There is no connection at present; the request was not sent. */
    NOT_CONNECTED(102),
    /** As many requests are in flight as may be; the request was not sent. */
    TOO_MANY_IN_FLIGHT(103);

    private static final Status[] WIRE = wireStatuses();

    private final int code;

    Status(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** @return whether a broker may send it */
    public boolean isOnWire() {
        return code < TIMEOUT.code;
    }

    /** @return null where no status of that code travels on the wire */
    public static Status ofWire(int code) {
        return code < 0 || code >= WIRE.length ? null : WIRE[code];
    }

    private static Status[] wireStatuses() {
        Status[] wire = new Status[CONNECTION_CLOSED.code + 1];
        for (Status status : values()) {
            if (status.isOnWire()) {
                wire[status.code] = status;
            }
        }
        return wire;
    }
}

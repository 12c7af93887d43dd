package ch.ethz.mlmq.broker.status;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a broker, from its start on. */
public final class Counters {
    /** Open connections. */
    public final AtomicInteger clients = new AtomicInteger();
    /** Open connections beyond a limit of the broker or of their address. They are not among {@link #clients}. */
    public final AtomicInteger refusedClients = new AtomicInteger();
    final LongAdder requests = new LongAdder();
    final LongAdder sends = new LongAdder();
    final LongAdder takes = new LongAdder();
    /** Failed requests, except shed ones, and protocol errors. */
    public final LongAdder errors = new LongAdder();
    /** Requests that were shed because there was no room for them. */
    public final LongAdder shed = new LongAdder();
    /** Requests and connections that were refused because of a limit of their user or address. */
    public final LongAdder limited = new LongAdder();
    /** Connections that the broker closed because of one of its limits. */
    public final LongAdder sentAway = new LongAdder();
    /** Active time of I/O threads [ns]. */
    public final LongAdder ioNanos = new LongAdder();
    /** Active time of workers [ns]. */
    public final LongAdder workerNanos = new LongAdder();
    /** Time in the storage [ns]. */
    public final LongAdder persistenceNanos = new LongAdder();

    /** Counts a received request. */
    public void received(FrameType request) {
        switch (request) {
            case SEND_MESSAGE, SEND_MESSAGES, SEND_MESSAGE_TO_CLIENT, SEND_REQUEST_TO_CLIENT,
                    SEND_RESPONSE_TO_CLIENT -> sends.increment();
            case DEQUEUE_MESSAGE, DEQUEUE_MESSAGES, RECEIVE_MESSAGE, RECEIVE_MESSAGES,
                    PEEK_MESSAGE -> takes.increment();
            default -> { }
        }
        requests.increment();
    }

    /** Counts a request by its response. */
    public void answered(Request request, Response response) {
        if (response instanceof Response.Failure failure && !isWhatWasAsked(request, failure.status())) {
            errors.increment();
        }
    }

    /**
     * Finding no queue, or one that exists already, is no error: clients look a queue up and create it if it is
     * missing.
     */
    private static boolean isWhatWasAsked(Request request, Status status) {
        return switch (request.type()) {
            case LOOKUP_QUEUE -> status == Status.QUEUE_DOES_NOT_EXIST;
            case LOOKUP_CLIENT, LOOKUP_CLIENT_QUEUE -> status == Status.CLIENT_DOES_NOT_EXIST;
            case CREATE_QUEUE -> status == Status.QUEUE_EXISTS;
            default -> false;
        };
    }
}

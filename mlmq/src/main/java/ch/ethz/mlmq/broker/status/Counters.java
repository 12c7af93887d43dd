package ch.ethz.mlmq.broker.status;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a broker counts from its start on. */
public final class Counters {
    /** Connections that are open. */
    public final AtomicInteger clients = new AtomicInteger();
    final LongAdder requests = new LongAdder();
    final LongAdder sends = new LongAdder();
    final LongAdder takes = new LongAdder();
    /** Requests that failed, unless they were shed, and protocol errors. */
    public final LongAdder errors = new LongAdder();
    /** Requests for which there was no room. */
    public final LongAdder shed = new LongAdder();
    /** Connections that the broker closed because of one of its limits. */
    public final LongAdder sentAway = new LongAdder();
    /** At work in I/O threads [ns]. */
    public final LongAdder ioNanos = new LongAdder();
    /** At work in workers [ns]. */
    public final LongAdder workerNanos = new LongAdder();
    /** In the storage [ns]. */
    public final LongAdder persistenceNanos = new LongAdder();

    /** A request has come. */
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

    /** A request has its answer. */
    public void answered(Request request, Response response) {
        if (response instanceof Response.Failure failure && !isWhatWasAsked(request, failure.status())) {
            errors.increment();
        }
    }

    /** Whoever gets hold of a queue looks it up and makes it where it is missing: neither is an error of anybody. */
    private static boolean isWhatWasAsked(Request request, Status status) {
        return switch (request.type()) {
            case LOOKUP_QUEUE -> status == Status.QUEUE_DOES_NOT_EXIST;
            case LOOKUP_CLIENT, LOOKUP_CLIENT_QUEUE -> status == Status.CLIENT_DOES_NOT_EXIST;
            case CREATE_QUEUE -> status == Status.QUEUE_EXISTS;
            default -> false;
        };
    }
}

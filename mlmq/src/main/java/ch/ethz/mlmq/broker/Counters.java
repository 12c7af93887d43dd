package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a broker counts from its start on. */
final class Counters {
    final AtomicInteger clients = new AtomicInteger();
    final LongAdder requests = new LongAdder();
    final LongAdder sends = new LongAdder();
    final LongAdder takes = new LongAdder();
    /** Requests that failed, unless they were shed, and protocol errors. */
    final LongAdder errors = new LongAdder();
    final LongAdder shed = new LongAdder();
    /** Connections that the broker closed because of one of its limits. */
    final LongAdder sentAway = new LongAdder();
    final LongAdder ioNanos = new LongAdder();
    final LongAdder workerNanos = new LongAdder();
    final LongAdder persistenceNanos = new LongAdder();

    void received(FrameType request) {
        switch (request) {
            case SEND_MESSAGE, SEND_MESSAGES, SEND_MESSAGE_TO_CLIENT, SEND_REQUEST_TO_CLIENT,
                    SEND_RESPONSE_TO_CLIENT -> sends.increment();
            case DEQUEUE_MESSAGE, DEQUEUE_MESSAGES, RECEIVE_MESSAGE, PEEK_MESSAGE -> takes.increment();
            default -> { }
        }
        requests.increment();
    }

    void answered(Request request, Response response) {
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

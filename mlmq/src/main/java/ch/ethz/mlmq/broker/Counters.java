package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.FrameType;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a broker counts from its start on. */
final class Counters {
    final AtomicInteger clients = new AtomicInteger();
    final LongAdder requests = new LongAdder();
    final LongAdder sends = new LongAdder();
    final LongAdder takes = new LongAdder();
    /** Requests answered with a failure other than OVERLOADED, and protocol errors. */
    final LongAdder errors = new LongAdder();
    final LongAdder shed = new LongAdder();
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
}

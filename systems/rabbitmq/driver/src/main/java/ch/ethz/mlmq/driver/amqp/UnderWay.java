package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A submitted request. It ends once, by the first of these: the response, its time limit, the end of the connection.
 */
class UnderWay {
    private final Completion completion;
    private final long sentNanos = System.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();

    UnderWay(Completion completion) {
        this.completion = completion;
    }

    boolean isEnded() {
        return ended.get();
    }

    /** @return when it was submitted [ns] */
    long sentNanos() {
        return sentNanos;
    }

    /** @return time since its submission [ns] */
    long ageNanos(long nowNanos) {
        return nowNanos - sentNanos;
    }

    /** @return true if this call ended it */
    boolean end(Status status, Response response) {
        if (!claim()) {
            return false;
        }
        tell(status, response);
        return true;
    }

    boolean succeed(Response response) {
        return end(Status.OK, response);
    }

    boolean fail(Status status, String text) {
        return end(status, new Response.Failure(status, text));
    }

    /** @return true if no other thread has ended it, so that the caller must report the outcome */
    boolean claim() {
        return ended.compareAndSet(false, true);
    }

    void tell(Status status, Response response) {
        tell(status, response, sentNanos, System.nanoTime());
    }

    /** Reports the outcome of a request that was sent later than it was submitted [ns]. */
    void tell(Status status, Response response, long sent, long end) {
        completion.completed(0, status, response, sent, end);
    }
}

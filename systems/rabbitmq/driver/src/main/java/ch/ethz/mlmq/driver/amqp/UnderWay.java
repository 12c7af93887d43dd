package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A request that was submitted. It ends once, by whoever comes first: the answer, its time, the end of the
 * connection.
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

    /** @return how long it has been under way [ns] */
    long ageNanos(long nowNanos) {
        return nowNanos - sentNanos;
    }

    /** @return whether it ended by this */
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

    /** @return whether nobody else ended it, so that whoever asks must tell how */
    boolean claim() {
        return ended.compareAndSet(false, true);
    }

    void tell(Status status, Response response) {
        tell(status, response, sentNanos, System.nanoTime());
    }

    /** The same, of a request that was sent at another time than it was submitted [ns]. */
    void tell(Status status, Response response, long sent, long end) {
        completion.completed(0, status, response, sent, end);
    }
}

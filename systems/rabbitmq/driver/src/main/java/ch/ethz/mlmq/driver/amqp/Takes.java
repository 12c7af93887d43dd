package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Status;
import java.io.IOException;

/** Takes messages from the queues of a connection. */
interface Takes {
    /**
     * @param context that the message must have; 0 for any
     * @return OK; the completion gets a message or none
     */
    Status take(int queue, long context, Completion completion) throws IOException;

    /** Ends requests that are in flight for too long. */
    void endWaits(long nowNanos, long timeoutNanos);

    /** Ends all requests after the connection was lost. */
    void endAll();
}

package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Status;
import java.io.IOException;

/** How messages are taken from queues of a connection. */
interface Takes {
    /**
     * @param context that the message must have; 0 for any
     * @return OK; the completion is told of a message or of none
     */
    Status take(int queue, long context, Completion completion) throws IOException;

    /** Ends what is under way for longer than it may. */
    void endWaits(long nowNanos, long timeoutNanos);

    /** The connection is lost. */
    void endAll();
}

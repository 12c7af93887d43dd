package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.protocol.Status;
import java.io.IOException;

/** Takes messages from the queues of a connection. */
interface Takes {
    /** @return OK; the completion gets messages or none */
    Status take(Retrieval retrieval) throws IOException;

    /** Ends requests that are in flight for too long. */
    void endWaits(long nowNanos, long timeoutNanos);

    /** Ends all requests after the connection was lost. */
    void endAll();
}

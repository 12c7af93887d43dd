package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.CompletableFuture;

/** One client's link to the system that executes its requests. */
public interface Link {

    /**
     * @param completion called once, by any thread, if the status is OK; otherwise never
     * @return {@link Status#OK}, or why the request could not be sent
     */
    Status submit(Request request, Completion completion);

    /** @return true if requests can be sent now */
    boolean isConnected();

    /** @return one line for people about the state of the connection */
    String state();

    /** @return one line for people with the reason of a status that came without a response */
    default String reason(Status status) {
        return status == Status.TIMEOUT ? "no response in time, " + state() : state();
    }

    /** Says goodbye and closes the link. */
    CompletableFuture<Void> close();
}

package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.CompletableFuture;

/** One client's way to whatever executes its requests. */
public interface Link {

    /**
     * @param completion called once, by any thread, where the status is OK; else never
     * @return {@link Status#OK}, or why the request could not be sent
     */
    Status submit(Request request, Completion completion);

    /** @return whether requests can be sent now */
    boolean isConnected();

    /** @return one line for people about the state of the connection */
    String state();

    /** @return one line for people about why a request ended so, without an answer */
    default String reason(Status status) {
        return status == Status.TIMEOUT ? "no answer in time, " + state() : state();
    }

    /** Says goodbye. */
    CompletableFuture<Void> close();
}

package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** A link whose requests a test answers. */
public record ConnectedLink(BiFunction<Request, Completion, Status> server) implements Link {
    @Override
    public Status submit(Request request, Completion completion) {
        return server.apply(request, completion);
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public String state() {
        return "connected";
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.completedFuture(null);
    }
}

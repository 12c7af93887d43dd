package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** A link whose requests a test answers. */
public record ConnectedLink(BiFunction<Request, Completion, Status> server) implements Link {
    /** @return a factory of such links */
    public static LinkFactory each(BiFunction<Request, Completion, Status> server) {
        return new LinkFactory() {
            @Override
            public Link open(ClientId id, Runnable changed) {
                return new ConnectedLink(server);
            }

            @Override
            public String target() {
                return "a server in a test";
            }

            @Override
            public void close() {
            }
        };
    }

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

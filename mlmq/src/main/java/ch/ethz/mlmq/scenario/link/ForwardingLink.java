package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.CompletableFuture;

/** A link that changes requests on their way to another link. */
abstract class ForwardingLink implements Link {
    final Link link;

    ForwardingLink(Link link) {
        this.link = link;
    }

    @Override
    public boolean isConnected() {
        return link.isConnected();
    }

    @Override
    public String state() {
        return link.state();
    }

    @Override
    public String reason(Status status) {
        return link.reason(status);
    }

    @Override
    public CompletableFuture<Void> close() {
        return link.close();
    }
}

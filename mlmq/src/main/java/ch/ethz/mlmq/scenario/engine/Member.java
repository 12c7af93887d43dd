package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that connects, and asks the broker for what it needs before it takes part in the load. */
final class Member {
    private final ClientId id;
    private final AtomicInteger connected;
    private final Link link;
    private volatile boolean opened;
    private volatile Runnable whenChanged = () -> { };
    private Response.Registered registered = new Response.Registered(0, 0);
    private boolean counted;

    /** @param connected counts the members whose link is connected */
    Member(ClientId id, LinkFactory links, AtomicInteger connected) {
        this.id = id;
        this.connected = connected;
        this.link = links.open(id, this::changed);
        opened = true;
        changed();
    }

    ClientId id() {
        return id;
    }

    Link link() {
        return link;
    }

    /** @param listener called whenever the state of the link may have changed */
    void whenChanged(Runnable listener) {
        whenChanged = listener;
    }

    /** @return the client's registration; its ids are 0 if the client did not register */
    Response.Registered registered() {
        return registered;
    }

    void registered(Response.Registered answer) {
        registered = answer;
    }

    /** @return the response, or an {@link MlmqException} */
    CompletableFuture<Response> ask(Request request) {
        CompletableFuture<Response> future = new CompletableFuture<>();
        Status refused = link.submit(request, (tag, status, response, sentNanos, endNanos) -> {
            if (status == Status.OK) {
                future.complete(response);
            } else {
                future.completeExceptionally(MlmqException.of(status,
                        response instanceof Response.Failure failure ? failure.text() : link.reason(status)));
            }
        });
        if (refused != Status.OK) {
            future.completeExceptionally(MlmqException.of(refused, link.state()));
        }
        return future;
    }

    /** @return the response to a request that is sent as soon as there is a connection, or an {@link MlmqException} */
    CompletableFuture<Response> askWhenConnected(Request request) {
        CompletableFuture<Response> future = new CompletableFuture<>();
        AtomicBoolean asked = new AtomicBoolean();
        whenChanged = () -> {
            if (link.isConnected() && asked.compareAndSet(false, true)) {
                ask(request).whenComplete((response, failure) -> {
                    if (failure == null) {
                        future.complete(response);
                    } else {
                        future.completeExceptionally(failure);
                    }
                });
            }
        };
        changed();
        return future;
    }

    /**
     * Repeats a request until its response is final.
     *
     * @param deadlineNanos when to give up [ns]
     */
    Response askUntil(Request request, long deadlineNanos) {
        return new Question(this, request).response(deadlineNanos);
    }

    private void changed() {
        if (opened) {
            count();
            whenChanged.run();
        }
    }

    private synchronized void count() {
        if (link.isConnected() != counted) {
            counted = !counted;
            connected.addAndGet(counted ? 1 : -1);
        }
    }
}

package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A client that connects, and asks the broker for what it needs before it takes part in the load. */
final class Member {
    private static final long BETWEEN_TRIES_NANOS = 100_000_000;
    /** Time beyond the deadline for a request sent just before it to get its response, or its own timeout. */
    private static final long GRACE_NANOS = 1_000_000_000;

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
        CompletableFuture<Response> first = ask(request);
        return await(first, request, deadlineNanos);
    }

    /** Waits for the response to a request in flight, and repeats the request if that may help. */
    Response await(CompletableFuture<Response> asked, Request request, long deadlineNanos) {
        CompletableFuture<Response> answer = asked;
        while (true) {
            try {
                return answer.get(Math.max(0, deadlineNanos + GRACE_NANOS - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                throw MlmqException.of(Status.NOT_CONNECTED, link.state());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw MlmqException.of(Status.NOT_CONNECTED, "interrupted");
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof MlmqException failure)) {
                    throw new IllegalStateException(e);
                }
                if (!isTransient(failure.status()) || System.nanoTime() - deadlineNanos > 0) {
                    throw failure;
                }
            }
            LockSupport.parkNanos(BETWEEN_TRIES_NANOS);
            answer = ask(request);
        }
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

    private static boolean isTransient(Status status) {
        return switch (status) {
            case OVERLOADED, BROKER_ERROR, BROKER_STOPPING, TIMEOUT, CONNECTION_LOST, NOT_CONNECTED, TOO_MANY_IN_FLIGHT,
                    CLIENT_ALREADY_ONLINE -> true;
            default -> false;
        };
    }
}

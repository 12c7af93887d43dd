package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Turns requests of a session into futures, and their failures into exceptions. */
final class FutureCalls {
    private final Session session;
    private final ClientConfig config;

    FutureCalls(Session session, ClientConfig config) {
        this.session = session;
        this.config = config;
    }

    CompletableFuture<Void> done(Request request) {
        return call(request, Response.Done.class, done -> null);
    }

    /** An empty name is refused here, as it would make a temporary client. */
    CompletableFuture<Response.Registered> register(String name) {
        Request.Register request = new Request.Register(name);
        return name.isEmpty() ? CompletableFuture.failedFuture(failure(request, Status.INVALID_REQUEST,
                Limits.defaults().violation(request).orElseThrow()))
                : call(request, Response.Registered.class, Function.identity());
    }

    /** Registers a temporary client. */
    CompletableFuture<Response.Registered> register() {
        return session.state() != ClientState.CONNECTED || session.has(Features.TEMPORARY_CLIENTS)
                ? call(new Request.Register(""), Response.Registered.class, Function.identity())
                : CompletableFuture.failedFuture(MlmqException.of(Status.INVALID_REQUEST, "the broker is too old for "
                        + "clients without a name: it did not grant the feature temporary clients; register a name"));
    }

    CompletableFuture<Optional<Message>> delivery(Request request) {
        return call(request, Response.Delivery.class, delivery -> Optional.ofNullable(delivery.message()));
    }

    CompletableFuture<Response.PendingQueues> pending(Request.QueuesWithPendingMessages request) {
        return call(request, Response.PendingQueues.class, Function.identity());
    }

    /** Receives at most one message, in a list, if the broker does not have bulk leases. */
    CompletableFuture<List<Message>> receive(Request.ReceiveMessages bulk) {
        return call(bulk, Response.Deliveries.class, Response.Deliveries::messages, () -> call(
                new Request.ReceiveMessage(bulk.query(), bulk.leaseMillis()), Response.Delivery.class,
                delivery -> delivery.message() == null ? List.of() : List.of(delivery.message())));
    }

    /** @param single the request for one lease, for a broker without bulk leases */
    CompletableFuture<List<Status>> each(Request.OfLeases bulk, Function<Lease, Request> single) {
        return call(bulk, Response.LeaseStatuses.class, Response.LeaseStatuses::statuses,
                () -> new LeaseByLease(session, bulk.leases(), single,
                        (status, response) -> failure(bulk, status, response)).start());
    }

    /** @param instead is called if the broker does not know the request */
    private <R extends Response, T> CompletableFuture<T> call(Request request, Class<R> expected,
            Function<R, T> result, Supplier<CompletableFuture<T>> instead) {
        FutureCall<R, T> call = new FutureCall<>(expected, result, Pending.takes(request),
                (status, response) -> failure(request, status, response));
        Status refused = session.submit(request, 0, call);
        if (refused == Status.INVALID_REQUEST) {
            return Limits.defaults().violation(request)
                    .map(violation -> CompletableFuture.<T>failedFuture(failure(request, refused, violation)))
                    .orElseGet(instead);
        }
        if (refused != Status.OK) {
            call.refused(refused);
        }
        return call;
    }

    <R extends Response, T> CompletableFuture<T> call(Request request, Class<R> expected, Function<R, T> result) {
        return call(request, expected, result, () -> CompletableFuture.failedFuture(MlmqException.of(
                Status.INVALID_REQUEST, "the broker is too old for " + request.type().label()
                        + ": it did not grant the feature " + Features.nameOf(request))));
    }

    private MlmqException failure(Request request, Status status, Response response) {
        if (response instanceof Response.Failure failure) {
            return MlmqException.of(status, failure.text());
        }
        String operation = request.type().label();
        return switch (status) {
            case TIMEOUT -> MlmqException.of(status,
                    "no response to " + operation + " within " + session.timeoutMillis(request) + " ms");
            case NOT_CONNECTED -> MlmqException.of(status, "not connected: " + session.reason());
            case CONNECTION_LOST -> MlmqException.of(status,
                    "the connection was lost before the response to " + operation + ": " + session.reason());
            case TOO_MANY_IN_FLIGHT -> MlmqException.of(status,
                    config.inflightMax() + " requests are in flight, or too many of their bytes wait to be sent");
            case CONTENT_TOO_LONG -> MlmqException.of(status,
                    operation + " is longer than a frame of " + config.maxPayloadBytes() + " bytes");
            default -> MlmqException.of(Status.PROTOCOL_ERROR, operation + " got a response of another type");
        };
    }
}

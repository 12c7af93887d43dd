package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.Software;
import java.util.concurrent.TimeUnit;

/** Answers what concerns the connection itself, and needs neither a worker nor the storage. */
final class Handshake {
    private final BrokerLimits limits;

    Handshake(BrokerLimits limits) {
        this.limits = limits;
    }

    /** @return the answer, or null where the request is one for the workers */
    Response answer(ClientConnection connection, Request request) {
        if (request instanceof Request.Hello hello) {
            return welcome(connection, hello);
        }
        return request instanceof Request.KeepAlive ? Response.Done.INSTANCE : null;
    }

    private Response welcome(ClientConnection connection, Request.Hello hello) {
        if (connection.hasSpoken) {
            return new Response.Failure(Status.INVALID_REQUEST, "hello is the first request of a connection, or none");
        }
        if (hello.version() < 1) {
            return new Response.Failure(Status.INVALID_REQUEST,
                    "the version of the protocol is 1 or more, not " + hello.version());
        }
        long granted = hello.features() & Features.ALL;
        connection.granted(granted);
        return new Response.Welcome(Math.min(hello.version(), Request.Hello.VERSION), Software.NAME, granted,
                limits.protocol().maxContentBytes(), limits.protocol().maxPayloadBytes(),
                Math.max(1, limits.requestQueue() / 2), Limits.MAX_LIST, Limits.MAX_WAIT_MILLIS,
                Limits.MAX_LEASE_MILLIS, (int) TimeUnit.NANOSECONDS.toMillis(limits.times().keepAlive()));
    }
}

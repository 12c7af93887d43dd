package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.limits.BrokerLimits;
import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.Software;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Responds to requests that concern only the connection or the broker, and need neither a worker nor the storage. */
final class Handshake {
    /**
     * Unconfirmed deliveries of a connection may take this many times its limit of unread responses, as sent ones may
     * still be on their way.
     */
    private static final int UNCONFIRMED = 4;

    private final BrokerLimits limits;
    private final MemoryBudget memory;
    private final Supplier<String> status;

    /** @param status of the broker, one line of JSON */
    Handshake(BrokerLimits limits, MemoryBudget memory, Supplier<String> status) {
        this.status = status;
        this.limits = limits;
        this.memory = memory;
    }

    /** @return the response, or null if a worker has to execute the request */
    Response answer(SocketLink link, Request request) {
        if (request instanceof Request.Hello hello) {
            return welcome(link, hello);
        }
        if (request instanceof Request.BrokerStatus) {
            return new Response.StatusReport(status.get());
        }
        return request instanceof Request.KeepAlive ? Response.Done.INSTANCE : null;
    }

    private Response welcome(SocketLink link, Request.Hello hello) {
        if (link.inbound.hasSpoken) {
            return new Response.Failure(Status.INVALID_REQUEST, "hello must be the first request of a connection");
        }
        if (hello.version() < 1) {
            return new Response.Failure(Status.INVALID_REQUEST,
                    "the version of the protocol is 1 or more, not " + hello.version());
        }
        Limits protocol = limits.protocol();
        if (hello.payloadMax() != 0) {
            if (hello.payloadMax() < protocol.leastPayloadBytes()) {
                return new Response.Failure(Status.INVALID_REQUEST, "messages of this broker have up to "
                        + protocol.maxContentBytes() + " bytes, so its clients take frames of at least "
                        + protocol.leastPayloadBytes() + " bytes (maxPayloadBytes of a ClientConfig), not of "
                        + hello.payloadMax());
            }
            link.answerMax(Math.min(protocol.maxPayloadBytes(), hello.payloadMax()));
        }
        long granted = hello.features() & Features.ALL;
        link.granted(granted);
        if (link.has(Features.CANCEL)) {
            link.connection.session().keep(new Unconfirmed(memory,
                    Math.max(UNCONFIRMED * (long) limits.outboundMax(), 2L * protocol.maxPayloadBytes())));
        }
        return new Response.Welcome(Math.min(hello.version(), Request.Hello.VERSION), Software.NAME, granted, bounds(),
                (int) TimeUnit.NANOSECONDS.toMillis(limits.times().keepAlive()));
    }

    private Response.Bounds bounds() {
        Limits protocol = limits.protocol();
        return new Response.Bounds(protocol.maxContentBytes(), protocol.maxPayloadBytes(),
                Math.max(1, limits.requestQueue() / 2), Limits.MAX_LIST, Limits.MAX_WAIT_MILLIS,
                Limits.MAX_LEASE_MILLIS);
    }
}

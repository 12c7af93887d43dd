package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.access.SignIn;
import ch.ethz.mlmq.broker.access.Users;
import ch.ethz.mlmq.broker.audit.Refusal;
import ch.ethz.mlmq.broker.limits.BrokerLimits;
import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.broker.status.BrokerStatus;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.Software;
import ch.ethz.mlmq.storage.access.Account;
import java.util.concurrent.TimeUnit;

/** Responds to requests that concern only the connection or the broker, and need neither a worker nor the storage. */
final class Handshake {
    /**
     * Unconfirmed deliveries of a connection may take this many times its limit of unread responses, as sent ones may
     * still be on their way.
     */
    private static final int UNCONFIRMED = 4;

    private final BrokerLimits limits;
    private final MemoryBudget memory;
    private final BrokerStatus status;
    private final Users users;
    private final BrokerContext context;

    Handshake(BrokerContext context) {
        this.status = context.status();
        this.limits = context.limits();
        this.memory = context.memory();
        this.users = context.users();
        this.context = context;
    }

    /** @return true if the connection has to sign in, and has not */
    boolean isStranger(SocketLink link) {
        if (!users.areNeeded() || link.connection.session().account() != null) {
            return false;
        }
        return enter(link, users.certified(link.bytes.peerName())) != null;
    }

    /** Lets the user in. @return null, or why it stays out */
    private String enter(SocketLink link, Account account) {
        if (account == null) {
            return "";
        }
        String obstacle = link.holdings.enterProvisionally(context.doors().ofUsers(), account.name());
        if (obstacle == null) {
            link.connection.session().signedIn(account);
            users.audit().arrived("connected", link.who(), "");
        }
        return obstacle;
    }

    /** @return the response, or null if a worker has to execute the request */
    Response answer(SocketLink link, Request request) {
        if (request instanceof Request.Hello hello) {
            return welcome(link, hello);
        }
        if (request instanceof Request.Authenticate step && !link.connection.isRefused()) {
            return signIn(link, step);
        }
        if (isStranger(link) && !isOpenToStrangers(link, request)) {
            return stranger(link, request);
        }
        String obstacle = link.holdings.exceeded();
        if (obstacle != null && !mayTakeOver(link, request)) {
            return shutOut(link, obstacle);
        }
        if (request instanceof Request.BrokerStatus) {
            Response.Failure refusal = users.refusedStatus(link.connection.session().account());
            if (refusal != null) {
                users.audit().refused(Refusal.PERMISSION, link.who());
            }
            return refusal != null ? refusal : new Response.StatusReport(status.json());
        }
        return request instanceof Request.KeepAlive ? Response.Done.INSTANCE : null;
    }

    /** Refuses a request of a connection beyond a limit, which is closed then. */
    private Response shutOut(SocketLink link, String obstacle) {
        link.inbound.shutOut = true;
        return context.limited(link.who(), obstacle);
    }

    /**
     * A lost connection, whose loss the broker has not noticed, keeps no place from the same client. What it asks for
     * behind its registration waits for that.
     */
    private boolean mayTakeOver(SocketLink link, Request request) {
        if (link.inbound.shutOut) {
            return false;
        }
        if (request instanceof Request.Register register
                && context.connections().has(link.connection.session().user(), register.name())) {
            link.inbound.takingOver = true;
        }
        return link.inbound.takingOver || link.connection.session().client() != 0
                || request instanceof Request.KeepAlive || request instanceof Request.Goodbye;
    }

    private static boolean isOpenToStrangers(SocketLink link, Request request) {
        return request instanceof Request.KeepAlive || request instanceof Request.Goodbye
                || link.connection.isRefused() && !(request instanceof Request.BrokerStatus);
    }

    private Response stranger(SocketLink link, Request request) {
        Account certified = users.certified(link.bytes.peerName());
        if (certified != null) {
            String obstacle = enter(link, certified);
            return obstacle == null ? answer(link, request) : shutOut(link, obstacle);
        }
        users.audit().refused(Refusal.STRANGER, link.who());
        return new Response.Failure(Status.NOT_AUTHENTICATED, users.offered(null).isEmpty()
                ? "the certificate of this connection names no user of the broker"
                : "the connection has to sign in as a user before " + request.type().label());
    }

    private Response signIn(SocketLink link, Request.Authenticate step) {
        if (link.inbound.signIn == null) {
            link.inbound.signIn = users.signIn(link.address(), link.bytes.channelBinding());
        }
        SignIn signIn = link.inbound.signIn;
        if (signIn == null) {
            return new Response.Failure(Status.INVALID_REQUEST, "this broker asks for no password");
        }
        Response answer = signIn.step(step);
        if (signIn.account() != null && link.connection.session().account() == null) {
            String obstacle = enter(link, signIn.account());
            if (obstacle != null) {
                return shutOut(link, obstacle);
            }
            link.inbound.heardNanos = System.nanoTime();
        }
        return answer;
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
                (int) TimeUnit.NANOSECONDS.toMillis(limits.times().keepAlive()),
                users.offered(link.bytes.channelBinding()));
    }

    private Response.Bounds bounds() {
        Limits protocol = limits.protocol();
        return new Response.Bounds(protocol.maxContentBytes(), protocol.maxPayloadBytes(),
                Math.max(1, limits.requestQueue() / 2), Limits.MAX_LIST, Limits.MAX_WAIT_MILLIS,
                Limits.MAX_LEASE_MILLIS);
    }
}

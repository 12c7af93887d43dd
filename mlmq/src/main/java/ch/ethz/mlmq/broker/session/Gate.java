package ch.ethz.mlmq.broker.session;

import ch.ethz.mlmq.broker.access.Permissions;
import ch.ethz.mlmq.broker.audit.AuditLog;
import ch.ethz.mlmq.broker.audit.Refusal;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Route;
import ch.ethz.mlmq.broker.request.Stages;
import ch.ethz.mlmq.broker.waiting.WaitingLine;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.QueryFilter;
import ch.ethz.mlmq.storage.TemporaryClients;
import ch.ethz.mlmq.storage.limit.QueueStatement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Responds to requests that need no storage, and refuses those that may not be executed. */
public final class Gate {
    private final Limits limits;
    private final Presence presence;
    private final Duration patience;
    private final Permissions permissions;
    private final AuditLog audit;

    /**
     * Makes a gate.
     *
     * @param limits   of a single request
     * @param patience longest wait for a worker: later, the client may have given up before it gets a response
     * @param permissions of users; null where nobody signs in
     * @param audit    writes down what was refused and executed
     */
    public Gate(Limits limits, Presence presence, Duration patience, Permissions permissions, AuditLog audit) {
        this.permissions = permissions;
        this.audit = audit;
        this.limits = limits;
        this.presence = presence;
        this.patience = patience;
    }

    /** @return the response, or null if the storage has to execute the request */
    public Response answer(Exchange exchange) {
        Request request = exchange.request();
        ClientConnection connection = exchange.connection();
        if (connection.isRefused()) {
            return connection.refusal();
        }
        Response.Failure violation = limits.violation(request).orElseGet(() -> QueryFilter.refusal(request));
        if (violation != null) {
            return violation;
        }
        if (request instanceof Request.Echo echo) {
            return new Response.Echoed(echo.content());
        }
        if (request instanceof Request.Goodbye) {
            return Response.Done.INSTANCE;
        }
        if (request instanceof Request.Register register) {
            return register(connection, register);
        }
        if (request instanceof Statement statement && permissions == null && !QueueStatement.isOne(statement.text())) {
            return new Response.Failure(Status.INVALID_REQUEST, "this broker has no users, as its "
                    + BrokerKeys.AUTH.name() + " is none");
        }
        if (connection.session().client() == 0 && !(request instanceof Statement && permissions != null)) {
            return new Response.Failure(Status.NOT_REGISTERED, "the connection has not registered a client, which "
                    + request.type().label() + " needs; send register first");
        }
        Response answer = permissions == null ? null : permissions.answer(connection.session().user(),
                connection.session().client(), request);
        if (answer instanceof Response.Failure failure && failure.status() == Status.NOT_PERMITTED) {
            audit.refused(Refusal.PERMISSION, who(connection));
        }
        return answer != null ? answer : overdue(exchange);
    }

    /**
     * @return true if {@link #answer} needs no connection to the database: a batch that has one must not wait for
     * another one
     */
    public boolean answersAtOnce(Exchange exchange) {
        return permissions == null || exchange.request() instanceof Request.Retrieval retrieval
                && permissions.isKnown(retrieval.query().queue());
    }

    /** Writes down what the storage has executed. */
    public void executed(Exchange exchange) {
        audit.executed(exchange.request(), exchange.response(), () -> who(exchange.connection()));
    }

    private static AuditLog.Who who(ClientConnection connection) {
        return new AuditLog.Who(connection.session().user(), connection.link().address());
    }

    /**
     * Refuses a request that has waited too long. The wait of a query for a message includes that for a worker, and one
     * that has waited is never refused. Workers of separate routes rest, so a wait for them shows no overload.
     */
    private Response overdue(Exchange exchange) {
        Stages stages = exchange.stages();
        long waitedNanos = stages.takenNanos() - stages.queuedNanos();
        Duration longest = patience.plusMillis(WaitingLine.waitMillis(exchange.request()));
        if (exchange.route() != Route.BATCH || stages.hasWaited() || waitedNanos <= longest.toNanos()) {
            return null;
        }
        return new Response.Failure(Status.OVERLOADED, "the request has waited "
                + TimeUnit.NANOSECONDS.toMillis(waitedNanos) + " ms for a worker, longer than "
                + BrokerKeys.DB_TIMEOUT.name() + "=" + patience.toMillis() + "ms");
    }

    private Response register(ClientConnection connection, Request.Register register) {
        String name = register.name();
        if (connection.session().name() != null) {
            return isSame(name, connection.session().name()) ? connection.session().registration()
                    : new Response.Failure(Status.INVALID_REQUEST,
                            "this connection is already registered as client " + connection.session().name());
        }
        if (presence.claim(name, connection) || presence.takeOver(name, connection, register.token())) {
            return null;
        }
        return new Response.Failure(Status.CLIENT_ALREADY_ONLINE, "client " + name + " is online at this broker");
    }

    /** A temporary client that repeats its registration has another new name each time. */
    private static boolean isSame(String name, String registered) {
        return name.equals(registered)
                || TemporaryClients.isNameOf(name) && TemporaryClients.isNameOf(registered);
    }
}

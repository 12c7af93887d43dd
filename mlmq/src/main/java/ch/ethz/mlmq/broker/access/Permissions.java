package ch.ethz.mlmq.broker.access;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestVisitor;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.access.AccessStatement;
import ch.ethz.mlmq.storage.access.Accounts;
import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.access.Owned;
import ch.ethz.mlmq.storage.access.Right;
import ch.ethz.mlmq.storage.access.Rights;
import ch.ethz.mlmq.storage.limit.QueueStatement;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Refuses requests that their users may not send. A lookup in memory decides, unless it is the first one of a user for
 * a queue. Any thread may use it.
 */
public final class Permissions {
    private static final Logger LOG = Logger.getLogger(Permissions.class.getName());

    private final Storage storage;
    private final Accounts accounts;

    /** @param storage has users */
    public Permissions(Storage storage) {
        this.storage = storage;
        this.accounts = storage.accounts();
    }

    /**
     * @param client id of the user's client, or 0
     * @return the response; null if the user may send the request, and the storage has to execute it
     */
    public Response answer(String user, int client, Request request) {
        if (accounts.isStale()) {
            return new Response.Failure(Status.BROKER_ERROR,
                    "the broker cannot read in the database who may do what; the request was not executed");
        }
        return request.accept(new Check(accounts.current().rights(user), user, client));
    }

    /** @return true if the answer to a retrieval from that queue needs no database */
    public boolean isKnown(int queue) {
        return queue == 0 || storage.isOwnerKnown(Grant.Kind.QUEUE, queue);
    }

    /** @return true if the user may read the broker's status */
    boolean mayReadStatus(String user) {
        return (accounts.current().rights(user).on(Grant.Kind.BROKER, Grant.ANY)
                & (Right.RECEIVE.bit() | Right.MANAGE.bit())) != 0;
    }

    static Response.Failure refused(String user, Right right, Grant.Kind kind, Object object) {
        return new Response.Failure(Status.NOT_PERMITTED, "user " + user + " lacks the right " + right.word() + " on "
                + kind.word() + (kind == Grant.Kind.BROKER ? "" : " " + object));
    }

    /** Checks one request of a client; requests that it does not name are free. */
    private final class Check implements RequestVisitor<Response, RuntimeException> {
        private final Rights rights;
        private final String user;
        private final int client;

        private Check(Rights rights, String user, int client) {
            this.rights = rights;
            this.user = user;
            this.client = client;
        }

        @Override
        public Response other(Request request) {
            return request instanceof Request.Retrieval retrieval ? queue(Right.RECEIVE, retrieval.query().queue())
                    : null;
        }

        @Override
        public Response visit(Statement statement) {
            try {
                if (QueueStatement.isOne(statement.text())) {
                    return check(QueueStatement.parse(statement.text()));
                }
                if (AccessStatement.parse(statement.text()) instanceof AccessStatement.WhoAmI) {
                    return new Response.Report(whoAmI());
                }
            } catch (IllegalArgumentException e) {
                return new Response.Failure(Status.INVALID_REQUEST, e.getMessage());
            }
            return managesBroker();
        }

        private Response.Failure managesBroker() {
            return (rights.on(Grant.Kind.BROKER, Grant.ANY) & Right.MANAGE.bit()) != 0 ? null
                    : refused(user, Right.MANAGE, Grant.Kind.BROKER, "");
        }

        /** Publishers pay for a limit of length of a subscription, so it takes the right to manage the topic, too. */
        private Response.Failure check(QueueStatement statement) {
            if (statement.name() == null) {
                return managesBroker();
            }
            try {
                int queue = storage.named(Grant.Kind.QUEUE, statement.name());
                Owned owned = queue == 0 ? null : storage.owned(Grant.Kind.QUEUE, queue);
                if (owned == null) {
                    return Failures.noQueue(statement.name());
                }
                Response.Failure refusal = queue(Right.MANAGE, queue);
                if (statement.wanted() == null) {
                    return refusal == null ? null : queue(Right.RECEIVE, queue);
                }
                int end = owned.name().indexOf(Limits.SUBSCRIPTION);
                return refusal != null || end < 0 || !statement.wanted().isBounded() ? refusal
                        : check(Right.MANAGE, Grant.Kind.TOPIC,
                                storage.named(Grant.Kind.TOPIC, owned.name().substring(0, end)));
            } catch (StorageException e) {
                return unavailable(e);
            }
        }

        private static Response.Failure unavailable(StorageException e) {
            LOG.log(Level.FINE, e, () -> "permissions: " + e.getMessage());
            return new Response.Failure(Status.BROKER_ERROR, "the database is unavailable; not executed");
        }

        private String whoAmI() {
            List<String> roles = accounts.current().roles(user);
            return "user " + user + (roles.isEmpty() ? "" : ", of role " + String.join(", ", roles))
                    + (client == 0 ? "" : ", client #" + client);
        }

        @Override
        public Response visit(Request.CreateQueue create) {
            return (rights.on(Grant.Kind.QUEUE, create.name()) & Right.MANAGE.bit()) != 0 ? null
                    : refused(user, Right.MANAGE, Grant.Kind.QUEUE, create.name());
        }

        @Override
        public Response visit(TopicRequest.CreateTopic create) {
            return (rights.on(Grant.Kind.QUEUE, create.name()) & Right.MANAGE.bit()) != 0 ? null
                    : refused(user, Right.MANAGE, Grant.Kind.QUEUE, create.name());
        }

        @Override
        public Response visit(TopicRequest.DeleteTopic delete) {
            return check(Right.MANAGE, Grant.Kind.TOPIC, delete.topic());
        }

        @Override
        public Response visit(TopicRequest.Subscribe subscribe) {
            return check(Right.RECEIVE, Grant.Kind.TOPIC, subscribe.topic());
        }

        @Override
        public Response visit(TopicRequest.Publish publish) {
            return check(Right.SEND, Grant.Kind.TOPIC, publish.topic());
        }

        @Override
        public Response visit(Request.DeleteQueue delete) {
            return queue(Right.MANAGE, delete.queue());
        }

        /** Who moves messages to a queue of its own can read them there. */
        @Override
        public Response visit(MoveMessages move) {
            Response refusal = queue(Right.MANAGE, move.queue());
            if (refusal == null && move.target() != 0) {
                refusal = queue(Right.RECEIVE, move.queue());
            }
            return refusal != null || move.target() == 0 ? refusal : queue(Right.SEND, move.target());
        }

        @Override
        public Response visit(Request.QueueLength length) {
            return queue(Right.RECEIVE, length.queue());
        }

        @Override
        public Response visit(Request.QueuesWithPendingMessages pending) {
            return queue(Right.RECEIVE, 0);
        }

        @Override
        public Response visit(Request.SendMessage send) {
            Response.Failure failure = null;
            for (int i = 0; failure == null && i < send.queues().length; i++) {
                failure = queue(Right.SEND, send.queues()[i]);
            }
            return failure;
        }

        @Override
        public Response visit(Request.SendMessages bulk) {
            int checked = 0;
            for (OutgoingMessage message : bulk.messages()) {
                Response.Failure failure = message.queue() == checked ? null : queue(Right.SEND, message.queue());
                if (failure != null) {
                    return failure;
                }
                checked = message.queue();
            }
            return null;
        }

        @Override
        public Response visit(Request.SendMessageToClient send) {
            return check(Right.SEND, Grant.Kind.CLIENT, send.client());
        }

        @Override
        public Response visit(Request.SendRequestToClient send) {
            return check(Right.SEND, Grant.Kind.CLIENT, send.client());
        }

        @Override
        public Response visit(Request.SendResponseToClient send) {
            return check(Right.SEND, Grant.Kind.CLIENT, send.client());
        }

        /** @param queue id; 0 for any queue, which needs the right on all */
        private Response.Failure queue(Right right, int queue) {
            if (queue != 0) {
                return check(right, Grant.Kind.QUEUE, queue);
            }
            return (rights.on(Grant.Kind.QUEUE, Grant.ANY) & right.bit()) != 0 ? null
                    : refused(user, right, Grant.Kind.QUEUE, "'%': name a queue");
        }

        private static Response.Failure missing(Grant.Kind kind, int id) {
            return switch (kind) {
                case QUEUE -> Failures.noQueue(id);
                case TOPIC -> Failures.noTopic(id);
                default -> Failures.noClient(id);
            };
        }

        /** A user without a client is not the client of public queues and topics, which have none. */
        private boolean isClientOf(Owned object) {
            return client != 0 && client == object.client();
        }

        private Response.Failure check(Right right, Grant.Kind kind, int id) {
            int known = rights.known(kind, id);
            if (known >= 0) {
                return (known & right.bit()) != 0 ? null : refused(user, right, kind, "#" + id);
            }
            try {
                Owned object = storage.owned(kind, id);
                if (object == null) {
                    // Another client could make an object of this id before the request is executed.
                    return missing(kind, id);
                }
                return isClientOf(object) || (rights.on(kind, id, object) & right.bit()) != 0 ? null
                        : refused(user, right, kind, "#" + id);
            } catch (StorageException e) {
                return unavailable(e);
            }
        }
    }
}

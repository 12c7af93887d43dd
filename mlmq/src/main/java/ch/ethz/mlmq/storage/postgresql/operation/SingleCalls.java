package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestVisitor;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.access.AccessException;
import ch.ethz.mlmq.storage.access.AccessStatement;
import ch.ethz.mlmq.storage.limit.QueueStatement;
import ch.ethz.mlmq.storage.postgresql.access.AccountTables;
import ch.ethz.mlmq.storage.postgresql.limit.LimitTables;
import ch.ethz.mlmq.storage.postgresql.membership.BrokerIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Executes calls that have their own statements. */
public final class SingleCalls {
    private final QueueDirectory directory;
    private final ClientOperations clients;
    private final QueueOperations queues;
    private final SendOperations sends;
    private final TakeOperations takes;
    private final LeaseOperations leases;
    private final TopicOperations topics;
    private final Limits limits;

    /** @param settings of the broker: how long a key is kept, and how many queues a user may own */
    public SingleCalls(QueueDirectory directory, TopicDirectory subscriptions, BrokerIdentity identity,
            LeaseOperations leases, Settings settings, Limits limits) {
        this.directory = directory;
        this.clients = new ClientOperations(directory, identity, settings.get(BrokerKeys.USER_CLIENTS));
        this.queues = new QueueOperations(directory, settings.get(BrokerKeys.USER_QUEUES));
        this.sends = new SendOperations(directory, settings.get(BrokerKeys.DEDUP_WINDOW));
        this.takes = new TakeOperations(directory, settings.get(BrokerKeys.DB_TIMEOUT));
        this.leases = leases;
        this.topics = new TopicOperations(directory, subscriptions, settings.get(BrokerKeys.DEDUP_WINDOW),
                settings.get(BrokerKeys.USER_QUEUES));
        this.limits = limits;
    }

    /** Takes locks that those of the calls which register clients need, before the transaction takes others. */
    public void lockUsers(Connection connection, List<Call> calls) throws SQLException {
        clients.lockUsers(connection, calls);
    }

    /** Executes the call in the connection's transaction, and sets its response. */
    public void execute(Connection connection, Changes changes, Call call) throws CallFailedException {
        try {
            call.answer(call.request().accept(new Execution(connection, changes, call)));
        } catch (SQLException e) {
            throw new CallFailedException(call, e);
        }
    }

    /** Executes an acknowledgement that has waited for a lock before; it fails alone if it would have to wait again. */
    public void acknowledgeUnlocked(Connection connection, Call call, List<Lease> acknowledged)
            throws CallFailedException {
        try {
            call.answer(leases.acknowledgeUnlocked(connection, call.request(), acknowledged));
        } catch (SQLException e) {
            throw new CallFailedException(call, e);
        }
    }

    /** Executes one call of a transaction. */
    private final class Execution implements RequestVisitor<Response, SQLException> {
        private final Connection connection;
        private final Changes changes;
        private final Call call;
        private final int client;

        private Execution(Connection connection, Changes changes, Call call) {
            this.connection = connection;
            this.changes = changes;
            this.call = call;
            this.client = call.client();
        }

        @Override
        public Response other(Request request) {
            throw new IllegalArgumentException("no storage executes " + request.type());
        }

        @Override
        public Response visit(Request.Register register) throws SQLException {
            return clients.register(connection, call, register);
        }

        @Override
        public Response visit(Request.LookupClient lookup) throws SQLException {
            return clients.lookup(connection, lookup.name());
        }

        @Override
        public Response visit(Request.LookupClientQueue lookup) throws SQLException {
            return clients.lookupQueue(connection, lookup);
        }

        @Override
        public Response visit(Request.CreateQueue create) throws SQLException {
            return queues.create(connection, create.name(), call.user());
        }

        @Override
        public Response visit(Request.LookupQueue lookup) throws SQLException {
            return queues.lookup(connection, lookup.name());
        }

        @Override
        public Response visit(Request.DeleteQueue delete) throws SQLException {
            changes.subscriptionsChange();
            return queues.delete(connection, client, delete);
        }

        @Override
        public Response visit(Request.QueuesWithPendingMessages pending) throws SQLException {
            return queues.pending(connection, client, pending);
        }

        @Override
        public Response visit(Request.QueueLength length) throws SQLException {
            return queues.length(connection, client, length.queue());
        }

        @Override
        public Response visit(MoveMessages move) throws SQLException {
            return queues.move(connection, changes, client, move);
        }

        @Override
        public Response visit(Statement statement) throws SQLException {
            if (QueueStatement.isOne(statement.text())) {
                return execute(statement);
            }
            try {
                Response report = new Response.Report(
                        new AccountTables(connection).execute(AccessStatement.parse(statement.text())));
                return ResponseCodec.frameBytes(report) <= Math.min(call.answerMax(), limits.maxPayloadBytes()) ? report
                        : new Response.Failure(Status.CONTENT_TOO_LONG, "the list is longer than a frame; \"mlmq user "
                                + "list\" has all of it");
            } catch (AccessException | IllegalArgumentException e) {
                return new Response.Failure(Status.INVALID_REQUEST, e.getMessage());
            }
        }

        private Response execute(Statement statement) throws SQLException {
            QueueStatement parsed;
            try {
                parsed = QueueStatement.parse(statement.text());
            } catch (IllegalArgumentException e) {
                return new Response.Failure(Status.INVALID_REQUEST, e.getMessage());
            }
            return new LimitTables(connection, changes::limited).execute(parsed, client);
        }

        @Override
        public Response visit(Request.SendMessage send) throws SQLException {
            return sends.send(connection, changes, call, send);
        }

        @Override
        public Response visit(Request.SendMessages bulk) throws SQLException {
            return sends.send(connection, changes, call, bulk.messages());
        }

        @Override
        public Response visit(Request.PeekMessage peek) throws SQLException {
            return takes.peek(connection, client, peek.query());
        }

        @Override
        public Response visit(Request.DequeueMessage dequeue) throws SQLException {
            return takes.dequeue(connection, changes, client, dequeue.query());
        }

        @Override
        public Response visit(Request.DequeueMessages dequeue) throws SQLException {
            return takeMany(dequeue, 0);
        }

        @Override
        public Response visit(Request.ReceiveMessage receive) throws SQLException {
            return takes.receive(connection, changes, client, receive.query(), receive.leaseMillis());
        }

        @Override
        public Response visit(Request.ReceiveMessages receive) throws SQLException {
            return takeMany(receive, receive.leaseMillis());
        }

        @Override
        public Response visit(Request.Acknowledge acknowledge) throws SQLException {
            return leases.acknowledge(connection, acknowledge);
        }

        @Override
        public Response visit(Request.AcknowledgeMessages acknowledge) throws SQLException {
            return leases.acknowledge(connection, acknowledge);
        }

        @Override
        public Response visit(Request.ExtendLeases extend) throws SQLException {
            return leases.extend(connection, extend);
        }

        @Override
        public Response visit(Request.ReleaseMessages release) throws SQLException {
            return leases.release(connection, changes, release);
        }

        @Override
        public Response visit(Request.Extend extend) throws SQLException {
            return leases.extend(connection, extend);
        }

        @Override
        public Response visit(Request.Release release) throws SQLException {
            return leases.release(connection, changes, release);
        }

        @Override
        public Response visit(TopicRequest.CreateTopic create) throws SQLException {
            return topics.create(connection, create.name(), call.user());
        }

        @Override
        public Response visit(TopicRequest.DeleteTopic delete) throws SQLException {
            changes.subscriptionsChange();
            return topics.delete(connection, delete.topic());
        }

        @Override
        public Response visit(TopicRequest.LookupTopic lookup) throws SQLException {
            return topics.lookup(connection, lookup.name());
        }

        @Override
        public Response visit(TopicRequest.Subscribe subscribe) throws SQLException {
            changes.subscriptionsChange();
            return topics.subscribe(connection, call, subscribe);
        }

        @Override
        public Response visit(TopicRequest.Unsubscribe unsubscribe) throws SQLException {
            changes.subscriptionsChange();
            return topics.unsubscribe(connection, call, unsubscribe);
        }

        @Override
        public Response visit(TopicRequest.Publish publish) throws SQLException {
            return topics.publish(connection, changes, call, publish);
        }

        private Response takeMany(Request.BulkRetrieval bulk, int leaseMillis) throws SQLException {
            return takes.takeMany(connection, changes, client, bulk,
                    Math.min(call.answerMax(), limits.maxPayloadBytes()), leaseMillis);
        }
    }
}

package ch.ethz.mlmq.db;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/** Executes calls that have statements of their own. */
final class SingleCalls {
    private final ClientOperations clients;
    private final QueueOperations queues;
    private final SendOperations sends;
    private final TakeOperations takes;
    private final LeaseOperations leases;
    private final Limits limits;

    SingleCalls(ClientOperations clients, QueueOperations queues, SendOperations sends, TakeOperations takes,
            LeaseOperations leases, Limits limits) {
        this.clients = clients;
        this.queues = queues;
        this.sends = sends;
        this.takes = takes;
        this.leases = leases;
        this.limits = limits;
    }

    /** Executes the call in the connection's transaction, and answers it. */
    void execute(Connection connection, Transaction transaction, Call call) throws CallFailedException {
        try {
            call.answer(response(connection, transaction, call));
        } catch (SQLException e) {
            throw new CallFailedException(call, e);
        }
    }

    private Response response(Connection connection, Transaction transaction, Call call) throws SQLException {
        Request request = call.request();
        int client = call.client();
        return switch (request.type()) {
            case REGISTER -> clients.register(connection, call, (Request.Register) request);
            case LOOKUP_CLIENT -> clients.lookup(connection, ((Request.LookupClient) request).name());
            case LOOKUP_CLIENT_QUEUE -> clients.lookupQueue(connection, (Request.LookupClientQueue) request);
            case CREATE_QUEUE -> queues.create(connection, ((Request.CreateQueue) request).name());
            case LOOKUP_QUEUE -> queues.lookup(connection, ((Request.LookupQueue) request).name());
            case DELETE_QUEUE -> queues.delete(connection, client, (Request.DeleteQueue) request);
            case QUEUES_WITH_PENDING_MESSAGES ->
                    queues.pending(connection, client, ((Request.QueuesWithPendingMessages) request).max());
            case SEND_MESSAGE -> sends.send(connection, transaction, call, (Request.SendMessage) request);
            case SEND_MESSAGES ->
                    sends.send(connection, transaction, call, ((Request.SendMessages) request).messages());
            case PEEK_MESSAGE -> takes.peek(connection, client, ((Request.PeekMessage) request).query());
            case DEQUEUE_MESSAGE ->
                    takes.dequeue(connection, transaction, client, ((Request.DequeueMessage) request).query());
            case DEQUEUE_MESSAGES -> {
                Request.DequeueMessages dequeue = (Request.DequeueMessages) request;
                yield takes.dequeue(connection, transaction, client, dequeue.query(),
                        Math.min(dequeue.max(), limits.messagesPerFrame()));
            }
            case RECEIVE_MESSAGE -> {
                Request.ReceiveMessage receive = (Request.ReceiveMessage) request;
                yield takes.receive(connection, transaction, client, receive.query(), receive.leaseMillis(),
                        ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
            }
            case ACKNOWLEDGE -> leases.acknowledge(connection, (Request.Acknowledge) request);
            case EXTEND -> leases.extend(connection, (Request.Extend) request);
            case RELEASE -> leases.release(connection, transaction, (Request.Release) request);
            default -> throw new IllegalArgumentException("no storage executes " + request.type());
        };
    }
}

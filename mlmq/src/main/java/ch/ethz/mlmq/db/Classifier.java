package ch.ethz.mlmq.db;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Decides how each call of a batch is executed. */
final class Classifier {
    private final QueueDirectory directory;
    private final ContextSource contexts;

    Classifier(QueueDirectory directory, ContextSource contexts) {
        this.directory = directory;
        this.contexts = contexts;
    }

    /** Asks the database for whatever is not known yet about the queues and clients that the calls name. */
    void prepare(Connection connection, List<? extends Call> calls) throws SQLException {
        Set<Integer> queues = null;
        Set<Integer> clients = null;
        for (Call call : calls) {
            int queue = queueNamed(call.request());
            if (queue != 0 && directory.queue(queue) == null) {
                queues = queues == null ? new HashSet<>() : queues;
                queues.add(queue);
            }
            int client = clientNamed(call.request());
            if (client != 0 && directory.queueOfClient(client) == 0) {
                clients = clients == null ? new HashSet<>() : clients;
                clients.add(client);
            }
            if (call.request() instanceof Request.SendRequestToClient) {
                call.context = contexts.next(connection);
            }
        }
        if (queues != null) {
            directory.loadQueues(connection, queues);
        }
        if (clients != null) {
            directory.loadClients(connection, clients);
        }
    }

    /** Sets the call's step, and what goes with it; answers it where nothing has to be executed. */
    void classify(Call call) {
        Request request = call.request();
        switch (request.type()) {
            case SEND_MESSAGE -> send(call, (Request.SendMessage) request);
            case SEND_MESSAGE_TO_CLIENT -> toClient(call, ((Request.SendMessageToClient) request).client(), 0);
            case SEND_REQUEST_TO_CLIENT ->
                    toClient(call, ((Request.SendRequestToClient) request).client(), call.context);
            case SEND_RESPONSE_TO_CLIENT -> {
                Request.SendResponseToClient response = (Request.SendResponseToClient) request;
                toClient(call, response.client(), response.context());
            }
            case DEQUEUE_MESSAGE -> take(call, ((Request.DequeueMessage) request).query());
            case PEEK_MESSAGE -> query(call, ((Request.PeekMessage) request).query());
            case DEQUEUE_MESSAGES -> query(call, ((Request.DequeueMessages) request).query());
            case RECEIVE_MESSAGE -> query(call, ((Request.ReceiveMessage) request).query());
            case DELETE_QUEUE -> call.step = Step.ALONE;
            default -> call.step = Step.SINGLE;
        }
    }

    private void send(Call call, Request.SendMessage send) {
        if (send.queues().length > 1 || !send.key().isEmpty()) {
            call.step = Step.SINGLE;
            return;
        }
        int queue = send.queues()[0];
        QueueDirectory.Entry entry = directory.queue(queue);
        if (entry == null) {
            answer(call, Failures.noQueue(queue));
        } else if (send.receiver() == 0 || send.receiver() == entry.owner()) {
            hot(call, Step.SEND, queue);
            call.context = send.context();
        } else {
            call.step = Step.SINGLE;
        }
    }

    private void toClient(Call call, int client, long context) {
        int queue = directory.queueOfClient(client);
        if (queue == 0) {
            answer(call, Failures.noClient(client));
        } else {
            hot(call, Step.SEND, queue);
            call.context = context;
        }
    }

    private void take(Call call, MessageQuery query) {
        QueueDirectory.Entry entry = query(call, query);
        if (call.step == Step.SINGLE && entry != null && !entry.addressed() && query.sender() == 0
                && query.context() == 0 && !query.toMe() && query.order() == MessageQuery.Order.PRIORITY) {
            hot(call, Step.TAKE, query.queue());
        }
    }

    /** @return the queue that is asked for, or null where it is any */
    private QueueDirectory.Entry query(Call call, MessageQuery query) {
        call.step = Step.SINGLE;
        if (query.queue() == 0) {
            return null;
        }
        QueueDirectory.Entry entry = directory.queue(query.queue());
        if (entry == null) {
            answer(call, Failures.noQueue(query.queue()));
        } else if (!entry.mayBeReadBy(call.client())) {
            answer(call, Failures.notOwner(query.queue()));
        }
        return entry;
    }

    private static void hot(Call call, Step step, int queue) {
        call.step = step;
        call.queue = queue;
    }

    private static void answer(Call call, Response.Failure failure) {
        call.step = Step.ANSWERED;
        call.answer(failure);
    }

    private static int queueNamed(Request request) {
        return switch (request.type()) {
            case SEND_MESSAGE -> ((Request.SendMessage) request).queues()[0];
            case DEQUEUE_MESSAGE -> ((Request.DequeueMessage) request).query().queue();
            case PEEK_MESSAGE -> ((Request.PeekMessage) request).query().queue();
            case DEQUEUE_MESSAGES -> ((Request.DequeueMessages) request).query().queue();
            case RECEIVE_MESSAGE -> ((Request.ReceiveMessage) request).query().queue();
            default -> 0;
        };
    }

    private static int clientNamed(Request request) {
        return switch (request.type()) {
            case SEND_MESSAGE_TO_CLIENT -> ((Request.SendMessageToClient) request).client();
            case SEND_REQUEST_TO_CLIENT -> ((Request.SendRequestToClient) request).client();
            case SEND_RESPONSE_TO_CLIENT -> ((Request.SendResponseToClient) request).client();
            default -> 0;
        };
    }
}

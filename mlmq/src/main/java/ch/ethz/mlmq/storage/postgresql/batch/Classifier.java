package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.postgresql.operation.QueueDirectory;
import ch.ethz.mlmq.storage.postgresql.operation.TopicDirectory;
import ch.ethz.mlmq.storage.topic.Subscriptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Decides how each call of a batch is executed. */
final class Classifier {
    private final QueueDirectory directory;
    /** Most times that a publish is repeated because subscriptions of its topic have changed. */
    private static final int STALE_TIMES = 16;

    private final TopicDirectory topics;
    private final ContextSource contexts;

    Classifier(QueueDirectory directory, TopicDirectory topics, ContextSource contexts) {
        this.directory = directory;
        this.topics = topics;
        this.contexts = contexts;
    }

    /** Loads queues and clients that the calls name and that are not known yet. */
    void prepare(Connection connection, List<PlannedCall> calls) throws SQLException {
        Set<Integer> queues = null;
        Set<Integer> clients = null;
        for (PlannedCall call : calls) {
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
            if (call.request() instanceof TopicRequest.Publish publish) {
                Subscriptions known = topics.known(publish.topic());
                call.subscriptions = known != null ? known : topics.load(connection, publish.topic());
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

    /** Sets the call's step and its parameters, or its response if nothing has to be executed. */
    void classify(PlannedCall call) {
        decide(call);
        call.arrivals = BoundedSends.of(call, directory.limits());
    }

    private void decide(PlannedCall call) {
        Request request = call.request();
        if (request instanceof Request.SendMessage send) {
            send(call, send);
        } else if (request instanceof TopicRequest.Publish publish) {
            publish(call, publish);
        } else if (request instanceof Request.DequeueMessage || request instanceof Request.DequeueMessages) {
            take(call, ((Request.Retrieval) request).query(), CallKind.TAKE);
        } else if (request instanceof Request.ReceiveMessage || request instanceof Request.ReceiveMessages) {
            take(call, ((Request.Retrieval) request).query(), CallKind.LEASE);
        } else if (request instanceof Request.Acknowledge || request instanceof Request.AcknowledgeMessages) {
            call.kind = call.isApart() ? CallKind.SINGLE : CallKind.ACKNOWLEDGE;
        } else if (request instanceof Request.SendToClient send) {
            toClient(call, send.client(), request instanceof Request.SendResponseToClient response
                    ? response.context() : call.context);
        } else if (request instanceof Request.Retrieval retrieval) {
            query(call, retrieval.query());
        } else {
            call.kind = request instanceof Request.DeleteQueue delete && delete.onlyIfEmpty() ? CallKind.ALONE
                    : CallKind.SINGLE;
        }
    }

    private void send(PlannedCall call, Request.SendMessage send) {
        if (send.queues().length > 1 || !send.key().isEmpty() || send.properties().hasTimes()) {
            call.kind = CallKind.SINGLE;
            return;
        }
        int queue = send.queues()[0];
        QueueDirectory.Entry entry = directory.queue(queue);
        if (entry == null) {
            answer(call, Failures.noQueue(queue));
        } else if (send.receiver() == 0 || send.receiver() == entry.owner()) {
            hot(call, CallKind.SEND, queue);
            call.context = send.context();
        } else {
            call.kind = CallKind.SINGLE;
        }
    }

    private static void publish(PlannedCall call, TopicRequest.Publish publish) {
        if (!publish.key().isEmpty() || publish.properties().hasTimes()) {
            call.kind = CallKind.SINGLE;
        } else if (call.subscriptions == null) {
            answer(call, Failures.noTopic(publish.topic()));
        } else if (call.staleTimes > STALE_TIMES) {
            answer(call, Failures.subscriptionsChange(publish.topic()));
        } else {
            call.queue = PlannedCall.SEVERAL;
            call.copies = call.subscriptions.taking(publish);
            call.context = publish.context();
            call.kind = CallKind.PUBLISH;
            if (Subscriptions.isTooMuch(publish, call.copies.length)) {
                answer(call, Failures.tooMuchToCopy(call.copies.length));
            }
        }
    }

    /** Loads the topic, whose subscriptions have changed since these calls were prepared. */
    void learn(Connection connection, int topic, List<PlannedCall> calls) throws SQLException {
        Subscriptions current = topics.load(connection, topic);
        for (PlannedCall call : calls) {
            if (call.request() instanceof TopicRequest.Publish publish && publish.topic() == topic) {
                call.subscriptions = current;
                call.staleTimes++;
            }
        }
    }

    private void toClient(PlannedCall call, int client, long context) {
        int queue = directory.queueOfClient(client);
        if (queue == 0) {
            answer(call, Failures.noClient(client));
        } else {
            hot(call, CallKind.SEND, queue);
            call.context = context;
        }
    }

    private void take(PlannedCall call, MessageQuery query, CallKind hot) {
        QueueDirectory.Entry entry = query(call, query);
        if (call.kind == CallKind.SINGLE && entry != null && !entry.addressed() && query.sender() == 0
                && query.context() == 0 && query.filter().isEmpty() && !query.toMe()
                && query.order() == MessageQuery.Order.PRIORITY) {
            hot(call, hot, query.queue());
        }
    }

    /** @return the queue of the query, or null if it is any queue */
    private QueueDirectory.Entry query(PlannedCall call, MessageQuery query) {
        call.kind = CallKind.SINGLE;
        if (query.queue() == 0) {
            return null;
        }
        QueueDirectory.Entry entry = directory.queue(query.queue());
        if (entry == null) {
            answer(call, Failures.noQueue(query.queue()));
        } else if (!entry.mayBeReadBy(call.call.client())) {
            answer(call, Failures.notOwner(query.queue()));
        }
        return entry;
    }

    private static void hot(PlannedCall call, CallKind kind, int queue) {
        call.kind = kind;
        call.queue = queue;
    }

    private static void answer(PlannedCall call, Response.Failure failure) {
        call.kind = CallKind.ANSWERED;
        call.answer(failure);
    }

    private static int queueNamed(Request request) {
        if (request instanceof Request.SendMessage send) {
            return send.queues()[0];
        }
        return request instanceof Request.Retrieval retrieval ? retrieval.query().queue() : 0;
    }

    private static int clientNamed(Request request) {
        return request instanceof Request.SendToClient send ? send.client() : 0;
    }
}

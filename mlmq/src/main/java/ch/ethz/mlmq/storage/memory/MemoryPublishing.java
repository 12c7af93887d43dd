package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilterException;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestVisitor;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.limit.QueueStatement;
import ch.ethz.mlmq.storage.topic.Subscriptions;
import java.util.List;
import java.util.stream.Collectors;

/** Executes a request about a topic or limits in {@link MemoryStorage}, under its lock. */
final class MemoryPublishing implements RequestVisitor<Response, RuntimeException> {
    private final MemoryState state;
    private final int client;
    private final List<Message> stored;

    /** @param stored gets the messages that can be taken from now on */
    MemoryPublishing(MemoryState state, int client, List<Message> stored) {
        this.state = state;
        this.client = client;
        this.stored = stored;
    }

    @Override
    public Response other(Request request) {
        throw new IllegalArgumentException("no storage executes " + request.type());
    }

    @Override
    public Response visit(Statement statement) {
        try {
            return execute(QueueStatement.parse(statement.text()));
        } catch (IllegalArgumentException e) {
            return new Response.Failure(Status.INVALID_REQUEST, e.getMessage());
        }
    }

    private Response execute(QueueStatement statement) {
        if (statement.name() == null) {
            return new Response.Report(state.limited().stream()
                    .map(queue -> QueueStatement.shown(queue.name, queue.limits())).sorted()
                    .collect(Collectors.joining("\n")));
        }
        MemoryQueue queue = state.named(statement.name());
        if (queue == null) {
            return Failures.noQueue(statement.name());
        }
        if (!queue.mayBeReadBy(client)) {
            return Failures.notOwner(queue.id);
        }
        if (statement.wanted() == null) {
            return new Response.Report(QueueStatement.shown(queue.name, queue.id, queue.size() + " messages, "
                    + queue.length().leased() + " leased", queue.limits()));
        }
        queue.limit(statement.wanted());
        return new Response.Report(QueueStatement.shown(queue.name, queue.limits()));
    }

    @Override
    public Response visit(TopicRequest.CreateTopic create) {
        return state.topics.create(create.name());
    }

    @Override
    public Response visit(TopicRequest.LookupTopic lookup) {
        return state.topics.lookup(lookup.name());
    }

    @Override
    public Response visit(TopicRequest.DeleteTopic delete) {
        MemoryTopics.Topic topic = state.topics.delete(delete.topic());
        if (topic == null) {
            return Failures.noTopic(delete.topic());
        }
        topic.subscriptions.values().forEach(one -> state.delete(state.queue(one.queue())));
        return Response.Done.INSTANCE;
    }

    @Override
    public Response visit(TopicRequest.Subscribe subscribe) {
        Filter filter;
        try {
            filter = Filter.parse(subscribe.filter());
        } catch (FilterException e) {
            return new Response.Failure(Status.INVALID_REQUEST, "the filter: " + e.getMessage());
        }
        MemoryTopics.Topic topic = state.topics.topic(subscribe.topic());
        if (topic == null) {
            return Failures.noTopic(subscribe.topic());
        }
        int owner = subscribe.durable() ? 0 : client;
        String queueName = topic.name + Limits.SUBSCRIPTION + subscribe.name();
        MemoryTopics.Subscription there = topic.subscriptions.get(subscribe.name());
        if (there != null) {
            return there.text().equals(subscribe.filter()) && there.client() == owner
                    ? new Response.QueueFound(there.queue(), queueName)
                    : Failures.otherSubscription(subscribe.name());
        }
        if (topic.isFull(subscribe.filter())) {
            return Failures.topicIsFull();
        }
        int queue = state.createOf(owner, queueName);
        topic.add(subscribe.name(), new MemoryTopics.Subscription(queue, owner, subscribe.filter(), filter));
        return new Response.QueueFound(queue, queueName);
    }

    @Override
    public Response visit(TopicRequest.Unsubscribe unsubscribe) {
        MemoryTopics.Topic topic = state.topics.topic(unsubscribe.topic());
        if (topic == null) {
            return Failures.noTopic(unsubscribe.topic());
        }
        MemoryTopics.Subscription there = topic.subscriptions.get(unsubscribe.name());
        if (there == null) {
            return Failures.noSubscription(unsubscribe.name());
        }
        if (there.client() != 0 && there.client() != client) {
            return Failures.notSubscriber(unsubscribe.name());
        }
        state.delete(state.queue(there.queue()));
        return Response.Done.INSTANCE;
    }

    @Override
    public Response visit(TopicRequest.Publish publish) {
        MemoryTopics.Topic topic = state.topics.topic(publish.topic());
        if (topic == null) {
            return Failures.noTopic(publish.topic());
        }
        int[] copies = topic.known().taking(publish);
        if (Subscriptions.isTooMuch(publish, copies.length)) {
            return Failures.tooMuchToCopy(copies.length);
        }
        return state.publish(client, publish, copies, stored);
    }
}

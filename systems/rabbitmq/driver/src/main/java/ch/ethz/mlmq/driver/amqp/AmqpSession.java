package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestVisitor;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Take;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A connection to RabbitMQ and its requests in flight: sends on one channel, takes on others. */
final class AmqpSession {
    private static final Logger LOG = Logger.getLogger(AmqpSession.class.getName());
    private static final int ABORT_MILLIS = 1_000;
    /** Most messages of a subscription that are pushed before the first is acknowledged, unless the settings say it. */
    private static final int TOPIC_PREFETCH = 100;

    private final AmqpLinks.Opened opened;
    private final Connection connection;
    private final Numbering numbering;
    private final Executor helpers;
    private final int me;
    private final Acknowledgements acknowledgements;
    private final Sends sends;
    private final Takes takes;
    private final Declarations declarations;
    private final Exchanges exchanges;
    private final TopicSubscriptions subscriptions;
    private final int copies;
    private volatile boolean ended;

    /** @param me number of the client */
    AmqpSession(AmqpLinks.Opened opened, QueueNames names, Numbering numbering, Settings settings, Executor helpers,
            int me) throws IOException {
        this.opened = opened;
        this.connection = opened.connection();
        this.numbering = numbering;
        this.helpers = helpers;
        this.me = me;
        this.declarations = new Declarations(connection, names, settings);
        Acknowledge way = settings.get(DriverKeys.ACKNOWLEDGE);
        this.acknowledgements = new Acknowledgements(way);
        this.sends = new Sends(this, names, settings.get(DriverKeys.DELIVERY), way == Acknowledge.TRANSACTED);
        Deliveries messages = new Deliveries(numbering);
        int inflight = settings.get(ClientKeys.INFLIGHT_MAX);
        int prefetch = settings.get(DriverKeys.PREFETCH);
        this.takes = settings.get(DriverKeys.TAKE) == Take.GET ? new Gets(this, names, messages, inflight)
                : new Consumers(this, names, messages, prefetch == 0 ? inflight : prefetch,
                        numbering.shareOf(me, settings.get(ClientKeys.QUEUES), settings), settings, helpers);
        this.exchanges = new Exchanges(settings, numbering);
        this.subscriptions = new TopicSubscriptions(this, exchanges, numbering,
                prefetch == 0 ? Math.max(settings.get(ClientKeys.BATCH), TOPIC_PREFETCH) : prefetch, settings);
        this.copies = settings.get(TopicKeys.MATCHING);
    }

    /**
     * Opens a channel, and waits for it. The server closes a channel if a queue is missing or a message too long. Later
     * requests need a new channel, so the connection ends with it and is made again.
     *
     * @throws IOException also if the server allows the connection no more channels
     */
    Channel newChannel() throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the server refuses a further channel of the connection; lower client.inflight.max "
                    + "or raise its channel_max");
        }
        channel.addShutdownListener(cause -> {
            if (!cause.isHardError() && !cause.isInitiatedByApplication()) {
                end(cause.getMessage());
            }
        });
        return channel;
    }

    /** Ends the connection, which is made again. The connection's reader may call this. */
    void end(String reason) {
        helpers.execute(() -> connection.abort(AMQP.REPLY_SUCCESS, reason, ABORT_MILLIS));
    }

    /** Opens a channel whose deliveries may be acknowledged by their leases. */
    AckChannel newAckChannel() throws IOException {
        return acknowledgements.on(newChannel());
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    Status submit(Request request, Completion completion) {
        try {
            Status status = request.accept(new Submission(completion));
            if (ended) {
                // A request that came after the end would wait for ever.
                endAll();
            }
            return status;
        } catch (ShutdownSignalException | RejectedExecutionException e) {
            return Status.NOT_CONNECTED;
        } catch (IOException e) {
            LOG.log(Level.FINE, "the connection was lost", e);
            return Status.CONNECTION_LOST;
        }
    }

    void endWaits(long nowNanos, long timeoutNanos) {
        sends.endWaits(nowNanos, timeoutNanos);
        takes.endWaits(nowNanos, timeoutNanos);
        subscriptions.endWaits(nowNanos, timeoutNanos);
    }

    /** Ends all requests in flight after the connection was lost: their outcomes are unknown. */
    void endAll() {
        ended = true;
        sends.endWaits(System.nanoTime(), Long.MIN_VALUE);
        takes.endAll();
        subscriptions.endAll();
    }

    void close(int millis) {
        // The goodbye is a write, too, and the server may not read it.
        CompletableFuture.delayedExecutor(2L * millis, TimeUnit.MILLISECONDS).execute(opened.breakOff());
        connection.abort(millis);
        endAll();
    }

    /** Closes the connection without a goodbye to the server, which may not read it. Does not wait. */
    void breakOff() {
        opened.breakOff().run();
    }

    /** Starts the supported kinds of requests. */
    private final class Submission implements RequestVisitor<Status, IOException> {
        private final Completion completion;

        private Submission(Completion completion) {
            this.completion = completion;
        }

        @Override
        public Status other(Request request) {
            return answer(() -> new Response.Failure(Status.INVALID_REQUEST, "RabbitMQ has no "
                    + request.type().label()));
        }

        @Override
        public Status visit(Request.SendMessage message) throws IOException {
            return sends.send(numbering.stored(message), Response.Done.INSTANCE, completion);
        }

        @Override
        public Status visit(Request.SendMessages bulk) throws IOException {
            return sends.send(numbering.stored(bulk), Response.Done.INSTANCE, completion);
        }

        @Override
        public Status visit(Request.SendMessageToClient message) throws IOException {
            return sentTo(message, 0, Response.Done.INSTANCE);
        }

        @Override
        public Status visit(Request.SendRequestToClient message) throws IOException {
            long context = numbering.newContext(me);
            return sentTo(message, context, new Response.ContextAssigned(context));
        }

        @Override
        public Status visit(Request.SendResponseToClient message) throws IOException {
            return sentTo(message, message.context(), Response.Done.INSTANCE);
        }

        @Override
        public Status visit(Request.DequeueMessage taken) throws IOException {
            return take(taken);
        }

        @Override
        public Status visit(Request.DequeueMessages taken) throws IOException {
            return take(taken);
        }

        @Override
        public Status visit(Request.ReceiveMessage received) throws IOException {
            return take(received);
        }

        @Override
        public Status visit(Request.ReceiveMessages received) throws IOException {
            return take(received);
        }

        private Status take(Request.Retrieval request) throws IOException {
            int queue = request.query().toMe() ? numbering.ownQueue(me) : request.query().queue();
            return (numbering.isSubscription(queue) ? subscriptions : takes)
                    .take(new Retrieval(queue, request, completion));
        }

        @Override
        public Status visit(TopicRequest.LookupTopic lookup) {
            int number = numbering.topic(lookup.name());
            return answer(() -> {
                if (number == 0) {
                    return new Response.Failure(Status.TOPIC_DOES_NOT_EXIST, "topic " + lookup.name());
                }
                subscriptions.createTopic(number);
                return new Response.TopicFound(number, lookup.name());
            });
        }

        @Override
        public Status visit(TopicRequest.Subscribe subscribe) {
            return answer(() -> new Response.QueueFound(subscriptions.subscribe(subscribe), subscribe.name()));
        }

        /** The server does not tell how many queues get a message, so the response has the number of the settings. */
        @Override
        public Status visit(TopicRequest.Publish publish) throws IOException {
            return sends.publish(exchanges.name(publish.topic()), exchanges.routingKey(publish), publish,
                    new Response.Published(copies), completion);
        }

        @Override
        public Status visit(Request.QueueLength asked) {
            return numbering.isSubscription(asked.queue()) ? answer(() -> subscriptions.length(asked.queue()))
                    : other(asked);
        }

        /** It is done when it is sent, because the server does not confirm it. */
        @Override
        public Status visit(Request.Acknowledge ended) throws IOException {
            UnderWay request = new UnderWay(completion);
            Status status = acknowledgements.of(List.of(new Lease(ended.message(), ended.leaseToken()))).get(0);
            if (status == Status.OK) {
                request.succeed(Response.Done.INSTANCE);
            } else {
                request.fail(status, "delivery " + ended.message());
            }
            return Status.OK;
        }

        @Override
        public Status visit(Request.AcknowledgeMessages ended) throws IOException {
            UnderWay request = new UnderWay(completion);
            request.succeed(new Response.LeaseStatuses(acknowledgements.of(ended.leases())));
            return Status.OK;
        }

        @Override
        public Status visit(Request.Register register) {
            return answer(() -> {
                declarations.declare(numbering.ownQueue(me));
                return new Response.Registered(me, numbering.ownQueue(me));
            });
        }

        /** A client exists if its own queue does. */
        @Override
        public Status visit(Request.LookupClient lookup) {
            return answer(() -> {
                int client = numbering.client(lookup.name());
                return client != 0 && declarations.isThere(numbering.ownQueue(client))
                        ? new Response.ClientFound(client, lookup.name())
                        : new Response.Failure(Status.CLIENT_DOES_NOT_EXIST, "client " + lookup.name());
            });
        }

        @Override
        public Status visit(Request.LookupQueue lookup) {
            return answer(() -> {
                int queue = numbering.queue(lookup.name());
                return queue != 0 && declarations.isThere(queue) ? new Response.QueueFound(queue, lookup.name())
                        : new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, "queue " + lookup.name());
            });
        }

        @Override
        public Status visit(Request.CreateQueue create) {
            return answer(() -> {
                declarations.declare(numbering.queue(create.name()));
                return new Response.QueueFound(numbering.queue(create.name()), create.name());
            });
        }

        private Status sentTo(Request.SendToClient message, long context, Response answer) throws IOException {
            return sends.send(numbering.stored(message, context), answer, completion);
        }

        /** Executes a call in a thread that may block, which the connection's reader must not. */
        private Status answer(Answer answer) {
            UnderWay request = new UnderWay(completion);
            helpers.execute(() -> {
                try {
                    Response response = answer.response();
                    request.end(response instanceof Response.Failure failure ? failure.status() : Status.OK, response);
                } catch (IOException | RuntimeException e) {
                    if (connection.isOpen()) {
                        request.fail(Status.INVALID_REQUEST, AmqpLink.reason(e));
                    } else {
                        request.end(Status.CONNECTION_LOST, null);
                    }
                }
            });
            return Status.OK;
        }
    }

    /** A call that waits for the server. */
    private interface Answer {
        Response response() throws IOException;
    }
}

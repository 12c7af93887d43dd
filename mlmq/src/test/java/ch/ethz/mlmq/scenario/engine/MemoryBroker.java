package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Stands in for a broker and its network in tests of the engine: executes requests one by one in a thread of its own,
 * and can be stopped, refuse, or lose its connections at will.
 */
final class MemoryBroker implements LinkFactory {
    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::execute, "memory-broker");
    private final Map<String, Integer> queues = new LinkedHashMap<>();
    private final Map<String, Integer> clients = new LinkedHashMap<>();
    private final List<Message> messages = new ArrayList<>();
    private final List<MemoryLink> links = new ArrayList<>();
    private final Set<Lease> leased = new HashSet<>();
    private final List<String> executed = new ArrayList<>();
    private final Map<ClientId, List<Message>> taken = new LinkedHashMap<>();
    private final int maxClients;
    private long ids;
    private boolean receiversIgnored;
    private boolean contextsMixed;
    private boolean damaging;
    private boolean leasesForgotten;
    private boolean stopped;
    private boolean connected = true;
    private Status refusal;

    MemoryBroker() {
        this(Integer.MAX_VALUE);
    }

    MemoryBroker(int maxClients) {
        this.maxClients = maxClients;
        thread.setDaemon(true);
        thread.start();
    }

    /** Stops execution until {@link #goOn}, like a stopped process. */
    synchronized void stop() {
        stopped = true;
    }

    /** @return requests behind the one that is being executed */
    int waiting() {
        return work.size();
    }

    synchronized void goOn() {
        stopped = false;
        notifyAll();
    }

    /** Refuses every request from now on; with null, none. */
    synchronized void refuse(Status status) {
        refusal = status;
    }

    /** Gives responses a wrong context from now on. */
    synchronized void mixContextsUp() {
        contextsMixed = true;
    }

    /** Changes one byte of each received message. */
    synchronized void damageMessages() {
        damaging = true;
    }

    /** Knows no lease from now on. */
    synchronized void forgetLeases() {
        leasesForgotten = true;
    }

    /** @return number of messages that are received and not acknowledged */
    synchronized int leased() {
        return leased.size();
    }

    /** Delivers messages to any client, whatever their receivers. */
    synchronized void ignoreReceivers() {
        receiversIgnored = true;
    }

    /** Breaks or restores all connections. */
    void connected(boolean wanted) {
        List<MemoryLink> all;
        synchronized (this) {
            connected = wanted;
            all = List.copyOf(links);
        }
        all.forEach(link -> link.changed.run());
    }

    /** @return number of links that were opened and not closed */
    synchronized int connections() {
        return links.size();
    }

    /** @return messages that are stored */
    synchronized List<Message> stored() {
        return List.copyOf(messages);
    }

    /** @return operations executed by a client, in their order, with what tells them apart */
    synchronized List<String> executedBy(String client) {
        return executed.stream().filter(line -> line.startsWith(client + " ")).toList();
    }

    /** @return messages that clients took out of queues, by client */
    synchronized Map<ClientId, List<Message>> taken() {
        return Map.copyOf(taken);
    }

    @Override
    public Link open(ClientId id, Runnable changed) {
        MemoryLink link = new MemoryLink(id, changed);
        synchronized (this) {
            links.add(link);
        }
        return link;
    }

    @Override
    public String target() {
        return "the broker in memory";
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void execute() {
        try {
            while (true) {
                Runnable next = work.take();
                synchronized (this) {
                    while (stopped) {
                        wait();
                    }
                }
                next.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Response answer(MemoryLink link, Request request) {
        executed.add(link.id.name() + " " + describe(request));
        if (refusal != null) {
            return new Response.Failure(refusal, "refused in a test");
        }
        if (request instanceof Request.Register register) {
            return register(link, register);
        } else if (request instanceof Request.LookupClient lookup) {
            return clients.containsKey(lookup.name())
                    ? new Response.ClientFound(clients.get(lookup.name()), lookup.name())
                    : new Response.Failure(Status.CLIENT_DOES_NOT_EXIST, lookup.name());
        } else if (request instanceof Request.LookupQueue lookup) {
            return queues.containsKey(lookup.name()) ? new Response.QueueFound(queues.get(lookup.name()), lookup.name())
                    : new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, lookup.name());
        } else if (request instanceof Request.CreateQueue create) {
            if (queues.containsKey(create.name())) {
                return new Response.Failure(Status.QUEUE_EXISTS, create.name());
            }
            queues.put(create.name(), (int) ++ids);
            return new Response.QueueFound((int) ids, create.name());
        } else if (request instanceof Request.QueueLength length) {
            return new Response.QueueLength(messages.stream().filter(message -> message.queue() == length.queue())
                    .count(), leased());
        } else if (request instanceof Request.Echo echo) {
            return new Response.Echoed(echo.content());
        } else if (request instanceof Request.SendMessage send) {
            for (int queue : send.queues()) {
                store(link, queue, send.receiver(), send.priority(), send.context(), send.content());
            }
            return Response.Done.INSTANCE;
        } else if (request instanceof Request.SendMessages bulk) {
            bulk.messages().forEach(message -> store(link, message.queue(), message.receiver(), message.priority(),
                    message.context(), message.content()));
            return Response.Done.INSTANCE;
        } else if (request instanceof Request.SendMessageToClient send) {
            store(link, -send.client(), send.client(), send.priority(), 0, send.content());
            return Response.Done.INSTANCE;
        } else if (request instanceof Request.SendRequestToClient send) {
            long context = ++ids;
            store(link, -send.client(), send.client(), send.priority(), context, send.content());
            return new Response.ContextAssigned(context);
        } else if (request instanceof Request.SendResponseToClient send) {
            store(link, -send.client(), send.client(), send.priority(), send.context(), send.content());
            return Response.Done.INSTANCE;
        } else if (request instanceof Request.QueuesWithPendingMessages query) {
            int[] pending = messages.stream().filter(message -> message.queue() > 0 && visible(link, message)
                    && !(query.toMe() && message.receiver() == 0))
                    .mapToInt(Message::queue).distinct().toArray();
            return new Response.PendingQueues(0, pending);
        } else if (request instanceof Request.PeekMessage peek) {
            return new Response.Delivery(find(link, peek.query()));
        } else if (request instanceof Request.DequeueMessage dequeue) {
            Message found = find(link, dequeue.query());
            messages.remove(found);
            taken(link, found == null ? List.of() : List.of(found));
            return new Response.Delivery(found == null ? null : delivered(found, dequeue.query()));
        } else if (request instanceof Request.DequeueMessages dequeue) {
            List<Message> found = new ArrayList<>();
            for (Message next = find(link, dequeue.query()); next != null && found.size() < dequeue.max();
                    next = find(link, dequeue.query())) {
                messages.remove(next);
                found.add(next);
            }
            taken(link, found);
            return new Response.Deliveries(found.stream().map(each -> delivered(each, dequeue.query())).toList());
        } else if (request instanceof Request.ReceiveMessage receive) {
            List<Message> found = lease(link, receive.query(), 1);
            return new Response.Delivery(found.isEmpty() ? null : found.get(0));
        } else if (request instanceof Request.ReceiveMessages receive) {
            return new Response.Deliveries(lease(link, receive.query(), receive.max()));
        } else if (request instanceof Request.Acknowledge acknowledge) {
            Status status = acknowledged(new Lease(acknowledge.message(), acknowledge.leaseToken()));
            return status == Status.OK ? Response.Done.INSTANCE : new Response.Failure(status, "no such lease");
        } else if (request instanceof Request.AcknowledgeMessages acknowledge) {
            return new Response.LeaseStatuses(acknowledge.leases().stream().map(this::acknowledged).toList());
        }
        return request instanceof TopicRequest ofTopic ? answer(link, ofTopic)
                : new Response.Failure(Status.INVALID_REQUEST, "not in memory: " + request.type());
    }

    /** All subscriptions take each message. */
    private Response answer(MemoryLink link, TopicRequest request) {
        if (request instanceof TopicRequest.LookupTopic lookup) {
            return new Response.TopicFound(1, lookup.name());
        } else if (request instanceof TopicRequest.Subscribe subscribe) {
            return new Response.QueueFound(queues.computeIfAbsent("topic/" + subscribe.name(), unseen -> (int) ++ids),
                    subscribe.name());
        } else if (request instanceof TopicRequest.Publish publish) {
            int[] copies = queues.entrySet().stream().filter(entry -> entry.getKey().startsWith("topic/"))
                    .mapToInt(Map.Entry::getValue).toArray();
            for (int queue : copies) {
                store(link, queue, 0, publish.priority(), publish.context(), publish.content());
            }
            return new Response.Published(copies.length);
        }
        return new Response.Failure(Status.INVALID_REQUEST, "not in memory: " + request.type());
    }

    private Response register(MemoryLink link, Request.Register register) {
        if (clients.size() >= maxClients) {
            return new Response.Failure(Status.BROKER_FULL, "at most " + maxClients + " clients");
        }
        link.client = (int) ++ids;
        clients.put(register.name(), link.client);
        return new Response.Registered(link.client, -link.client);
    }

    private void store(MemoryLink link, int queue, int receiver, int priority, long context, byte[] content) {
        messages.add(new Message(++ids, queue, new Message.Envelope(link.client, receiver, priority, context, 0),
                Message.Delivery.NONE, content));
    }

    private Message find(MemoryLink link, MessageQuery query) {
        return messages.stream().filter(message -> visible(link, message))
                .filter(message -> query.queue() == 0 || message.queue() == query.queue())
                .filter(message -> query.context() == 0 || message.context() == query.context())
                .filter(message -> !query.toMe() || receiversIgnored || message.receiver() == link.client)
                .findFirst().orElse(null);
    }

    /** Moves messages from their queue to the leased ones. */
    private List<Message> lease(MemoryLink link, MessageQuery query, int max) {
        List<Message> found = new ArrayList<>();
        for (Message next = find(link, query); next != null && found.size() < max; next = find(link, query)) {
            messages.remove(next);
            Message message = new Message(next.id(), next.queue(), next.envelope(), new Message.Delivery(1, ++ids),
                    next.content());
            leased.add(message.lease());
            found.add(message);
        }
        taken(link, found);
        return found;
    }

    private void taken(MemoryLink link, List<Message> messages) {
        taken.computeIfAbsent(link.id, unseen -> new ArrayList<>()).addAll(messages);
    }

    private Status acknowledged(Lease lease) {
        return !leasesForgotten && leased.remove(lease) ? Status.OK : Status.UNKNOWN_LEASE;
    }

    private Message delivered(Message message, MessageQuery query) {
        byte[] content = message.content().clone();
        if (damaging) {
            content[content.length - 1]++;
        }
        Message.Envelope envelope = new Message.Envelope(message.sender(), message.receiver(), message.priority(),
                message.context() + (contextsMixed && query.context() != 0 ? 1 : 0), 0);
        return new Message(message.id(), message.queue(), envelope, new Message.Delivery(1), content);
    }

    private boolean visible(MemoryLink link, Message message) {
        return receiversIgnored || message.receiver() == 0 || message.receiver() == link.client;
    }

    private static String describe(Request request) {
        if (request instanceof Request.SendMessage send) {
            return "send " + Arrays.toString(send.queues()) + " " + send.priority() + " "
                    + send.content().length;
        }
        if (request instanceof Request.AcknowledgeMessages acknowledge) {
            return request.type().label() + " " + acknowledge.leases().size();
        }
        if (request instanceof Request.SendMessages bulk) {
            return request.type().label() + " " + bulk.messages().size() + " "
                    + bulk.messages().stream().map(OutgoingMessage::queue).distinct().count();
        }
        return request.type().label();
    }

    /** One client's connection. */
    private final class MemoryLink implements Link {
        private final ClientId id;
        private final Runnable changed;
        private int client;

        private MemoryLink(ClientId id, Runnable changed) {
            this.id = id;
            this.changed = changed;
        }

        @Override
        public Status submit(Request request, Completion completion) {
            if (!isConnected()) {
                return Status.NOT_CONNECTED;
            }
            long sent = System.nanoTime();
            work.add(() -> {
                Response response = answer(this, request);
                completion.completed(0, response instanceof Response.Failure failure ? failure.status() : Status.OK,
                        response, sent, System.nanoTime());
            });
            return Status.OK;
        }

        @Override
        public boolean isConnected() {
            synchronized (MemoryBroker.this) {
                return connected;
            }
        }

        @Override
        public String state() {
            return isConnected() ? "connected" : "the connection was cut in a test";
        }

        @Override
        public CompletableFuture<Void> close() {
            synchronized (MemoryBroker.this) {
                links.remove(this);
            }
            return CompletableFuture.completedFuture(null);
        }
    }
}

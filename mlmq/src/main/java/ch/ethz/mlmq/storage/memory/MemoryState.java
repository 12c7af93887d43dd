package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.TemporaryClients;
import ch.ethz.mlmq.storage.Tokens;
import ch.ethz.mlmq.storage.limit.LimitCounters;
import ch.ethz.mlmq.storage.limit.QueueLimits;
import ch.ethz.mlmq.storage.limit.QueueStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** State of {@link MemoryStorage}; used under its lock. */
final class MemoryState {
    final TemporarySessions clients = new TemporarySessions();
    final MemoryTopics topics = new MemoryTopics();

    private final int deliveriesMax;
    private final long dedupWindowMillis;
    private final Map<Integer, MemoryQueue> queues = new TreeMap<>();
    private final Map<String, MemoryQueue> publicByName = new HashMap<>();
    private final Map<String, MemoryQueue> ownByName = new HashMap<>();
    private final Map<Integer, MemoryQueue> ownByClient = new HashMap<>();
    private final Map<Integer, Long> tokens = new HashMap<>();
    private final Map<Long, Lease> leases = new HashMap<>();
    private final MemoryTimesToLive timesToLive = new MemoryTimesToLive();
    private final LimitCounters counters = new LimitCounters();
    private final MemoryRooms rooms = new MemoryRooms(counters);
    private final Map<Key, Long> keys = new LinkedHashMap<>();
    private long lastMessage;
    private long lastContext;
    private int lastQueue;
    private int lastClient;

    private record Lease(Message message, long untilMillis) {
    }

    private record Key(int queue, String key) {
    }

    MemoryState(int deliveriesMax, long dedupWindowMillis) {
        this.deliveriesMax = deliveriesMax;
        this.dedupWindowMillis = dedupWindowMillis;
    }

    MemoryQueue openSession(String name) {
        MemoryQueue own = ownByName.get(name);
        if (own == null) {
            own = new MemoryQueue(++lastQueue, name, ++lastClient);
            queues.put(own.id, own);
            ownByName.put(name, own);
            ownByClient.put(own.owner, own);
        }
        return own;
    }

    /** @return the presented token if it is the client's, else the fresh one */
    long token(int client, long presented, long fresh) {
        if (presented == 0 || tokens.getOrDefault(client, 0L) != presented) {
            tokens.put(client, fresh);
        }
        return tokens.get(client);
    }

    long nextContext() {
        return ++lastContext;
    }

    MemoryQueue queue(int id) {
        return queues.get(id);
    }

    MemoryQueue ownQueue(String client) {
        return ownByName.get(client);
    }

    MemoryQueue ownQueue(int client) {
        return ownByClient.get(client);
    }

    Response create(String name) {
        if (publicByName.containsKey(name)) {
            return new Response.Failure(Status.QUEUE_EXISTS, "there is a queue " + name + " already");
        }
        MemoryQueue queue = new MemoryQueue(++lastQueue, name, 0);
        queues.put(queue.id, queue);
        publicByName.put(name, queue);
        return new Response.QueueFound(queue.id, name);
    }

    /** Makes the queue of a subscription. @param owner id of its client, or 0. @return id of the queue */
    int createOf(int owner, String name) {
        MemoryQueue queue = new MemoryQueue(++lastQueue, name, owner);
        queues.put(queue.id, queue);
        if (owner == 0) {
            publicByName.put(name, queue);
        }
        return queue.id;
    }

    Response lookup(String name) {
        MemoryQueue queue = publicByName.get(name);
        return queue == null ? Failures.noQueue(name) : new Response.QueueFound(queue.id, name);
    }

    /** @param name of a public queue or a subscription, or # and an id. @return null if there is none */
    MemoryQueue named(String name) {
        int id = QueueStatement.id(name);
        return queues.values().stream().filter(queue -> queue.id == id || queue.name.equals(name)
                && (queue.owner == 0 || name.contains(Limits.SUBSCRIPTION))).findFirst().orElse(null);
    }

    /** @return queues with limits */
    List<MemoryQueue> limited() {
        return queues.values().stream().filter(queue -> !queue.limits().equals(QueueLimits.NONE)).toList();
    }

    LimitCounters counters() {
        return counters;
    }

    void delete(MemoryQueue queue) {
        queues.remove(queue.id);
        publicByName.remove(queue.name, queue);
        topics.ended(queue.id);
        leases.values().removeIf(lease -> lease.message.queue() == queue.id);
        keys.keySet().removeIf(key -> key.queue == queue.id);
    }

    Response pending(int client, int max, boolean toMe) {
        int[] ids = queues.values().stream().filter(queue -> queue.owner == 0
                && (toMe ? queue.hasMessageForOnly(client) : queue.hasMessageFor(client)))
                .mapToInt(queue -> queue.id).limit(max).toArray();
        return new Response.PendingQueues(ownByClient.get(client).size(), ids);
    }

    Response length(int client, int id) {
        MemoryQueue queue = queues.get(id);
        if (queue == null) {
            return Failures.noQueue(id);
        }
        return queue.mayBeReadBy(client) ? queue.length() : Failures.notOwner(id);
    }

    /** Stores all messages or none. @param stored gets the messages that can be taken from now on */
    Response send(int sender, List<OutgoingMessage> messages, List<Message> stored) {
        for (OutgoingMessage message : messages) {
            MemoryQueue queue = queues.get(message.queue());
            if (queue == null) {
                return Failures.noQueue(message.queue());
            }
            if (message.receiver() != 0 && !ownByClient.containsKey(message.receiver())) {
                return Failures.noClient(message.receiver());
            }
            if (queue.owner != 0 && message.receiver() != 0 && message.receiver() != queue.owner) {
                return Failures.notForReceiver(message.queue());
            }
        }
        long now = System.currentTimeMillis();
        Response.Failure full = rooms.make(messages.stream()
                .filter(message -> !isKnown(message.queue(), message.key(), now))
                .map(message -> new MemoryRooms.Arrival(queues.get(message.queue()), message.priority(),
                        message.content().length + size(message.properties()))).toList());
        if (full != null) {
            return full;
        }
        for (OutgoingMessage message : messages) {
            if (isFresh(message.queue(), message.key(), now)) {
                MemoryQueue queue = queues.get(message.queue());
                int receiver = queue.owner == 0 ? message.receiver() : queue.owner;
                enter(queue, new Message(++lastMessage, queue.id,
                        new Message.Envelope(sender, receiver, message.priority(), message.context(), now,
                                message.properties().withoutTimes()),
                        Message.Delivery.NONE, message.content()), message.properties(), stored);
            }
        }
        return Response.Done.INSTANCE;
    }

    /** Stores a message in each of the queues, unless its key is known; all or none. */
    Response publish(int sender, TopicRequest.Publish publish, int[] copies, List<Message> stored) {
        long now = System.currentTimeMillis();
        // No queue has a negative id.
        if (isKnown(-publish.topic(), publish.key(), now)) {
            return new Response.Published(0);
        }
        Response.Failure full = rooms.make(Arrays.stream(copies).mapToObj(copy -> new MemoryRooms.Arrival(
                queues.get(copy), publish.priority(), publish.content().length + size(publish.properties()))).toList());
        if (full != null) {
            return full;
        }
        isFresh(-publish.topic(), publish.key(), now);
        for (int copy : copies) {
            MemoryQueue queue = queues.get(copy);
            enter(queue, new Message(++lastMessage, queue.id, new Message.Envelope(sender, queue.owner,
                    publish.priority(), publish.context(), now, publish.properties().withoutTimes()),
                    Message.Delivery.NONE, publish.content()), publish.properties(), stored);
        }
        return new Response.Published(copies.length);
    }

    private static int size(MessageProperties properties) {
        return properties.withoutTimes().encoded().length;
    }

    /** Stores a new message. A delayed one is leased by nobody. */
    private void enter(MemoryQueue queue, Message message, MessageProperties times, List<Message> stored) {
        long from = message.sentMillis() + times.delayMillis();
        if (times.timeToLiveMillis() > 0) {
            timesToLive.add(message, from + times.timeToLiveMillis());
        }
        if (times.delayMillis() == 0) {
            store(queue, message, stored);
        } else {
            queue.lease(message);
            leases.put(message.id(), new Lease(message, from));
        }
    }

    /** Moves or removes messages. @param stored gets the moved ones */
    Response move(int client, MoveMessages move, List<Message> stored) {
        for (int id : move.target() == 0 ? new int[] {move.queue()} : new int[] {move.queue(), move.target()}) {
            if (queues.get(id) == null) {
                return Failures.noQueue(id);
            }
            if (!queues.get(id).mayBeReadBy(client)) {
                return Failures.notOwner(id);
            }
        }
        MemoryQueue source = queues.get(move.queue());
        MemoryQueue target = queues.get(move.target());
        List<Message> moved = source.some(target, move.max());
        for (Message message : moved) {
            source.remove(message);
            if (target == null || source.dead) {
                timesToLive.forget(message);
            }
            if (target != null) {
                // Messages of a personal queue are for its owner while they are there.
                int receiver = source.owner == 0 ? message.receiver() : 0;
                Message placed = new Message(message.id(), target.id, new Message.Envelope(message.sender(),
                        target.owner == 0 ? receiver : target.owner, message.priority(), message.context(),
                        message.sentMillis(), message.properties()),
                        new Message.Delivery(source.dead ? 0 : message.deliveries()), message.content());
                timesToLive.follow(placed);
                store(target, placed, stored);
            }
        }
        return new Response.Moved(moved.size());
    }

    /** Ends the subscriptions that end with the client. */
    void endSubscriptions(int client) {
        topics.queuesOf(client).forEach(queue -> delete(queues.get(queue)));
    }

    /** @return why the query is refused, or null */
    Response.Failure check(int client, MessageQuery query) {
        if (query.queue() == 0) {
            return null;
        }
        MemoryQueue queue = queues.get(query.queue());
        if (queue == null) {
            return Failures.noQueue(query.queue());
        }
        return queue.mayBeReadBy(client) ? null : Failures.notOwner(query.queue());
    }

    List<Message> first(int client, MessageQuery query, int max) {
        if (query.queue() != 0) {
            return queues.get(query.queue()).first(query, client, max);
        }
        List<Message> found = new ArrayList<>();
        for (MemoryQueue queue : queues.values()) {
            if (queue.mayBeReadBy(client) && !queue.dead) {
                found.addAll(queue.first(query, client, max));
            }
        }
        found.sort(MemoryQueue.order(query.order()));
        return found.subList(0, Math.min(max, found.size()));
    }

    /**
     * Takes as many messages as there are, at least one.
     *
     * @param maxBytes    size of the response that they must fit into
     * @param leaseMillis duration of their lease [ms], or 0 to dequeue them
     */
    List<Message> take(int client, MessageQuery query, int max, int maxBytes, int leaseMillis) {
        List<Message> taken = new ArrayList<>();
        long bytes = 0;
        for (Message message : first(client, query, max)) {
            bytes += Limits.messageBytes(message.bytes());
            if (bytes > maxBytes && !taken.isEmpty()) {
                break;
            }
            MemoryQueue queue = queues.get(message.queue());
            queue.remove(message);
            Message delivered = message.handedOut(new Message.Delivery(message.deliveries() + 1,
                    leaseMillis == 0 ? 0 : Tokens.ofALease()));
            if (leaseMillis > 0) {
                queue.lease(delivered);
                leases.put(message.id(), new Lease(delivered, System.currentTimeMillis() + leaseMillis));
            }
            taken.add(delivered);
        }
        return taken;
    }

    boolean acknowledge(long message, long token) {
        Lease lease = current(message, token);
        if (lease != null) {
            leases.remove(message);
            queues.get(lease.message.queue()).endLease(lease.message);
        }
        return lease != null;
    }

    boolean extend(long message, long token, int leaseMillis) {
        Lease lease = current(message, token);
        if (lease != null) {
            leases.put(message, new Lease(lease.message, System.currentTimeMillis() + leaseMillis));
        }
        return lease != null;
    }

    boolean release(long message, long token, List<Message> stored) {
        Lease lease = current(message, token);
        if (lease != null) {
            leases.remove(message);
            endLease(lease.message, stored);
        }
        return lease != null;
    }

    /** Puts back a message that was not delivered. */
    void requeue(Message message, List<Message> stored) {
        MemoryQueue queue = queues.get(message.queue());
        if (message.leaseToken() != 0) {
            if (current(message.id(), message.leaseToken()) != null) {
                requeueLeased(leases.remove(message.id()).message, stored);
            }
        } else if (queue != null) {
            store(queue, message.handedOut(new Message.Delivery(message.deliveries() - 1)), stored);
        }
    }

    void expire(List<Message> stored) {
        long now = System.currentTimeMillis();
        List<Message> ended = new ArrayList<>();
        for (Iterator<Lease> i = leases.values().iterator(); i.hasNext();) {
            Lease lease = i.next();
            if (lease.untilMillis <= now) {
                i.remove();
                ended.add(lease.message);
            }
        }
        ended.forEach(message -> endLease(message, stored));
        queues.values().forEach(queue -> removeAged(queue, now));
        queues.values().forEach(rooms::trim);
        timesToLive.end(now, queues, leases.keySet());
        clients.due(now).forEach(this::gone);
        for (Iterator<Long> i = keys.values().iterator(); i.hasNext() && i.next() < now - dedupWindowMillis;) {
            i.remove();
        }
    }

    /** Removes a temporary client, unless a message is for it; of another one, what ends with it. */
    private void gone(int client) {
        endSubscriptions(client);
        if (!TemporaryClients.isNameOf(ownByClient.get(client).name)) {
            clients.removed(client);
        } else if (!isAddressed(client)) {
            removeClient(client);
        }
    }

    /** @return true if a message in a public queue is for this client only */
    private boolean isAddressed(int client) {
        return queues.values().stream().anyMatch(queue -> queue.hasMessageForOnly(client))
                || leases.values().stream().anyMatch(lease -> lease.message.receiver() == client
                        && queues.get(lease.message.queue()).owner == 0);
    }

    private void removeClient(int client) {
        ownByName.remove(ownByClient.remove(client).name);
        tokens.remove(client);
        queues.values().stream().filter(queue -> queue.owner == client).toList().forEach(this::delete);
        clients.removed(client);
    }

    private Lease current(long message, long token) {
        Lease lease = leases.get(message);
        return lease != null && lease.message.leaseToken() == token && lease.untilMillis > System.currentTimeMillis()
                ? lease : null;
    }

    private void removeAged(MemoryQueue queue, long now) {
        long ageMillis = queue.limits().ageMillis();
        for (Message old = ageMillis == 0 ? null : queue.olderThan(now - ageMillis); old != null;
                old = queue.olderThan(now - ageMillis)) {
            queue.remove(old);
            counters.aged.increment();
        }
    }

    /** A message that was delivered comes back after the wait of its queue, until which nobody has it. */
    private void endLease(Message message, List<Message> stored) {
        QueueLimits limits = queues.get(message.queue()).limits();
        long wait = limits.waitMillis(message.deliveries());
        if (message.leaseToken() == 0 || wait == 0 || message.deliveries() >= limits.attemptsOr(deliveriesMax)) {
            requeueLeased(message, stored);
        } else {
            leases.put(message.id(), new Lease(message.handedOut(new Message.Delivery(message.deliveries())),
                    System.currentTimeMillis() + wait));
        }
    }

    private void requeueLeased(Message message, List<Message> stored) {
        MemoryQueue queue = queues.get(message.queue());
        queue.endLease(message);
        boolean dead = message.deliveries() >= queue.limits().attemptsOr(deliveriesMax)
                && !queue.name.endsWith(Limits.DEAD_LETTERS);
        store(dead ? deadLetterQueue(queue) : queue, message.handedOut(new Message.Delivery(message.deliveries())),
                stored);
    }

    private MemoryQueue deadLetterQueue(MemoryQueue origin) {
        String name = ownByClient.getOrDefault(origin.owner, origin).name + Limits.DEAD_LETTERS;
        MemoryQueue queue = origin.owner == 0 ? publicByName.get(name) : deadLettersOf(origin.owner, name);
        if (queue == null) {
            queue = new MemoryQueue(++lastQueue, name, origin.owner);
            queues.put(queue.id, queue);
            if (queue.owner == 0) {
                publicByName.put(name, queue);
            }
        }
        queue.dead = true;
        return queue;
    }

    /** Looks up the queue of a client's own dead letters. @param name of the client, and {@code .dead} */
    Response ownDeadLetters(String name) {
        String client = name.substring(0, name.length() - Limits.DEAD_LETTERS.length());
        MemoryQueue own = ownByName.get(client);
        if (own == null) {
            return Failures.noClient(client);
        }
        MemoryQueue dead = deadLettersOf(own.owner, name);
        return dead == null ? Failures.noDeadLetters(name) : new Response.QueueFound(dead.id, name);
    }

    private MemoryQueue deadLettersOf(int owner, String name) {
        return queues.values().stream().filter(queue -> queue.owner == owner && queue.dead && queue.name.equals(name))
                .findFirst().orElse(null);
    }

    private void store(MemoryQueue queue, Message message, List<Message> stored) {
        Message placed = message.queue() == queue.id ? message : message.in(queue.id);
        queue.add(placed);
        stored.add(placed);
    }

    private boolean isKnown(int queue, String name, long now) {
        Long sent = name.isEmpty() ? null : keys.get(new Key(queue, name));
        return sent != null && sent >= now - dedupWindowMillis;
    }

    /** @return true if the key was not known; it is now */
    private boolean isFresh(int queue, String name, long now) {
        if (name.isEmpty() || isKnown(queue, name, now)) {
            return name.isEmpty();
        }
        Key key = new Key(queue, name);
        // The key is put again, so that the oldest key stays the first.
        keys.remove(key);
        keys.put(key, now);
        return true;
    }
}

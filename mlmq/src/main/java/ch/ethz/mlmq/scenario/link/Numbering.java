package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ScenarioMapping.Place;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.Positions;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.workload.ForeignMessageException;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import ch.ethz.mlmq.scenario.workload.MessageId;
import ch.ethz.mlmq.scenario.workload.PublicQueues;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of queues and clients for systems that know only names. Every JVM of a run computes the same numbers. */
public final class Numbering {
    private static final int CLIENT_BITS = 10;
    private static final int OWN_QUEUE = 1 << 24;
    private static final int PAIR_QUEUE = 1 << 25;
    /** Number of the first subscription where a system numbers them itself. */
    public static final int FIRST_SUBSCRIPTION = (1 << 26) + 1;

    private static final int SUBSCRIPTION = 1 << 26;
    private static final Pattern CLIENT = Pattern.compile(".+_(\\d{1,4})_(\\d{1,4})");
    private static final Pattern PUBLIC_QUEUE = Pattern.compile("queue(\\d{1,5})");
    private static final Pattern TOPIC = Pattern.compile("topic(\\d{1,4})");
    private static final Pattern PAIR = Pattern.compile("pair_(\\d{1,4})_(\\d{1,4})");

    private final List<Place> places;
    private final AtomicInteger contexts = new AtomicInteger();
    private final AtomicInteger lastSubscription = new AtomicInteger();
    private final Map<String, Integer> subscriptions = new ConcurrentHashMap<>();

    /** @param settings contain the mapping of the run's client JVMs */
    public Numbering(Settings settings) {
        places = settings.get(CommonKeys.CLIENTS).places();
    }

    /** @return the number of a client, over 0 */
    public int client(ClientId id) {
        return client(id.position(), id.number());
    }

    /** @return the number of the client of that name, or 0 if no client of this run has it */
    public int client(String name) {
        Matcher parts = CLIENT.matcher(name);
        if (!parts.matches()) {
            return 0;
        }
        int number = client(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
        return name.equals(clientName(number)) ? number : 0;
    }

    /**
     * Deals the public queues to the clients of a scenario. A client gets several queues, or shares one with others.
     *
     * @return numbers of the client's queues, at least one
     */
    public int[] shareOf(int client, PublicQueues queues, Settings settings) {
        int position = client - 1 >> CLIENT_BITS;
        List<Integer> positions = Positions.of(places.get(position).scenario(), settings);
        int clients = settings.get(ClientKeys.STEPS).most(settings.get(ClientKeys.CLIENTS));
        int index = positions.indexOf(position) * clients + (client - 1 & (1 << CLIENT_BITS) - 1);
        int all = positions.size() * clients;
        return all >= queues.count() ? new int[] {queues.first() + index % queues.count()}
                : queues.numbers().filter(queue -> (queue - queues.first()) % all == index).toArray();
    }

    /** @return the name of a client, or null if no client of this run has that number */
    public String clientName(int client) {
        int position = client - 1 >> CLIENT_BITS;
        return client < 1 || position >= places.size() ? null : new ClientId(places.get(position).scenario(), position,
                client - 1 & (1 << CLIENT_BITS) - 1).name();
    }

    /** @return a context that is unique in the run */
    public long newContext(int client) {
        return (long) client << Integer.SIZE | Integer.toUnsignedLong(contexts.incrementAndGet());
    }

    /** @return the number of a client's own queue */
    public int ownQueue(int client) {
        return OWN_QUEUE | client;
    }

    /** @return the messages that a send stores; one with a receiver lies in the receiver's own queue */
    public List<OutgoingMessage> stored(Request.SendMessage send) {
        return send.receiver() == 0 ? OutgoingMessage.copiesOf(send)
                : List.of(inOwnQueue(send.receiver(), send, send.context()));
    }

    /** @return the messages that a bulk send stores; those with a receiver lie in the receiver's own queue */
    public List<OutgoingMessage> stored(Request.SendMessages bulk) {
        return bulk.messages().stream().map(message -> message.receiver() == 0 ? message
                : new OutgoingMessage(ownQueue(message.receiver()), 0, message.priority(), message.context(),
                        message.key(), message.content())).toList();
    }

    /** @return the message that a send to a client stores in the client's own queue */
    public List<OutgoingMessage> stored(Request.SendToClient send, long context) {
        return List.of(inOwnQueue(send.client(), send, context));
    }

    private OutgoingMessage inOwnQueue(int client, Request.Send send, long context) {
        return new OutgoingMessage(ownQueue(client), 0, send.priority(), context, "", send.content());
    }

    /** @return the number of the queue of that name, or 0 if it is not one of a run */
    public int queue(String name) {
        Matcher open = PUBLIC_QUEUE.matcher(name);
        if (open.matches()) {
            return Integer.parseInt(open.group(1));
        }
        Matcher pair = PAIR.matcher(name);
        return pair.matches() ? PAIR_QUEUE | Integer.parseInt(pair.group(1)) << CLIENT_BITS
                | Integer.parseInt(pair.group(2)) : 0;
    }

    /** @return the number of the topic of that name, or 0 if it is not one of a run */
    public int topic(String name) {
        Matcher topic = TOPIC.matcher(name);
        return topic.matches() ? Integer.parseInt(topic.group(1)) : 0;
    }

    /** @return the name of a topic by its number */
    public String topicName(int topic) {
        return "topic" + topic;
    }

    /** @return true if it is the number of a subscription, and not of a queue */
    public boolean isSubscription(int queue) {
        return (queue & SUBSCRIPTION) != 0;
    }

    /** @return the number of a subscription, which is no other's in this JVM; the same when it is made again */
    public int subscription(String name) {
        return subscriptions.computeIfAbsent(name, made -> SUBSCRIPTION | lastSubscription.incrementAndGet());
    }

    /** @return the name of a queue by its number; a client's own queue has the client's name */
    public String queueName(int queue) {
        if ((queue & PAIR_QUEUE) != 0) {
            int pair = queue ^ PAIR_QUEUE;
            return "pair_" + (pair >> CLIENT_BITS) + "_" + (pair & (1 << CLIENT_BITS) - 1);
        }
        return (queue & OWN_QUEUE) != 0 ? clientName(queue ^ OWN_QUEUE) : "queue" + queue;
    }

    /**
     * Finds the sender in the message itself, so that no system needs to transport it.
     *
     * @return the number of the client that sent it; -1 if no client of this load did
     */
    public int sender(byte[] content) {
        try {
            MessageId id = LoadMessage.decode(content).id();
            return client(id.position(), id.client());
        } catch (ForeignMessageException e) {
            return -1;
        }
    }

    private static int client(int position, int number) {
        return (position << CLIENT_BITS | number) + 1;
    }
}

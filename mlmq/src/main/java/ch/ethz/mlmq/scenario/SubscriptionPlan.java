package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.Subscribed.Subscription;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import ch.ethz.mlmq.scenario.workload.TopicFilter;
import java.util.ArrayList;
import java.util.List;

/** Deals the subscriptions of a run to its clients, one to each in turn: first those that get messages. */
public final class SubscriptionPlan {
    private final Settings settings;
    private final int clients;

    /** @param scenario whose clients subscribe, in all JVMs */
    public SubscriptionPlan(String scenario, Settings settings) {
        this.settings = settings;
        this.clients = Positions.clients(scenario, settings);
    }

    /** @return number of clients of all JVMs */
    public int clients() {
        return clients;
    }

    /** @return number of subscriptions of all clients */
    public long subscriptions() {
        return (long) settings.get(TopicKeys.TOPICS)
                * (settings.get(TopicKeys.MATCHING) + settings.get(TopicKeys.OTHERS));
    }

    /** @return most subscriptions with messages that a client has */
    public long mostMatching() {
        return ((long) settings.get(TopicKeys.TOPICS) * settings.get(TopicKeys.MATCHING) + clients() - 1) / clients();
    }

    /**
     * @param topics ids of the topics
     * @return subscriptions of that client, whose queues are not known yet
     */
    public List<Subscription> of(ClientId client, int[] topics) {
        int matching = settings.get(TopicKeys.MATCHING);
        int others = settings.get(TopicKeys.OTHERS);
        TopicFilter filter = settings.get(TopicKeys.FILTER);
        boolean equal = settings.get(TopicKeys.FILTERS) == TopicKeys.Filters.EQUAL;
        int first = Positions.index(client, settings);
        List<Subscription> mine = new ArrayList<>();
        long all = subscriptions();
        for (long i = first; i < all; i += clients) {
            long beyond = i - (long) topics.length * matching;
            if (beyond < 0) {
                int number = (int) (i % matching);
                mine.add(subscription(topics[(int) (i / matching)], "matching" + number, filter.matching(), true));
            } else {
                int number = (int) (beyond % others);
                mine.add(subscription(topics[(int) (beyond / others)], "other" + number,
                        filter.other(equal ? 0 : number), false));
            }
        }
        return List.copyOf(mine);
    }

    private Subscription subscription(int topic, String name, String filter, boolean matching) {
        return new Subscription(new TopicRequest.Subscribe(topic, name, filter, settings.get(TopicKeys.DURABLE)),
                matching, 0);
    }
}

package ch.ethz.mlmq.scenario.settings;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.scenario.workload.TopicFilter;
import java.util.List;

/** Keys of the scenarios that publish and subscribe. */
public final class TopicKeys {
    private static final int MOST_TOPICS = 1_000;
    private static final int MOST_SUBSCRIPTIONS = 100_000;

    public static final Key<Integer> TOPICS = Key.of("client.topics", Integer.class, Grammar.integer(1, MOST_TOPICS),
            "1", "", "Publisher publishes to this many topics in turn: topic1, topic2 and so on. Subscriber subscribes "
                    + "to each. Missing ones are created.");
    public static final Key<Integer> MATCHING = Key.of("client.topic.matching", Integer.class,
            Grammar.integer(0, MOST_SUBSCRIPTIONS), "10", "subscriptions",
            "So many subscriptions of a topic get each message. The clients of all JVMs of Subscriber share "
                    + "the subscriptions evenly.");
    public static final Key<Integer> OTHERS = Key.of("client.topic.others", Integer.class,
            Grammar.integer(0, MOST_SUBSCRIPTIONS), "0", "subscriptions", "So many further subscriptions of a topic "
                    + "get no message.");
    public static final Key<TopicFilter> FILTER = Key.of("client.topic.filter", TopicFilter.class, TopicFilter.GRAMMAR,
            "property", "", "Subscriptions select messages by nothing, the context, a property, several properties "
                    + "joined by and (others differ in the last, or early in the first), or values of one property.");
    public static final Key<Filters> FILTERS = Key.of("client.topic.filters", Filters.class,
            Grammar.oneOf(Filters.class), "different", "", "The filters of the further subscriptions are equal or "
                    + "different.");
    public static final Key<Boolean> DURABLE = Key.of("client.topic.durable", Boolean.class, Grammar.flag(), "false",
            "", "Subscriptions outlive their clients' connections (true), or end with them (false).");

    public static final Key<Layout> LAYOUT = Key.of("client.topic.layout", Layout.class, Grammar.oneOf(Layout.class),
            "shared", "", "Clients spread over brokers that share their topics (shared), or brokers share nothing: "
                    + "each Publisher has one and each Subscriber subscribes at all (publisher), or each Subscriber "
                    + "has one and each message is published at all (subscriber).");

    /** All keys, in the order of the template. */
    public static final List<Key<?>> ALL = List.of(TOPICS, MATCHING, OTHERS, FILTER, FILTERS, DURABLE,
            LAYOUT);

    /** What the filters of subscriptions without messages have in common. */
    public enum Filters {
        /** All are the same. */
        EQUAL,
        /** Each is another. */
        DIFFERENT
    }

    /** Which brokers the clients of a topic use. */
    public enum Layout {
        /** Any: brokers know each other's topics. */
        SHARED(""),
        /** One for each publisher: publisher-side replication. */
        PUBLISHER("Publisher"),
        /** One for each subscriber: subscriber-side replication. */
        SUBSCRIBER("Subscriber");

        private final String owner;

        Layout(String owner) {
            this.owner = owner;
        }

        /** @return the scenario whose clients have a broker each; empty if brokers are shared */
        public String owner() {
            return owner;
        }
    }

    private TopicKeys() {
    }
}

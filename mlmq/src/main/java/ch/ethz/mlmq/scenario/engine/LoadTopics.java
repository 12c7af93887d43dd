package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.Subscribed.Subscription;
import ch.ethz.mlmq.scenario.SubscriptionPlan;
import ch.ethz.mlmq.scenario.link.BrokerLinks;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.recording.Registrations;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Finds or makes the topics of a run and the subscriptions of its clients. */
final class LoadTopics {
    private static final int BATCH = BrokerLinks.PREPARING_INFLIGHT / 2;

    private final Settings settings;
    private final SubscriptionPlan plan;
    private final Registrations registrations;
    private final IntSupplier connected;
    private final boolean shared;
    private final int brokers;
    private int[] topics;

    /** @param connected gives the number of connected clients */
    LoadTopics(String scenario, Settings settings, LinkFactory links, Registrations registrations,
            IntSupplier connected) {
        this.shared = links.sharesTopics();
        this.brokers = links.brokersOf(scenario);
        this.settings = settings;
        this.plan = new SubscriptionPlan(scenario, settings);
        this.registrations = registrations;
        this.connected = connected;
    }

    /** @return ids of the topics; missing ones are created */
    synchronized int[] topics(Member member, long deadline) throws LoadException {
        if (topics == null || !shared) {
            int[] found = new int[settings.get(TopicKeys.TOPICS)];
            for (int i = 0; i < found.length; i++) {
                found[i] = topic(member, "topic" + (i + 1), deadline);
            }
            topics = found;
        }
        return topics;
    }

    /**
     * Makes the subscriptions of clients that join together, all of them at once.
     *
     * @return the subscriptions of each client, which are made unless they are there
     */
    List<List<Subscription>> subscriptions(List<Member> members, long deadline) throws LoadException {
        List<List<Subscription>> planned = new ArrayList<>();
        List<List<Subscription>> made = new ArrayList<>();
        for (Member member : members) {
            planned.add(atEachBroker(plan.of(member.id(), topics(member, deadline))));
            made.add(new ArrayList<>());
        }
        int most = planned.stream().mapToInt(List::size).max().orElse(0);
        for (int first = 0; first < most; first += BATCH) {
            List<List<Asked>> asked = new ArrayList<>();
            for (int i = 0; i < members.size(); i++) {
                Member member = members.get(i);
                asked.add(planned.get(i).stream().skip(first).limit(BATCH).map(each -> new Asked(member, each))
                        .toList());
            }
            Question.settle(asked.stream().flatMap(List::stream).map(each -> each.question).toList(), deadline);
            for (int i = 0; i < members.size(); i++) {
                for (Asked each : asked.get(i)) {
                    made.get(i).add(each.made(deadline));
                }
            }
        }
        return made;
    }

    /** @return the subscriptions at each of the brokers that share no topics, as their links number these */
    private List<Subscription> atEachBroker(List<Subscription> subscriptions) {
        if (brokers == 1) {
            return subscriptions;
        }
        List<Subscription> each = new ArrayList<>();
        for (Subscription subscription : subscriptions) {
            TopicRequest.Subscribe request = subscription.request();
            for (int broker = 0; broker < brokers; broker++) {
                each.add(new Subscription(new TopicRequest.Subscribe(request.topic() * brokers + broker,
                        request.name(), request.filter(), request.durable()), subscription.matching(), 0));
            }
        }
        return each;
    }

    void firstMessage(long delayNanos) {
        registrations.first(delayNanos);
    }

    /**
     * Counts messages, under a lease or not. A subscription that was made again has another queue; that of a forgotten
     * one may have become another client's, as ids of a memory broker begin again at its restart.
     *
     * @return number of messages in these subscriptions; those that have ended have none
     */
    static long left(Member member, List<Subscription> subscriptions, long deadline) {
        return subscriptions.stream().mapToLong(subscription -> left(member, subscription, deadline)).sum();
    }

    private static long left(Member member, Subscription subscription, long deadline) {
        try {
            return length(member, subscription.queue(), deadline);
        } catch (MlmqException.QueueDoesNotExist | MlmqException.NotOwner e) {
            return leftInNewQueue(member, subscription.request(), deadline);
        }
    }

    private static long leftInNewQueue(Member member, TopicRequest.Subscribe request, long deadline) {
        try {
            return length(member, ((Response.QueueFound) member.askUntil(request, deadline)).queue(), deadline);
        } catch (MlmqException.QueueDoesNotExist | MlmqException.TopicDoesNotExist e) {
            return 0;
        }
    }

    private static long length(Member member, int queue, long deadline) {
        Response.QueueLength length =
                (Response.QueueLength) member.askUntil(new Request.QueueLength(queue), deadline);
        return length.ready() + length.leased();
    }

    private static int topic(Member member, String name, long deadline) throws LoadException {
        try {
            return found(member, name, deadline);
        } catch (MlmqException.TopicDoesNotExist e) {
            return created(member, name, deadline);
        } catch (MlmqException e) {
            throw new LoadException("the topic " + name + " could not be found: " + e.getMessage());
        }
    }

    private static int created(Member member, String name, long deadline) throws LoadException {
        try {
            return createdOrFound(member, name, deadline);
        } catch (MlmqException e) {
            throw new LoadException("the topic " + name + " could not be created: " + e.getMessage());
        }
    }

    private static int createdOrFound(Member member, String name, long deadline) {
        try {
            return ((Response.TopicFound) member.askUntil(new TopicRequest.CreateTopic(name), deadline)).topic();
        } catch (MlmqException.TopicExists e) {
            return found(member, name, deadline);
        }
    }

    private static int found(Member member, String name, long deadline) {
        return ((Response.TopicFound) member.askUntil(new TopicRequest.LookupTopic(name), deadline)).topic();
    }

    /** A subscription that is being made. */
    private final class Asked {
        private final Subscription subscription;
        private final long startNanos = System.nanoTime();
        private final Question question;
        private volatile long endNanos;

        private Asked(Member member, Subscription subscription) {
            this.subscription = subscription;
            registrations.asked(startNanos);
            question = new Question(member, subscription.request(), this::answered);
        }

        /** Waits for the answer. A registration that is repeated takes as long as all its attempts. */
        private Subscription made(long deadline) throws LoadException {
            try {
                int queue = ((Response.QueueFound) question.response(deadline)).queue();
                return registrations.isLoaded() ? subscription.at(queue, endNanos)
                        : subscription.at(queue, Subscription.BEFORE_THE_LOAD);
            } catch (MlmqException e) {
                registrations.refused(System.nanoTime());
                throw new LoadException("the subscription " + subscription.request().name()
                        + " could not be made: " + e.getMessage());
            }
        }

        private void answered(long nanos) {
            endNanos = nanos;
            registrations.subscribed(startNanos, nanos, connected.getAsInt());
        }
    }
}

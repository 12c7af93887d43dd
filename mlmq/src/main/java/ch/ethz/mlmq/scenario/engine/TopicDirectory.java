package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.Subscribed.Subscription;
import ch.ethz.mlmq.scenario.SubscriptionPlan;
import ch.ethz.mlmq.scenario.link.BrokerLinks;
import ch.ethz.mlmq.scenario.recording.Registrations;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;

/** Finds or makes the topics of a run and the subscriptions of its clients. */
final class TopicDirectory {
    private static final int BATCH = BrokerLinks.PREPARING_INFLIGHT / 2;

    private final Settings settings;
    private final SubscriptionPlan plan;
    private final Registrations registrations;
    private final IntSupplier connected;
    private int[] topics;

    /** @param connected gives the number of connected clients */
    TopicDirectory(String scenario, Settings settings, Registrations registrations, IntSupplier connected) {
        this.settings = settings;
        this.plan = new SubscriptionPlan(scenario, settings);
        this.registrations = registrations;
        this.connected = connected;
    }

    /** @return ids of the topics; missing ones are created */
    synchronized int[] topics(Member member, long deadline) throws LoadException {
        if (topics == null) {
            int[] found = new int[settings.get(TopicKeys.TOPICS)];
            for (int i = 0; i < found.length; i++) {
                found[i] = topic(member, "topic" + (i + 1), deadline);
            }
            topics = found;
        }
        return topics;
    }

    /** @return the subscriptions of that client, which are made unless they are there */
    List<Subscription> subscriptions(Member member, long deadline) throws LoadException {
        List<Subscription> mine = new ArrayList<>();
        List<Subscription> planned = plan.of(member.id(), topics(member, deadline));
        for (int first = 0; first < planned.size(); first += BATCH) {
            List<Subscription> batch = planned.subList(first, Math.min(planned.size(), first + BATCH));
            List<CompletableFuture<Response>> answers = batch.stream().map(each -> timed(member, each)).toList();
            for (int i = 0; i < batch.size(); i++) {
                try {
                    Response answer = member.await(answers.get(i), batch.get(i).request(), deadline);
                    mine.add(batch.get(i).at(((Response.QueueFound) answer).queue()));
                } catch (MlmqException e) {
                    throw new LoadException("the subscription " + batch.get(i).request().name()
                            + " could not be made: " + e.getMessage());
                }
            }
        }
        return List.copyOf(mine);
    }

    /**
     * Counts messages, under a lease or not. A subscription that was made again has another queue.
     *
     * @return number of messages in these subscriptions; those that have ended have none
     */
    static long left(Member member, List<Subscription> subscriptions, long deadline) {
        return subscriptions.stream().mapToLong(subscription -> left(member, subscription, deadline)).sum();
    }

    private static long left(Member member, Subscription subscription, long deadline) {
        try {
            return length(member, subscription.queue(), deadline);
        } catch (MlmqException.QueueDoesNotExist e) {
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

    private CompletableFuture<Response> timed(Member member, Subscription subscription) {
        long start = System.nanoTime();
        return member.ask(subscription.request()).whenComplete((answer, failure) -> {
            if (failure == null) {
                registrations.subscribed(start, System.nanoTime(), connected.getAsInt());
            }
        });
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
            return ((Response.TopicFound) member.askUntil(new TopicRequest.CreateTopic(name), deadline)).topic();
        } catch (MlmqException.TopicExists e) {
            return found(member, name, deadline);
        } catch (MlmqException e) {
            throw new LoadException("the topic " + name + " could not be created: " + e.getMessage());
        }
    }

    private static int found(Member member, String name, long deadline) {
        return ((Response.TopicFound) member.askUntil(new TopicRequest.LookupTopic(name), deadline)).topic();
    }
}

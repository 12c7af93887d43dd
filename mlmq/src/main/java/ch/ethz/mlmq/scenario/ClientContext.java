package ch.ethz.mlmq.scenario;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.workload.Choice;
import ch.ethz.mlmq.scenario.workload.Messages;
import ch.ethz.mlmq.scenario.workload.Priorities;
import ch.ethz.mlmq.scenario.workload.Seeds;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** The context of one client's behaviour: its identity, its surroundings, its settings and its random numbers. */
public final class ClientContext {
    private final ClientId id;
    private final Surroundings around;
    private final Settings settings;
    private final LongSupplier clock;
    private final BiConsumer<String, String> problems;
    private final RandomGenerator random;
    private final Messages messages;
    private final Choice queueChoice;
    private final Priorities priorities;

    /**
     * @param clock    gives the current time [ns], of any origin
     * @param problems takes the kind and the text of errors that belong to no single request
     */
    public ClientContext(ClientId id, Surroundings around, Settings settings, LongSupplier clock,
            BiConsumer<String, String> problems) {
        this.id = id;
        this.around = around;
        this.settings = settings;
        this.clock = clock;
        this.problems = problems;
        random = Seeds.generator(settings.get(ClientKeys.SEED), id.position(), id.number());
        messages = new Messages(id.position(), id.number(), settings.get(ClientKeys.MESSAGE_SIZE),
                settings.get(ClientKeys.MESSAGE_CONTENT), random);
        queueChoice = around.queues().length == 0 ? null
                : settings.get(ClientKeys.QUEUE_CHOICE).among(around.queues().length);
        priorities = settings.get(ClientKeys.PRIORITY);
    }

    /** @return the identity of this client */
    public ClientId id() {
        return id;
    }

    /** @return ids of this client, its queues and its peers */
    public Surroundings around() {
        return around;
    }

    /** @return the settings of the JVM */
    public Settings settings() {
        return settings;
    }

    /** @return this client's own random numbers, which are the same for the same seed */
    public RandomGenerator random() {
        return random;
    }

    /** @return contents of messages */
    public Messages messages() {
        return messages;
    }

    /** @return id of a public queue, chosen with the preferences of the settings */
    public int queue() {
        return around.queues()[queueChoice.next(random)];
    }

    /** @return ids of {@code count} different public queues, or of all if there are fewer */
    public int[] queues(int count) {
        int[] sample = queueChoice.sample(count, random);
        for (int i = 0; i < sample.length; i++) {
            sample[i] = around.queues()[sample[i]];
        }
        return sample;
    }

    /** @return id of a random other client of the same scenario */
    public int peer() {
        return around.peers()[random.nextInt(around.peers().length)];
    }

    /** @return priority of the next message */
    public int priority() {
        return priorities.next(random);
    }

    /** @return the current time [ns], of any origin */
    public long nanoTime() {
        return clock.getAsLong();
    }

    /**
     * Counts an error that belongs to no single request.
     *
     * @param kind kind under which it is counted
     * @param text the details
     */
    public void problem(String kind, String text) {
        problems.accept(kind, text);
    }
}

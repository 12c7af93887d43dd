package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.protocol.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Sends unique messages, and records which of them were acknowledged. */
final class CampaignProducer implements Runnable {
    private static final int PAUSE_MILLIS = 3;
    private static final int RETRY_MILLIS = 20;
    private static final int DELAY_MILLIS = 100;
    private static final int PRIORITY = 5;
    private static final long LONG_MILLIS = 3_600_000;

    private final String name;
    private final String brokers;
    private final Target target;
    private final boolean withKey;
    /** In their order. */
    private final Set<String> acknowledged = new LinkedHashSet<>();
    private final List<String> failures = new ArrayList<>();
    private int refused;
    private volatile boolean stop;

    /** Where messages go: a topic, or one of several queues. */
    @FunctionalInterface
    interface Target {
        /** Chooses a place for a message; it stays the same however often the message is sent. */
        Place next(Random random);
    }

    /** Where one message goes. */
    @FunctionalInterface
    interface Place {
        void send(Client client, byte[] message, SendOptions options);
    }

    /** @param withKey sends again until it is acknowledged, under a key; without one each message is sent once */
    CampaignProducer(String name, String brokers, Target target, boolean withKey) {
        this.name = name;
        this.brokers = brokers;
        this.target = target;
        this.withKey = withKey;
    }

    /** Sends to one of the queues, and now and then moves messages from one to another if that is wanted. */
    static Target queues(int[] queues, boolean moves) {
        return random -> {
            int queue = queues[random.nextInt(queues.length)];
            int other = queues[random.nextInt(queues.length)];
            int priority = 1 + random.nextInt(10);
            boolean isMove = moves && other != queue && random.nextInt(10) == 0;
            return (client, message, options) -> {
                client.sendMessage(new int[] {queue}, message, priority, options);
                if (isMove) {
                    client.moveMessages(queue, other, 5);
                }
            };
        };
    }

    /** Sends all to that queue, with one priority and at once, so that the oldest is the first that was sent. */
    static Target oneQueue(int queue) {
        return random -> (client, message, options) -> client.sendMessage(new int[] {queue}, message, PRIORITY,
                SendOptions.none().withKey(options.key()));
    }

    /** Publishes to the topic. */
    static Target topic(int topic) {
        return random -> {
            int priority = 1 + random.nextInt(10);
            return (client, message, options) -> client.publish(topic, message, priority, options);
        };
    }

    void stop() {
        stop = true;
    }

    /** @return messages the broker has acknowledged; to be asked when the producer has ended */
    Set<String> acknowledged() {
        return acknowledged;
    }

    /** @return the attempts that failed, a line each; to be asked when the producer has ended */
    List<String> failures() {
        return failures;
    }

    /** @return sends that a full queue refused; to be asked when the producer has ended */
    int refused() {
        return refused;
    }

    @Override
    public void run() {
        Random random = new Random(name.hashCode());
        try (Client client = CampaignConsumer.connect(brokers, name)) {
            for (int n = 0; !stop; n++) {
                send(client, name + "-" + n, target.next(random), options(random));
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return half of them without times */
    private static SendOptions options(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> SendOptions.none().withDelay(1 + random.nextInt(DELAY_MILLIS));
            case 1 -> SendOptions.none().withTimeToLive(LONG_MILLIS);
            default -> SendOptions.none();
        };
    }

    private void send(Client client, String message, Place place, SendOptions times) throws InterruptedException {
        SendOptions options = withKey ? times.withKey(message) : times;
        boolean sent = false;
        while (!sent && !stop) {
            try {
                place.send(client, message.getBytes(StandardCharsets.UTF_8), options);
                acknowledged.add(message);
                sent = true;
            } catch (MlmqException e) {
                refused += e.status() == Status.OVERLOADED ? 1 : 0;
                // Failures are expected: the broker or the database may just have been killed.
                failures.add("failed " + System.currentTimeMillis() + " " + message + " " + e);
                sent = !withKey;
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }
}

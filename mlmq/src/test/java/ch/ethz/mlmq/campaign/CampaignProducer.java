package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Sends unique messages, and records which of them were acknowledged. */
final class CampaignProducer implements Runnable {
    private static final int PAUSE_MILLIS = 3;
    private static final int RETRY_MILLIS = 20;

    private final String name;
    private final String brokers;
    private final int[] queues;
    private final boolean withKey;
    private final Set<String> acknowledged = new HashSet<>();
    private final List<String> failures = new ArrayList<>();
    private volatile boolean stop;

    /** @param withKey sends again until it is acknowledged, under a key; without one each message is sent once */
    CampaignProducer(String name, String brokers, int[] queues, boolean withKey) {
        this.name = name;
        this.brokers = brokers;
        this.queues = queues;
        this.withKey = withKey;
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

    @Override
    public void run() {
        Random random = new Random(name.hashCode());
        try (Client client = CampaignConsumer.connect(brokers, name)) {
            for (int n = 0; !stop; n++) {
                send(client, name + "-" + n, queues[random.nextInt(queues.length)], 1 + random.nextInt(10));
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Client client, String message, int queue, int priority) throws InterruptedException {
        SendOptions options = withKey ? SendOptions.none().withKey(message) : SendOptions.none();
        boolean sent = false;
        while (!sent && !stop) {
            try {
                client.sendMessage(new int[] {queue}, message.getBytes(StandardCharsets.UTF_8), priority, options);
                acknowledged.add(message);
                sent = true;
            } catch (MlmqException e) {
                // Failures are expected: the broker or the database may just have been killed.
                failures.add("failed " + System.currentTimeMillis() + " " + message + " " + e);
                sent = !withKey;
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }
}

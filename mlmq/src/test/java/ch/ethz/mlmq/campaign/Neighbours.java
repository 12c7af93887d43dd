package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A client that disturbs those that {@code bench/broker --neighbours} measures. Arguments: its activity, the broker.
 * Prints
 * <i>ready</i> when it is active, and goes on until it is ended.
 */
public final class Neighbours {
    private static final int PARKED = 10_000;
    private static final int CONNECTIONS = 20;
    private static final int WAIT_MILLIS = 60_000;
    private static final int LOOPS = 4;

    private Neighbours() {
    }

    public static void main(String[] args) throws Exception {
        String broker = args[1];
        switch (args[0]) {
            case "parked" -> park(broker);
            case "by-sender" -> inLoops(broker, Neighbours::peekBySender);
            case "delete-create" -> inLoops(broker, Neighbours::deleteAndCreate);
            case "any-queue" -> inLoops(broker, Neighbours::takeFromAnyQueue);
            default -> throw new IllegalArgumentException("no neighbour does " + args[0]);
        }
    }

    /** Connections with queries that wait for a message that never comes. */
    private static void park(String broker) throws Exception {
        try (ClientLoop loop = ClientLoop.start("parked")) {
            for (int i = 0; i < CONNECTIONS; i++) {
                AsyncClient client = AsyncClient.open(loop, ClientConfig.builder()
                        .brokers(BrokerAddress.parseList(broker)).requestTimeoutMillis(2 * WAIT_MILLIS).build());
                client.whenConnected().get();
                client.register("parked-" + i).get();
                int queue = client.createQueue("never-filled-" + i + "-" + System.nanoTime()).get();
                for (int n = 0; n < PARKED / CONNECTIONS; n++) {
                    parkAgain(client, MessageQuery.queue(queue).waiting(WAIT_MILLIS));
                }
            }
            System.out.println("ready");
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    private static void parkAgain(AsyncClient client, MessageQuery query) {
        // A client that repeats refused requests at once would be another kind of neighbour.
        client.dequeueMessage(query).whenComplete((message, failure) -> CompletableFuture.delayedExecutor(
                failure == null ? 0 : 10, TimeUnit.SECONDS).execute(() -> parkAgain(client, query)));
    }

    @FunctionalInterface
    private interface Work {
        void once(Client client, int loop, int n) throws InterruptedException;
    }

    private static void inLoops(String broker, Work work) throws InterruptedException {
        for (int i = 0; i < LOOPS; i++) {
            int loop = i;
            new Thread(() -> {
                try (Client client = CampaignConsumer.connect(broker, "neighbour-" + loop)) {
                    for (int n = 0;; n++) {
                        try {
                            work.once(client, loop, n);
                        } catch (MlmqException e) {
                            Thread.sleep(1);
                        }
                        if (n == 0) {
                            System.out.println("ready");
                        }
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }, "neighbour-" + i).start();
        }
    }

    /** No message is from this client, so the whole backlog is looked through. */
    private static void peekBySender(Client client, int loop, int n) {
        client.peekMessage(MessageQuery.any().from(1_000_000));
    }

    private static void deleteAndCreate(Client client, int loop, int n) {
        client.deleteQueue(client.createQueue("made-" + loop + "-" + n), n % 2 == 0);
    }

    private static void takeFromAnyQueue(Client client, int loop, int n) {
        client.dequeueMessage(MessageQuery.any().addressedToMe());
    }
}

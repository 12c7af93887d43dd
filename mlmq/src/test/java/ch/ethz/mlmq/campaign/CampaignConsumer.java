package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A JVM of consumers that write down what they do, and may be killed at any moment. */
public final class CampaignConsumer {
    private static final int LEASE_MILLIS = 2_000;
    private static final int RETRY_MILLIS = 20;
    private static final int WAIT_MILLIS = 5;

    private final String name;
    private final String brokers;
    private final int[] queues;
    private final Journal journal;
    private final Path stop;

    private CampaignConsumer(String name, String brokers, int[] queues, Path folder) throws Exception {
        this.name = name;
        this.brokers = brokers;
        this.queues = queues;
        this.journal = new Journal(folder.resolve(name + ".journal"));
        this.stop = folder.resolve("stop");
    }

    /** Arguments: name, brokers, queues of the classic consumers, queues of those with leases, folder. */
    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean leases = i % 2 == 1;
            int[] queues = Arrays.stream(args[leases ? 3 : 2].split(",")).mapToInt(Integer::parseInt).toArray();
            CampaignConsumer consumer =
                    new CampaignConsumer((leases ? "lease-" : "classic-") + args[0] + "-" + i, args[1], queues,
                    Path.of(args[4]));
            Thread thread = new Thread(leases ? consumer::receive : consumer::dequeue, consumer.name);
            thread.start();
            threads.add(thread);
        }
        System.out.println("consuming");
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** A client that reconnects and registers again by itself, whatever happens to its broker. */
    static Client connect(String brokers, String name) throws InterruptedException {
        ClientConfig config = ClientConfig.builder().brokers(BrokerAddress.parseList(brokers))
                .requestTimeoutMillis(2_000).backoffMillis(10, 200).build();
        while (true) {
            Client client = null;
            try {
                client = Client.connect(config);
                client.register(name);
                return client;
            } catch (MlmqException e) {
                if (client != null) {
                    client.close();
                }
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }

    private void dequeue() {
        consume((client, queue) -> {
            journal.note(Journal.ASK, "");
            Optional<Message> message = client.dequeueMessage(MessageQuery.queue(queue).waiting(WAIT_MILLIS));
            journal.note(message.isPresent() ? Journal.GOT : Journal.NONE, message.map(Message::text).orElse(""));
        });
    }

    private void receive() {
        consume((client, queue) -> {
            Optional<Message> message = client.receiveMessage(MessageQuery.queue(queue).waiting(WAIT_MILLIS),
                    LEASE_MILLIS);
            if (message.isPresent()) {
                journal.note(Journal.TRY, message.get().text());
                client.acknowledge(message.get());
                journal.note(Journal.ACKNOWLEDGED, message.get().text());
            }
        });
    }

    private void consume(Step step) {
        Random random = new Random(name.hashCode());
        try (Client client = connect(brokers, name)) {
            while (!Files.exists(stop)) {
                try {
                    step.take(client, queues[random.nextInt(queues.length)]);
                } catch (MlmqException e) {
                    // Expected all the time: its broker or the database has just been killed.
                    Thread.sleep(RETRY_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @FunctionalInterface
    private interface Step {
        void take(Client client, int queue);
    }
}

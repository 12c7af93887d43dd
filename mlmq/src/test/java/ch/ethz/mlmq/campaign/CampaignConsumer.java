package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Status;
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
    /** Most messages of a request. */
    private static final int MANY = 20;

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

    /** Arguments: name, brokers, queues of the classic consumers or none, queues of those with leases, folder. */
    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean leases = i % 2 == 1 || args[2].isEmpty();
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

    /** One message in a request, or many, by turns. */
    private void receive() {
        Random random = new Random(name.hashCode());
        consume((client, queue) -> {
            if (random.nextBoolean()) {
                receiveMany(client, queue, random);
            } else {
                receiveOne(client, queue);
            }
        });
    }

    private void receiveOne(Client client, int queue) {
        Optional<Message> message = client.receiveMessage(MessageQuery.queue(queue).waiting(WAIT_MILLIS), LEASE_MILLIS);
        if (message.isPresent()) {
            journal.note(Journal.TRY, name(message.get()));
            client.acknowledge(message.get());
            journal.note(Journal.ACKNOWLEDGED, name(message.get()));
        }
    }

    /** Extends the leases, gives some of the messages back, and acknowledges the others. */
    private void receiveMany(Client client, int queue, Random random) {
        List<Message> messages = client.receiveMessages(MessageQuery.queue(queue).waiting(WAIT_MILLIS),
                1 + random.nextInt(MANY), LEASE_MILLIS);
        if (messages.isEmpty()) {
            return;
        }
        int kept = 1 + random.nextInt(messages.size());
        client.extendLeases(leases(messages), LEASE_MILLIS);
        if (kept < messages.size()) {
            client.releaseMessages(leases(messages.subList(kept, messages.size())));
        }
        messages.subList(0, kept).forEach(message -> journal.note(Journal.TRY, name(message)));
        List<Status> statuses = client.acknowledgeMessages(leases(messages.subList(0, kept)));
        for (int i = 0; i < kept; i++) {
            if (statuses.get(i) == Status.OK) {
                journal.note(Journal.ACKNOWLEDGED, name(messages.get(i)));
            }
        }
    }

    private static String name(Message message) {
        return Journal.name(message.text(), message.queue());
    }

    private static List<Lease> leases(List<Message> messages) {
        return messages.stream().map(Message::lease).toList();
    }

    private void consume(Step step) {
        Random random = new Random(name.hashCode());
        try (Client client = connect(brokers, name)) {
            while (!Files.exists(stop)) {
                try {
                    step.take(client, queues[random.nextInt(queues.length)]);
                } catch (MlmqException e) {
                    // Failures are expected: the broker or the database may just have been killed.
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

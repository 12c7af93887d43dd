package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.agent.JavaProcess;
import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The program behind {@code bench/soak}: a steady load on one broker with a small heap, and what it holds meanwhile.
 * Arguments: minutes, sends a second. Prints a line a minute and the books at the end, when it is interrupted too.
 * Exit code 1 where a message was lost or something keeps growing.
 *
 * <p>Half of the queues are emptied by dequeues that wait, half under leases, of which one in ten is released at first.
 * Clients come and go all the time; every other one leaves without a goodbye.
 */
public final class SoakBench {
    private static final int QUEUES = 10;
    private static final int SENDERS = 8;
    private static final int CONSUMERS = 16;
    private static final int GUESTS = 2;
    private static final int NAMES = 500;
    private static final int LARGEST = 2_000;
    private static final int WAIT_MILLIS = 2_000;
    private static final int LEASE_MILLIS = 30_000;
    private static final long GUEST_PAUSE_NANOS = 250_000_000;
    private static final long CONTROL_NANOS = 20_000_000;

    private final SoakFigures figures = new SoakFigures();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong guests = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private final double ratePerSender;
    private int[] queues;
    private String broker;
    private volatile boolean sending = true;
    private volatile boolean running = true;

    private SoakBench(double rate) {
        ratePerSender = rate / SENDERS;
    }

    public static void main(String[] args) throws Exception {
        boolean sound = new SoakBench(Double.parseDouble(args[1])).run(Integer.parseInt(args[0]));
        // A JVM that was told to end keeps its exit code; another one gets it here.
        Runtime.getRuntime().halt(sound ? 0 : 1);
    }

    private boolean run(int minutes) throws Exception {
        Interruption interruption = Interruption.of(() -> sending = false);
        Path output = Files.createTempFile("mlmq-soak", ".out");
        int port = FreePort.find();
        try (PrivateCluster cluster = PrivateCluster.start(); JavaProcess jvm = startBroker(cluster, port, output)) {
            jvm.awaitOutput("\"state\":\"ready\"");
            broker = "127.0.0.1:" + port;
            try (Client maker = connect("maker")) {
                queues = new int[QUEUES];
                for (int i = 0; i < QUEUES; i++) {
                    queues[i] = maker.createQueue("queue-" + i);
                }
            }
            startClients(cluster);
            try (SoakProbe probe = new SoakProbe(cluster, jvm.handle().pid(), connect("probe"))) {
                for (int minute = 1; minute <= minutes && sending && jvm.isAlive(); minute++) {
                    probe.lookForAMinute(() -> sending && jvm.isAlive());
                    System.out.println("minute " + minute + " of " + minutes + ": sent " + sent + " received "
                            + received + " guests " + guests + " errors " + errors + ", " + figures.endMinute(probe));
                }
                finish(probe);
                boolean even = sent.get() == received.get() + probe.messages();
                System.out.println("sent " + sent + " received " + received + " left " + probe.messages() + " errors "
                        + errors);
                return figures.summarize(System.out) & even & jvm.isAlive();
            }
        } finally {
            Files.deleteIfExists(output);
            interruption.over();
        }
    }

    private static JavaProcess startBroker(PrivateCluster cluster, int port, Path output) throws Exception {
        return JavaProcess.start(output, List.of("-Xmx64m", "-XX:+UseSerialGC"), "ch.ethz.mlmq.cli.Main",
                List.of("broker", "--port", Integer.toString(port), "--progress",
                        "--set", "broker.db.url=" + cluster.address().url(),
                        "--set", "broker.db.user=" + cluster.address().user()));
    }

    private void startClients(PrivateCluster cluster) {
        for (int i = 0; i < SENDERS; i++) {
            start("sender-" + i, this::send);
        }
        for (int i = 0; i < CONSUMERS; i++) {
            int queue = queues[i % QUEUES];
            start("consumer-" + i,
                    i % QUEUES < QUEUES / 2 ? client -> dequeue(client, queue) : client -> lease(client, queue));
        }
        threads.add(new Thread(() -> control(cluster), "control"));
        threads.get(threads.size() - 1).start();
        for (int i = 0; i < GUESTS; i++) {
            String name = "guest-" + i;
            Thread thread = new Thread(() -> comeAndGo(name), name);
            thread.start();
            threads.add(thread);
        }
    }

    @FunctionalInterface
    private interface Work {
        void with(Client client);
    }

    private void start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try (Client client = connect(name)) {
                work.with(client);
            }
        }, name);
        thread.start();
        threads.add(thread);
    }

    /** Each send has its time, and is measured from it. */
    private void send(Client client) {
        Random random = new Random(Thread.currentThread().getName().hashCode());
        long between = (long) (1e9 / ratePerSender);
        for (long due = System.nanoTime(); sending; due += between) {
            LockSupport.parkNanos(due - System.nanoTime());
            byte[] content = new byte[1 + random.nextInt(LARGEST)];
            attempt(() -> {
                client.sendMessage(queues[random.nextInt(QUEUES)], content, 1 + random.nextInt(10));
                sent.incrementAndGet();
            });
            figures.sent(System.nanoTime() - due);
        }
    }

    /** One committed row at a time, without a broker: what the machine and PostgreSQL make of the same minutes. */
    private void control(PrivateCluster cluster) {
        try (Connection connection = cluster.connect(); Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA control");
            statement.execute("CREATE TABLE control.row (n bigint)");
            for (long due = System.nanoTime(); sending; due += CONTROL_NANOS) {
                LockSupport.parkNanos(due - System.nanoTime());
                statement.execute("INSERT INTO control.row VALUES (" + due + ")");
                figures.controlled(System.nanoTime() - due);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void dequeue(Client client, int queue) {
        while (running) {
            attempt(() -> {
                if (client.dequeueMessage(MessageQuery.queue(queue).waiting(WAIT_MILLIS)).isPresent()) {
                    received.incrementAndGet();
                }
            });
        }
    }

    private void lease(Client client, int queue) {
        while (running) {
            attempt(() -> {
                Optional<Message> message =
                        client.receiveMessage(MessageQuery.queue(queue).waiting(WAIT_MILLIS), LEASE_MILLIS);
                if (message.isPresent() && message.get().deliveries() == 1 && message.get().id() % 10 == 0) {
                    client.release(message.get());
                } else if (message.isPresent()) {
                    client.acknowledge(message.get());
                    received.incrementAndGet();
                }
            });
        }
    }

    /** @param name of every polite guest; a rude one waits for a message that never comes when it vanishes */
    private void comeAndGo(String name) {
        while (running) {
            attempt(() -> {
                try (Client polite = connect(name + "-polite")) {
                    polite.echo(new byte[100]);
                }
            });
            attempt(() -> {
                try (ClientLoop rude = ClientLoop.start(name)) {
                    AsyncClient client = AsyncClient.open(rude, config());
                    client.whenConnected().join();
                    client.register(name + "-rude-" + guests.get() % NAMES).join();
                    client.dequeueMessage(MessageQuery.any().withContext(Long.MAX_VALUE).waiting(WAIT_MILLIS));
                    client.echo(new byte[100]).join();
                }
            });
            guests.addAndGet(2);
            LockSupport.parkNanos(GUEST_PAUSE_NANOS);
        }
    }

    private void attempt(Runnable request) {
        try {
            request.run();
        } catch (MlmqException | CompletionException e) {
            if (errors.getAndIncrement() < 10) {
                System.out.println(Thread.currentThread().getName() + ": " + e);
            }
        }
    }

    /** Consumers go on until nothing is left. */
    private void finish(SoakProbe probe) throws Exception {
        sending = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (probe.messages() > 0 && System.nanoTime() < deadline) {
            Thread.sleep(100);
        }
        running = false;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private Client connect(String name) {
        Client client = Client.connect(config());
        client.register(name);
        return client;
    }

    private ClientConfig config() {
        return ClientConfig.builder().brokers(BrokerAddress.parseList(broker)).requestTimeoutMillis(30_000).build();
    }
}

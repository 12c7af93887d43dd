package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.broker.Broker;
import ch.ethz.mlmq.broker.BrokerSettings;
import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.KeyRegistry;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Consumers that are interrupted, cancel what they asked for, set time limits of their own and close their clients at
 * random moments, while the database stalls now and then; then the books are balanced. All settings are the defaults.
 */
public final class HandOverCampaign implements AutoCloseable {
    private static final int BROKERS = 2;
    private static final int QUEUES = 3;
    private static final int PRODUCERS = 3;
    private static final int CONSUMERS = 6;
    private static final int LEASE_MILLIS = 3_600_000;

    private final Random seeds;
    private final Consumer<String> progress;
    private final PrivateCluster cluster = PrivateCluster.start();
    private final List<Broker> brokers = new ArrayList<>();
    private final ScheduledExecutorService interrupter = Executors.newScheduledThreadPool(1);
    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    private final Map<String, Boolean> sent = new ConcurrentHashMap<>();
    private final AtomicInteger givenUp = new AtomicInteger();
    private final AtomicInteger stalls = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private volatile boolean sending = true;
    private volatile boolean receiving = true;
    private volatile boolean cutShort;
    private int[] queues;

    /** The outcomes of the messages. */
    public record Books(int sent, int received, int left, int lost, int doubled, int givenUp, int stalls, int dropped) {
        public boolean isEven() {
            return lost == 0 && doubled == 0 && dropped == 0;
        }

        @Override
        public String toString() {
            return "sent " + sent + " received " + received + " left " + left + " given up " + givenUp + " stalls "
                    + stalls + " dropped " + dropped + " lost " + lost + " doubled " + doubled;
        }
    }

    /**
     * @param seed     of what is given up when
     * @param progress gets a line for each stall
     */
    public HandOverCampaign(long seed, Consumer<String> progress) throws Exception {
        seeds = new Random(seed);
        this.progress = progress;
        for (int i = 0; i < BROKERS; i++) {
            brokers.add(Broker.start(Settings.of(KeyRegistry.of(CommonKeys.ALL, BrokerKeys.ALL), Map.of(
                    "broker.db.url", cluster.address().url(), "broker.db.user", cluster.address().user())),
                    new BrokerSettings(BrokerSettings.SCENARIO, i, "127.0.0.1", 0), Recorder.NONE));
        }
    }

    /** Ends the campaign soon, with its results. Any thread may call this. */
    public void cutShort() {
        cutShort = true;
    }

    /** @param seconds for which messages flow */
    public Books run(int seconds) throws Exception {
        queues = new int[QUEUES];
        try (Client client = Client.connect(config())) {
            client.register("maker");
            for (int i = 0; i < QUEUES; i++) {
                queues[i] = client.createQueue("queue-" + i);
            }
        }
        List<Thread> producers = new ArrayList<>();
        List<Thread> consumers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            producers.add(start("producer-" + i, this::produce));
        }
        for (int i = 0; i < CONSUMERS; i++) {
            consumers.add(start("consumer-" + i, i % 2 == 0 ? this::consumeAndBeInterrupted : this::consumeAndCancel));
        }
        stallUntil(System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
        sending = false;
        join(producers);
        receiving = false;
        join(consumers);
        brokers.forEach(Broker::close);
        return books();
    }

    @Override
    public void close() {
        interrupter.shutdownNow();
        brokers.forEach(Broker::close);
        cluster.close();
    }

    private Thread start(String name, Task task) {
        Random random = new Random(seeds.nextLong());
        Thread thread = new Thread(() -> {
            try {
                task.run(name, random);
            } catch (Exception e) {
                throw new IllegalStateException(name, e);
            }
        }, name);
        thread.start();
        return thread;
    }

    @FunctionalInterface
    private interface Task {
        void run(String name, Random random) throws Exception;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private ClientConfig config() {
        return ClientConfig.of(brokers.stream().map(broker -> "127.0.0.1:" + broker.port())
                .collect(Collectors.joining(",")));
    }

    /** Blocks all access to messages, sometimes for longer than a broker or a client waits. */
    private void stallUntil(long end) throws Exception {
        Random random = new Random(seeds.nextLong());
        try (Connection connection = cluster.connect(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            while (System.nanoTime() - end < 0 && !cutShort) {
                Thread.sleep(500 + random.nextInt(1_500));
                int millis = random.nextInt(4) == 0 ? 3_000 + random.nextInt(9_000) : random.nextInt(1_000);
                statement.execute("LOCK TABLE message IN ACCESS EXCLUSIVE MODE");
                Thread.sleep(millis);
                connection.rollback();
                progress.accept("stall " + stalls.incrementAndGet() + " of " + millis + " ms; sent " + sent.size()
                        + " received " + received.size() + " given up " + givenUp);
            }
        }
    }

    private void produce(String name, Random random) throws Exception {
        try (Client client = Client.connect(config())) {
            client.register(name);
            for (int i = 0; sending; i++) {
                String content = name + "-" + i;
                boolean acknowledged = false;
                while (!acknowledged) {
                    try {
                        client.sendMessage(new int[] {queues[random.nextInt(QUEUES)]}, content.getBytes(), 5,
                                SendOptions.none());
                        acknowledged = true;
                    } catch (MlmqException.Overloaded e) {
                        Thread.sleep(5);
                    } catch (MlmqException e) {
                        // It may be stored or not, so that it stands in no book.
                        content = name + "-" + ++i;
                    }
                }
                sent.put(content, true);
                Thread.sleep(random.nextInt(3));
            }
        }
    }

    private void consumeAndBeInterrupted(String name, Random random) throws Exception {
        Thread self = Thread.currentThread();
        while (receiving) {
            try (Client client = Client.connect(config())) {
                register(() -> client.register(name));
                for (int i = 0; i < 200 && receiving; i++) {
                    var interruption = interrupter.schedule(self::interrupt, random.nextInt(30), TimeUnit.MILLISECONDS);
                    try {
                        MessageQuery query = query(random);
                        if (random.nextBoolean()) {
                            client.dequeueMessage(query).ifPresent(this::got);
                        } else {
                            client.dequeueMessages(query, 1 + random.nextInt(20)).forEach(this::got);
                        }
                    } catch (CancellationException e) {
                        givenUp.incrementAndGet();
                    } catch (MlmqException e) {
                        // Every message that it took has been requeued.
                    } finally {
                        interruption.cancel(false);
                        Thread.interrupted();
                    }
                }
                while (Thread.interrupted()) {
                    // A message that came at the last moment does not matter to the goodbye.
                }
                dropped.addAndGet((int) client.droppedMessages());
            }
        }
    }

    private void consumeAndCancel(String name, Random random) throws Exception {
        while (receiving) {
            try (ClientLoop loop = ClientLoop.start(name)) {
                AsyncClient client = AsyncClient.open(loop, config());
                client.whenConnected().get();
                register(() -> client.register(name).join());
                List<CompletableFuture<?>> open = new ArrayList<>();
                for (int i = 0; i < 300 && receiving; i++) {
                    open.add(ask(client, random));
                    if (random.nextInt(4) == 0) {
                        Thread.sleep(random.nextInt(20));
                    }
                    if (random.nextInt(3) > 0) {
                        settle(client, open.remove(random.nextInt(open.size())));
                    }
                }
                if (random.nextBoolean()) {
                    client.close().get();
                }
                for (CompletableFuture<?> future : open) {
                    settle(client, future);
                }
                dropped.addAndGet((int) client.droppedMessages());
            }
        }
    }

    private CompletableFuture<?> ask(AsyncClient client, Random random) {
        MessageQuery query = query(random);
        CompletableFuture<?> future = switch (random.nextInt(4)) {
            case 0 -> client.dequeueMessage(query);
            case 1 -> client.dequeueMessages(query, 1 + random.nextInt(20));
            case 2 -> client.receiveMessages(query, 1 + random.nextInt(20), LEASE_MILLIS);
            default -> client.receiveMessage(query, LEASE_MILLIS);
        };
        return random.nextInt(3) == 0 ? future.orTimeout(1 + random.nextInt(30), TimeUnit.MILLISECONDS) : future;
    }

    /** Cancels it; what has come before that is received. */
    private void settle(AsyncClient client, CompletableFuture<?> future) {
        if (future.cancel(false)) {
            givenUp.incrementAndGet();
            return;
        }
        try {
            Object result = future.get();
            List<?> messages = result instanceof List<?> list ? list
                    : ((Optional<?>) result).map(List::of).orElse(List.of());
            for (Object one : messages) {
                Message message = (Message) one;
                if (message.leaseToken() == 0 || acknowledged(client, message)) {
                    got(message);
                }
            }
        } catch (ExecutionException | CancellationException e) {
            givenUp.incrementAndGet();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @return false if it is not known to be; a lease outlasts the campaign, so that it is found in the database */
    private boolean acknowledged(AsyncClient client, Message message) {
        boolean unknown = false;
        for (int i = 0; i < 20; i++) {
            try {
                client.acknowledge(message.id(), message.leaseToken()).get();
                return true;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof MlmqException.UnknownLease) {
                    return unknown;
                }
                unknown = true;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return false;
    }

    private MessageQuery query(Random random) {
        MessageQuery query = MessageQuery.queue(queues[random.nextInt(QUEUES)]);
        return random.nextBoolean() ? query : query.waiting(random.nextInt(200));
    }

    private void register(Runnable registration) throws InterruptedException {
        while (true) {
            try {
                registration.run();
                return;
            } catch (RuntimeException e) {
                Thread.sleep(20);
            }
        }
    }

    private void got(Message message) {
        received.computeIfAbsent(message.text(), text -> new AtomicInteger()).incrementAndGet();
    }

    private Books books() throws SQLException {
        Map<String, Integer> left = new HashMap<>();
        try (Connection connection = cluster.connect(); Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT convert_from(content, 'UTF8') FROM message "
                        + "UNION ALL SELECT convert_from(content, 'UTF8') FROM lease")) {
            while (rows.next()) {
                left.merge(rows.getString(1), 1, Integer::sum);
            }
        }
        int lost = 0;
        int doubled = 0;
        int found = 0;
        for (String content : sent.keySet()) {
            AtomicInteger got = received.get(content);
            int count = left.getOrDefault(content, 0) + (got == null ? 0 : got.get());
            lost += count == 0 ? 1 : 0;
            doubled += count > 1 ? 1 : 0;
            found += got == null ? 0 : 1;
            if (count != 1) {
                progress.accept(content + " is there " + count + " times, " + left.getOrDefault(content, 0)
                        + " of them in the database");
            }
        }
        return new Books(sent.size(), found, (int) left.keySet().stream().filter(sent::containsKey).count(), lost,
                doubled, givenUp.get(), stalls.get(), dropped.get());
    }
}

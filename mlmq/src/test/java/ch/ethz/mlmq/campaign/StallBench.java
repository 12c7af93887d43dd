package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.agent.JavaProcess;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The program behind {@code bench/stall}. Arguments: stalls, seed. Two brokers of one database serve clients; one of
 * them is stopped, or its network cut, again and again, at random moments and for up to twelve seconds. Prints for each
 * the longest time in which no client of the other broker got an answer. Exit code 1 where that was more than six
 * seconds.
 */
public final class StallBench implements AutoCloseable {
    private static final int CLIENTS = 6;
    private static final int CALM_SECONDS = 10;
    private static final double LIMIT_SECONDS = 6;
    private static final int LEASE_MILLIS = 500;
    private static final List<String> SMALL_JVM = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Random random;
    private final Path folder = Files.createTempDirectory("mlmq-stall");
    private final NetworkNamespace network = NetworkNamespace.isPossible() ? new NetworkNamespace() : null;
    private final PrivateCluster cluster = network == null ? PrivateCluster.start()
            : PrivateCluster.start(NetworkNamespace.HERE);
    private final int steadyPort = FreePort.find();
    private final int stalledPort = FreePort.find();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong lastAnswer = new AtomicLong();
    private final AtomicLong longestGap = new AtomicLong();
    private final AtomicLong longestOverdue = new AtomicLong();
    private JavaProcess steady;
    private JavaProcess stalled;
    private volatile boolean stop;

    private StallBench(long seed) throws IOException, InterruptedException {
        random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        boolean held = false;
        Interruption interruption = null;
        try (StallBench bench = new StallBench(Long.parseLong(args[1]))) {
            interruption = Interruption.of(() -> bench.stop = true);
            held = bench.run(Integer.parseInt(args[0]));
        } finally {
            if (interruption != null) {
                interruption.over();
            }
        }
        Runtime.getRuntime().halt(held ? 0 : 1);
    }

    private boolean run(int stalls) throws Exception {
        if (network == null) {
            System.out.println("no network is cut, as that needs root and ip: the broker is stopped only");
        }
        steady = broker("steady", steadyPort, "127.0.0.1", "127.0.0.1", List.of());
        stalled = network == null ? broker("stalled", stalledPort, "127.0.0.1", "127.0.0.1", List.of())
                : broker("stalled", stalledPort, NetworkNamespace.THERE, NetworkNamespace.HERE, network.prefix());
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            start(() -> sendAndTake(number));
            start(() -> useEverything(number));
        }
        start(this::makeAndDelete);
        start(this::letLeasesEnd);
        TimeUnit.SECONDS.sleep(3);
        double before = medianRate();
        double worst = 0;
        for (int i = 1; i <= stalls && !stop; i++) {
            worst = Math.max(worst, stall(i, stalls));
        }
        TimeUnit.SECONDS.sleep(10);
        double after = medianRate();
        stop = true;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
        }
        say("longest_gap %.2f s, limit %.0f s", worst, LIMIT_SECONDS);
        say("lease_overdue %.2f s at most", longestOverdue.get() / 1e9);
        say("rate_before %.0f requests/s", before);
        say("rate_after %.0f requests/s", after);
        say("ratio after_vs_before %.2f", after / before);
        return worst <= LIMIT_SECONDS;
    }

    /** @return the longest time without an answer [s] */
    private double stall(int number, int all) throws Exception {
        TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(2_000));
        boolean cut = network != null && random.nextBoolean();
        long millis = 500 + random.nextInt(11_500);
        longestGap.set(0);
        if (cut) {
            network.cut();
        } else {
            signal("STOP");
        }
        TimeUnit.MILLISECONDS.sleep(millis);
        if (cut) {
            network.mend();
        } else {
            signal("CONT");
        }
        TimeUnit.MILLISECONDS.sleep(1_000);
        double gap = Math.max(longestGap.get(), System.nanoTime() - lastAnswer.get()) / 1e9;
        say("stall %d of %d: %s for %.1f s, longest gap of the other broker %.2f s", number, all,
                cut ? "network cut" : "stopped", millis / 1_000.0, gap);
        return gap;
    }

    private double medianRate() throws InterruptedException {
        double[] rates = new double[CALM_SECONDS];
        for (int i = 0; i < rates.length; i++) {
            long start = System.nanoTime();
            long had = answers.get();
            TimeUnit.SECONDS.sleep(1);
            rates[i] = (answers.get() - had) * 1e9 / (System.nanoTime() - start);
        }
        Arrays.sort(rates);
        return (rates[(rates.length - 1) / 2] + rates[rates.length / 2]) / 2;
    }

    /** The measured client is connected to the broker that is never stopped. */
    private void sendAndTake(int number) throws InterruptedException {
        try (Client client = CampaignConsumer.connect("127.0.0.1:" + steadyPort, "steady-" + number)) {
            int queue = queue(client, "steady-" + number);
            byte[] content = new byte[100];
            while (!stop) {
                try {
                    client.sendMessage(queue, content, 5);
                    answered();
                    client.dequeueMessage(MessageQuery.queue(queue));
                    answered();
                } catch (MlmqException e) {
                    Thread.sleep(10);
                }
            }
        }
    }

    private void answered() {
        long now = System.nanoTime();
        long last = lastAnswer.getAndSet(now);
        longestGap.accumulateAndGet(last == 0 ? 0 : now - last, Math::max);
        answers.incrementAndGet();
    }

    /** Uses the broker that is stopped: sends, keys, leases, receivers, queues that come and go. */
    private void useEverything(int number) throws InterruptedException {
        String host = network == null ? "127.0.0.1" : NetworkNamespace.THERE;
        Random choice = new Random(number);
        try (Client client = CampaignConsumer.connect(host + ":" + stalledPort, "stalled-" + number)) {
            int queue = queue(client, "stalled-" + number);
            int own = client.lookupClient("stalled-" + number);
            for (int n = 0; !stop; n++) {
                try {
                    useOne(client, choice.nextInt(6), queue, own, n);
                } catch (MlmqException e) {
                    Thread.sleep(10);
                }
            }
        }
    }

    private static void useOne(Client client, int kind, int queue, int own, int n) {
        switch (kind) {
            case 0 -> client.sendMessage(queue, new byte[50_000], 5);
            case 1 -> client.sendMessage(new int[] {queue}, new byte[10], 5,
                    SendOptions.none().withKey("key-" + own + "-" + n));
            case 2 -> client.receiveMessage(MessageQuery.queue(queue), 10_000).ifPresent(client::acknowledge);
            case 3 -> client.sendMessageToClient(own, new byte[10], 5);
            case 4 -> client.dequeueMessages(MessageQuery.queue(queue), 10);
            default -> client.deleteQueue(client.createQueue("made-" + own + "-" + n), n % 2 == 0);
        }
    }

    /** Takes the exclusive lock at the broker that is never stopped. */
    private void makeAndDelete() throws InterruptedException {
        try (Client client = CampaignConsumer.connect("127.0.0.1:" + steadyPort, "deleter")) {
            for (int n = 0; !stop; n++) {
                try {
                    client.deleteQueue(client.createQueue("deleted-" + n), true);
                } catch (MlmqException e) {
                    Thread.sleep(10);
                }
                Thread.sleep(100);
            }
        }
    }

    /** Receives under a lease, never acknowledges, and awaits that the message is there again. */
    private void letLeasesEnd() throws InterruptedException {
        try (Client client = CampaignConsumer.connect("127.0.0.1:" + steadyPort, "lessee")) {
            int queue = queue(client, "leased");
            client.sendMessage(queue, new byte[10], 5);
            long ends = 0;
            while (!stop) {
                try {
                    Optional<Message> message = client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS);
                    long now = System.nanoTime();
                    if (message.isPresent()) {
                        longestOverdue.accumulateAndGet(ends == 0 ? 0 : now - ends, Math::max);
                        ends = now + TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS);
                    } else {
                        Thread.sleep(10);
                    }
                    if (message.isPresent() && message.get().deliveries() > 8) {
                        client.acknowledge(message.get());
                        client.sendMessage(queue, new byte[10], 5);
                        ends = 0;
                    }
                } catch (MlmqException e) {
                    ends = 0;
                    Thread.sleep(10);
                }
            }
        }
    }

    private static int queue(Client client, String name) {
        try {
            return client.createQueue(name);
        } catch (MlmqException.QueueExists e) {
            return client.lookupQueue(name);
        }
    }

    private void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    @FunctionalInterface
    private interface Work {
        void run() throws InterruptedException;
    }

    private JavaProcess broker(String name, int port, String host, String databaseHost, List<String> prefix)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, name + "-", ".out");
        JavaProcess process = JavaProcess.start(output, prefix, SMALL_JVM, "ch.ethz.mlmq.cli.Main",
                List.of("broker", "--port", Integer.toString(port), "--progress", "--set", "broker.address=" + host,
                        "--set", "broker.anonymous=anywhere",
                        "--set", "broker.name=" + name, "--set", "broker.content.max=100000",
                        "--set", "broker.db.url=" + cluster.address().url().replace("127.0.0.1", databaseHost),
                        "--set", "broker.db.user=" + cluster.address().user()));
        process.awaitOutput("\"state\":\"ready\"");
        return process;
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(stalled.handle().pid())).inheritIO().start().waitFor();
    }

    private static void say(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    @Override
    public void close() throws IOException {
        for (JavaProcess process : new JavaProcess[] {steady, stalled}) {
            if (process != null) {
                process.close();
            }
        }
        cluster.close();
        if (network != null) {
            network.close();
        }
    }
}

package ch.ethz.mlmq.campaign;

import ch.ethz.mlmq.agent.JavaProcess;
import ch.ethz.mlmq.client.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Producers and consumers active over several brokers, while brokers, consumers, PostgreSQL and single processes of it
 * are killed with SIGKILL and started again at random moments; then the books are balanced.
 *
 * <p>Half of the queues are read by classic dequeues, half under leases, or all under leases; there one message is
 * received and acknowledged by a request, or many. Half of the producers send with a key, again and again until it is
 * acknowledged. Some messages have a delay, some a time to live, some are moved to another queue, some are published
 * to a topic: all subscriptions get such a message, or none. Two more queues have a limit: one refuses messages, one
 * drops the oldest.
 */
public final class KillCampaign implements AutoCloseable {
    private static final int BROKERS = 3;
    private static final int CONSUMER_JVMS = 2;
    private static final int PRODUCERS = 8;
    private static final int PUBLISHERS = 2;
    /** Producers of the queue that refuses messages. */
    private static final int LIMITED = 2;
    private static final int QUEUES = 10;
    private static final int SUBSCRIPTIONS = 3;
    /** Most messages of a queue with a limit. */
    private static final int LIMIT = 10;
    private static final List<String> SMALL_JVM = List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Random random;
    private final int classicShare;
    private final Path folder;
    private final PrivateCluster cluster;
    private final List<Integer> ports = new ArrayList<>();
    private final JavaProcess[] brokers = new JavaProcess[BROKERS];
    private final JavaProcess[] consumers = new JavaProcess[CONSUMER_JVMS];
    private final List<CampaignProducer> producers = new ArrayList<>();
    private int consumerStarts;
    private final Balance.Books classic = new Balance.Books();
    private final Balance.Books lease = new Balance.Books();
    private final Balance.Books dropping = new Balance.Books();
    /** Messages that only some of the subscriptions got. */
    private final List<String> torn = new ArrayList<>();
    private final List<String> killed = new ArrayList<>();
    private final Consumer<String> progress;
    private int[] classicQueues;
    private int[] leaseQueues;
    private int[] subscriptions;
    private int refusingQueue;
    private int droppingQueue;
    private int beyond;
    private volatile boolean cutShort;

    /**
     * @param seed       of what is killed when
     * @param onlyLeases whether all queues are read under leases
     * @param progress   gets a line for each kill
     */
    public KillCampaign(long seed, boolean onlyLeases, Consumer<String> progress) throws IOException {
        this.progress = progress;
        this.classicShare = onlyLeases ? 0 : QUEUES / 2;
        random = new Random(seed);
        folder = Files.createTempDirectory("mlmq-kill");
        cluster = PrivateCluster.start();
    }

    /** Ends the campaign soon, with its results and without further kills. Any thread may call this. */
    public void cutShort() {
        cutShort = true;
    }

    /** Kills so many times, then lets everything run down, and balances the books. */
    public Balance run(int kills) throws Exception {
        start();
        List<Thread> threads = new ArrayList<>();
        for (CampaignProducer producer : producers) {
            Thread thread = new Thread(producer, "producer");
            thread.start();
            threads.add(thread);
        }
        while (killed.size() < kills && !cutShort) {
            Thread.sleep(200 + random.nextInt(800));
            String what = killSomething();
            killed.add(System.currentTimeMillis() + " killed and started again: " + what);
            beyond = Math.max(beyond, beyondLimit());
            progress.accept("kill " + killed.size() + " of " + kills + ": " + what);
        }
        Thread.sleep(500);
        producers.forEach(CampaignProducer::stop);
        for (Thread thread : threads) {
            thread.join();
        }
        Files.createFile(folder.resolve("stop"));
        for (JavaProcess consumer : consumers) {
            consumer.awaitExit();
        }
        return balance();
    }

    /**
     * Returns all facts about each lost or doubled message, and all kills: the producer's and the consumers' records,
     * and the rows in the database. Call it after {@link #run}.
     */
    public List<String> troubles() throws IOException, SQLException {
        List<String> lines = new ArrayList<>();
        for (Balance.Books books : List.of(classic, lease)) {
            for (String message : books.missingMessages()) {
                lines.add(message + " was acknowledged, and nobody has it:");
                lines.addAll(story(message));
            }
            for (String message : books.doubledMessages()) {
                lines.add(message + " is there more than once:");
                lines.addAll(story(message));
            }
        }
        torn.forEach(message -> lines.add(message + " was published to some of its subscriptions only"));
        killed.forEach(line -> lines.add("  " + line));
        return lines;
    }

    private List<String> story(String message) throws IOException, SQLException {
        List<String> lines = new ArrayList<>();
        for (CampaignProducer producer : producers) {
            producer.failures().stream().filter(line -> line.contains(" " + message + " ")).forEach(
                    line -> lines.add("  producer: " + line));
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".journal")).toList()) {
                Files.readAllLines(file).stream().filter(line -> line.endsWith(" " + message)).forEach(
                        line -> lines.add("  " + file.getFileName() + ": " + line));
            }
        }
        try (Connection connection = cluster.connect(); PreparedStatement statement = connection.prepareStatement(
                "SELECT row_to_json(m) FROM (SELECT xmin, id, queue_id, sender_id, sent_ms, deliveries FROM message "
                        + "WHERE convert_from(content, 'UTF8') = ?) m")) {
            statement.setString(1, message);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lines.add("  database: " + rows.getString(1));
                }
            }
        }
        return lines;
    }

    /** Keeps what the brokers and the server have logged, and the journals. @return where */
    public Path keepLogs() throws IOException {
        Path kept = Files.createTempDirectory("mlmq-kill-kept");
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.copy(file, kept.resolve(file.getFileName()));
            }
        }
        Files.copy(cluster.log(), kept.resolve("postgresql.log"));
        return kept;
    }

    @Override
    public void close() throws IOException {
        Stream.concat(Arrays.stream(brokers), Arrays.stream(consumers)).filter(process -> process != null)
                .forEach(JavaProcess::close);
        cluster.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private void start() throws Exception {
        for (int i = 0; i < BROKERS; i++) {
            ports.add(FreePort.find());
            startBroker(i);
        }
        int[] queues = new int[QUEUES];
        int topic;
        subscriptions = new int[SUBSCRIPTIONS];
        try (Client client = CampaignConsumer.connect(addresses(), "maker")) {
            refusingQueue = limited(client, "refusing", "refuse");
            droppingQueue = limited(client, "dropping", "drop oldest");
            for (int i = 0; i < QUEUES; i++) {
                queues[i] = client.createQueue("queue-" + i);
            }
            topic = client.createTopic("topic");
            for (int i = 0; i < SUBSCRIPTIONS; i++) {
                subscriptions[i] = client.subscribe(topic, "subscription-" + i, "", true);
            }
        }
        classicQueues = Arrays.copyOf(queues, classicShare);
        leaseQueues = Arrays.copyOfRange(queues, classicShare, QUEUES);
        for (int i = 0; i < CONSUMER_JVMS; i++) {
            startConsumer(i);
        }
        for (int i = 0; i < PRODUCERS; i++) {
            boolean lease = i % 4 >= 2 || classicShare == 0;
            producers.add(new CampaignProducer((lease ? "lease" : "classic") + "-" + i, addresses(),
                    CampaignProducer.queues(lease ? leaseQueues : classicQueues, lease), i % 2 == 0));
        }
        for (int i = 0; i < LIMITED; i++) {
            producers.add(new CampaignProducer("lease-refused-" + i, addresses(),
                    CampaignProducer.queues(new int[] {refusingQueue}, false), i % 2 == 0));
        }
        producers.add(new CampaignProducer(Journal.DROPPED + 0, addresses(),
                CampaignProducer.oneQueue(droppingQueue), true));
        for (int i = 0; i < PUBLISHERS; i++) {
            producers.add(new CampaignProducer(Journal.PUBLISHED + i, addresses(), CampaignProducer.topic(topic),
                    i % 2 == 0));
        }
    }

    private static int limited(Client client, String name, String full) {
        int queue = client.createQueue(name);
        client.execute("limit queue " + name + " to " + LIMIT + " messages, " + full);
        return queue;
    }

    private void startBroker(int i) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "broker-" + i + "-", ".out");
        brokers[i] = JavaProcess.start(output, SMALL_JVM, "ch.ethz.mlmq.cli.Main", List.of("broker", "--port",
                ports.get(i).toString(), "--progress", "--set", "broker.db.url=" + cluster.address().url(),
                "--set", "broker.db.user=" + cluster.address().user(), "--set", "broker.db.timeout=3s"));
        brokers[i].awaitOutput("\"state\":\"ready\"");
    }

    private void startConsumer(int i) throws IOException {
        consumers[i] = JavaProcess.start(folder.resolve("consumer-" + i + ".out"), SMALL_JVM,
                CampaignConsumer.class.getName(), List.of(Integer.toString(consumerStarts++), addresses(),
                        join(classicQueues), join(leaseQueues) + "," + join(subscriptions) + ","
                        + refusingQueue + "," + droppingQueue, folder.toString()));
    }

    /** @return what was killed */
    private String killSomething() throws Exception {
        int choice = random.nextInt(100);
        if (choice < 40) {
            int i = random.nextInt(BROKERS);
            brokers[i].kill();
            startBroker(i);
            return "broker " + i;
        }
        if (choice < 65) {
            int i = random.nextInt(CONSUMER_JVMS);
            consumers[i].kill();
            startConsumer(i);
            return "consumers " + i;
        }
        if (choice < 85) {
            cluster.kill();
            cluster.restart();
            return "PostgreSQL";
        }
        cluster.killBackend(random);
        return "a process of PostgreSQL";
    }

    private String addresses() {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    private static String join(int[] queues) {
        return Arrays.stream(queues).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private Balance balance() throws IOException, SQLException {
        for (CampaignProducer producer : producers) {
            for (String message : producer.acknowledged()) {
                if (message.startsWith(Journal.PUBLISHED)) {
                    copies(message).forEach(lease::acknowledged);
                } else {
                    books(message).acknowledged(message);
                }
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".journal")).toList()) {
                if (isLease(file.getFileName().toString())) {
                    Journal.read(file, Journal.TRY).forEach(message -> books(message).handedOut(message));
                    Journal.read(file, Journal.ACKNOWLEDGED).forEach(message -> books(message).received(message));
                } else {
                    List<String> got = Journal.read(file, Journal.GOT);
                    got.forEach(classic::handedOut);
                    got.forEach(classic::received);
                    classic.unanswered(Journal.read(file, Journal.ASK).size()
                            - Journal.read(file, Journal.NONE).size() - got.size());
                }
            }
        }
        try (Connection connection = cluster.connect(); Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT convert_from(content, 'UTF8'), COALESCE(origin.id, "
                        + "queue_id) FROM (SELECT content, queue_id FROM message UNION ALL "
                        + "SELECT content, queue_id FROM lease) m LEFT JOIN queue dead ON dead.id = m.queue_id "
                        + "AND dead.dead LEFT JOIN queue origin ON origin.name || '.dead' = dead.name")) {
            while (rows.next()) {
                books(rows.getString(1)).left(Journal.name(rows.getString(1), rows.getInt(2)));
            }
        }
        Set<String> seen = lease.seen();
        seen.stream().filter(copy -> copy.startsWith(Journal.PUBLISHED))
                .map(copy -> copy.substring(0, copy.indexOf('@'))).distinct()
                .filter(message -> !seen.containsAll(copies(message))).forEach(torn::add);
        return Balance.of(killed.size(), classic, lease, dropping).with(torn.size(),
                producers.stream().mapToInt(CampaignProducer::refused).sum(), Math.max(beyond, beyondLimit()));
    }

    private Balance.Books books(String message) {
        if (message.startsWith(Journal.DROPPED)) {
            return dropping;
        }
        return isLease(message) ? lease : classic;
    }

    /** @return most messages that a queue with a limit has beyond it */
    private int beyondLimit() throws SQLException {
        try (Connection connection = cluster.connect(); PreparedStatement statement = connection.prepareStatement(
                "SELECT count(*) FROM (SELECT queue_id FROM message UNION ALL SELECT queue_id FROM lease) m "
                        + "WHERE queue_id IN (?, ?) GROUP BY queue_id ORDER BY 1 DESC LIMIT 1")) {
            statement.setInt(1, refusingQueue);
            statement.setInt(2, droppingQueue);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Math.max(0, rows.getInt(1) - LIMIT) : 0;
            }
        }
    }

    /** @return the names of the copies of a published message */
    private List<String> copies(String message) {
        return Arrays.stream(subscriptions).mapToObj(queue -> Journal.name(message, queue)).toList();
    }

    private static boolean isLease(String name) {
        return name.startsWith("lease");
    }
}

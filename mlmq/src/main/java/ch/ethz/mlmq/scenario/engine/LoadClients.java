package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Surroundings;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.recording.Registrations;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.workload.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;

/** The clients of a JVM. It prepares them when they are needed, and knows how many take part. */
final class LoadClients {
    private static final Logger LOG = Logger.getLogger(LoadClients.class.getName());
    private static final long GOODBYE_SECONDS = 2;
    /** Seed of think times. They have their own random numbers, so that they do not change a client's requests. */
    private static final long THOUGHTS = 0x7468696e6bL;

    private final Scenario scenario;
    private final Settings settings;
    private final BiConsumer<String, String> problems;
    private final Preparation preparation;
    /** All clients that have connected, with those that are being prepared. */
    private final List<Member> connected = new ArrayList<>();
    /** Clients that are prepared, in the order of their surroundings. */
    private final List<Member> members = new ArrayList<>();
    private final List<Surroundings> around = new ArrayList<>();
    private final Object growth = new Object();
    private Thread growing;
    private boolean complete;
    /** An immutable list, replaced as a whole, so that it can be read while other clients connect. */
    private volatile List<LoadClient> clients = List.of();
    private ClientFactory factory;
    private int highestNumber;

    /** Creates a load client with its rules, recorder and timers. */
    interface ClientFactory {
        LoadClient create(Member member, Behaviour behaviour, RandomGenerator thoughts);
    }

    /**
     * @param problems      takes the kind and the text of a client's failure
     * @param registrations takes the times of subscriptions
     */
    LoadClients(Scenario scenario, Settings settings, LinkFactory links, BiConsumer<String, String> problems,
            Registrations registrations) {
        this.scenario = scenario;
        this.settings = settings;
        this.problems = problems;
        this.preparation = new Preparation(scenario, settings, links, problems, registrations);
    }

    /** Connects the first clients and looks up their surroundings. */
    synchronized void prepare(int count) throws LoadException {
        enlist(count);
    }

    /** Creates a load client for each prepared one. */
    synchronized List<LoadClient> create(ClientFactory factory) {
        this.factory = factory;
        createNew();
        return clients;
    }

    /**
     * Prepares more clients up to that number, as far as brokers allow. If it fails, all of them leave.
     *
     * @return the clients that are to take part
     */
    synchronized List<LoadClient> grow(int count) throws LoadException {
        if (count > clients.size() && begin()) {
            int first = highestNumber;
            try {
                enlist(count - clients.size());
                createNew();
            } catch (LoadException | RuntimeException e) {
                highestNumber = first;
                leaveUnprepared();
                throw e;
            } finally {
                end();
            }
        }
        return clients.subList(0, Math.min(count, clients.size()));
    }

    /** Lets no further clients join, and waits until those that are being prepared have given up. */
    void complete() {
        synchronized (growth) {
            complete = true;
            if (growing != null) {
                growing.interrupt();
            }
            try {
                while (growing != null) {
                    growth.wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** @return false if no further clients are to join */
    private boolean begin() {
        synchronized (growth) {
            growing = complete ? null : Thread.currentThread();
            return growing != null;
        }
    }

    private void end() {
        synchronized (growth) {
            growing = null;
            growth.notifyAll();
            if (complete) {
                // An interruption concerned only the preparation.
                Thread.interrupted();
            }
        }
    }

    /** @return all clients, whether they take part or not */
    List<LoadClient> all() {
        return clients;
    }

    /** @return number of clients that have a connection now */
    int connected() {
        return preparation.connected();
    }

    /** @return number of threads that belong to one client each; 0 if clients share threads */
    int threadsOfClients() {
        return preparation.threadsOfClients(clients.size());
    }

    /** @return number of messages in the clients' subscriptions */
    synchronized long left(long deadlineNanos) {
        long left = 0;
        for (int i = 0; i < around.size(); i++) {
            left += Preparation.left(members.get(i), around.get(i), deadlineNanos);
        }
        return left;
    }

    /** Says goodbye to the brokers for all clients. */
    void leave() {
        List<Member> all;
        synchronized (connected) {
            all = List.copyOf(connected);
        }
        leave(all);
    }

    private void leaveUnprepared() {
        List<Member> unprepared;
        synchronized (connected) {
            unprepared = new ArrayList<>(connected);
            unprepared.removeAll(members);
            connected.retainAll(members);
        }
        leave(unprepared);
    }

    private static void leave(List<Member> leaving) {
        List<CompletableFuture<Void>> goodbyes = leaving.stream().map(member -> member.link().close()).toList();
        try {
            CompletableFuture.allOf(goodbyes.toArray(CompletableFuture[]::new)).get(GOODBYE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.log(Level.WARNING, "some clients disconnected without a response to their goodbye", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void enlist(int count) throws LoadException {
        int first = highestNumber;
        highestNumber += count;
        List<Member> joined = preparation.connect(first, first + count);
        synchronized (connected) {
            connected.addAll(joined);
        }
        if (around.isEmpty()) {
            preparation.share(joined.get(0));
        }
        around.addAll(preparation.around(joined));
        members.addAll(joined);
    }

    private void createNew() {
        List<LoadClient> created = new ArrayList<>(clients);
        for (int i = clients.size(); i < members.size(); i++) {
            Member member = members.get(i);
            ClientContext context = new ClientContext(member.id(), around.get(i), settings, System::nanoTime,
                    problems);
            LoadClient client = factory.create(member, scenario.client().apply(context), Seeds.generator(
                    settings.get(ClientKeys.SEED) ^ THOUGHTS, member.id().position(), member.id().number()));
            member.whenChanged(client::wake);
            created.add(client);
        }
        clients = List.copyOf(created);
    }
}

package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Surroundings;
import ch.ethz.mlmq.scenario.link.LinkFactory;
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

/** The clients of a JVM: prepared when they are needed, and as many of them taking part as are asked for. */
final class Crew {
    private static final Logger LOG = Logger.getLogger(Crew.class.getName());
    private static final long GOODBYE_SECONDS = 2;
    /** Think times have random numbers of their own, so that they do not change what a client does. */
    private static final long THOUGHTS = 0x7468696e6bL;

    private final Scenario scenario;
    private final Settings settings;
    private final BiConsumer<String, String> problems;
    private final Preparation preparation;
    private final List<Member> members = new ArrayList<>();
    private final List<Surroundings> around = new ArrayList<>();
    /** Replaced, never changed, so that it can be read while others are being connected. */
    private volatile List<LoadClient> clients = List.of();
    private Employment employment;
    private int highestNumber;

    /** What clients need to work: how requests start, who records them, who keeps the time. */
    interface Employment {
        LoadClient employ(Member member, Behaviour behaviour, RandomGenerator thoughts);
    }

    /** @param problems takes the kind and the text of what went wrong with a client */
    Crew(Scenario scenario, Settings settings, LinkFactory links, BiConsumer<String, String> problems) {
        this.scenario = scenario;
        this.settings = settings;
        this.problems = problems;
        this.preparation = new Preparation(scenario, settings, links, problems);
    }

    /** Connects the first clients and finds what is around them. */
    synchronized void prepare(int count) throws LoadException {
        enlist(count);
    }

    /** Makes load clients of those that are prepared. */
    synchronized List<LoadClient> employ(Employment terms) {
        employment = terms;
        employNew();
        return clients;
    }

    /**
     * Sees to it that there are that many clients, as far as brokers allow.
     *
     * @return those that are to take part
     */
    synchronized List<LoadClient> grow(int count) throws LoadException {
        if (count > clients.size()) {
            enlist(count - clients.size());
            employNew();
        }
        return clients.subList(0, Math.min(count, clients.size()));
    }

    /** @return all there are, taking part or not */
    List<LoadClient> all() {
        return clients;
    }

    /** @return clients that have a connection now */
    int connected() {
        return preparation.connected();
    }

    /** @return threads that clients have for themselves; 0 where they share some */
    int threadsOfClients() {
        return preparation.threadsOfClients(clients.size());
    }

    /** Says goodbye to the brokers, for everybody. */
    void leave() {
        List<CompletableFuture<Void>> goodbyes = new ArrayList<>();
        synchronized (members) {
            members.forEach(member -> goodbyes.add(member.link().close()));
        }
        try {
            CompletableFuture.allOf(goodbyes.toArray(CompletableFuture[]::new)).get(GOODBYE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.log(Level.WARNING, "some clients left without a goodbye, as it was not answered", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void enlist(int count) throws LoadException {
        int first = highestNumber;
        highestNumber += count;
        List<Member> joined = preparation.connect(first, first + count);
        synchronized (members) {
            members.addAll(joined);
        }
        if (around.isEmpty()) {
            preparation.share(joined.get(0));
        }
        for (Member member : joined) {
            around.add(preparation.around(member));
        }
    }

    private void employNew() {
        List<LoadClient> employed = new ArrayList<>(clients);
        for (int i = clients.size(); i < members.size(); i++) {
            Member member = members.get(i);
            ClientContext context = new ClientContext(member.id(), around.get(i), settings, System::nanoTime,
                    problems);
            LoadClient client = employment.employ(member, scenario.client().apply(context), Seeds.generator(
                    settings.get(ClientKeys.SEED) ^ THOUGHTS, member.id().position(), member.id().number()));
            member.whenChanged(client::wake);
            employed.add(client);
        }
        clients = List.copyOf(employed);
    }
}

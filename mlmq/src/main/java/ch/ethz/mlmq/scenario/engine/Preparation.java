package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.Subscribed;
import ch.ethz.mlmq.scenario.Subscribed.Subscription;
import ch.ethz.mlmq.scenario.Surroundings;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.recording.Registrations;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Prepares clients for a load: connects and registers them, and looks up their queues and peers.
 *
 * <p>A client that its broker refuses is reported and left out; the others go on.
 */
final class Preparation {
    private static final long BETWEEN_LOOKS_NANOS = 1_000_000;

    private final Scenario scenario;
    private final Settings settings;
    private final LinkFactory links;
    private final BiConsumer<String, String> problems;
    private final Directory directory;
    private final LoadTopics topics;
    private final AtomicInteger connected = new AtomicInteger();
    private int[] queues = new int[0];

    /**
     * @param problems      takes the kind and the text of a client's failure
     * @param registrations takes the times of subscriptions
     */
    Preparation(Scenario scenario, Settings settings, LinkFactory links, BiConsumer<String, String> problems,
            Registrations registrations) {
        this.scenario = scenario;
        this.settings = settings;
        this.links = links;
        this.problems = problems;
        this.directory = new Directory(scenario, settings);
        this.topics = new LoadTopics(scenario.name(), settings, links, registrations, connected::get);
    }

    /** @return number of threads that belong to one client each; 0 if clients share threads */
    int threadsOfClients(int clients) {
        return clients * links.threadsPerLink();
    }

    /** @return number of clients that have a connection now */
    int connected() {
        return connected.get();
    }

    /**
     * Connects and registers clients. The first one registers last, so that other JVMs that see it can rely on the
     * others.
     *
     * @param from number of the first one
     * @param to   number after the last one
     * @return those that succeeded, in the order of their numbers
     * @throws LoadException if there are none
     */
    List<Member> connect(int from, int to) throws LoadException {
        long deadline = deadline();
        List<Member> members = new ArrayList<>();
        for (int number = from; number < to; number++) {
            members.add(new Member(new ClientId(scenario.name(), settings.get(CommonKeys.MY_POSITION), number), links,
                    connected));
        }
        String problem = scenario.needs(Need.REGISTRATION) ? registerFirstLast(members, deadline)
                : awaitConnections(members, deadline);
        if (members.isEmpty()) {
            throw new LoadException("no client could connect to " + links.target() + ": " + problem);
        }
        return members;
    }

    /** Finds or creates what all clients share, and checks that the broker accepts the longest messages. */
    void share(Member member) throws LoadException {
        try {
            if (links.echoes()) {
                member.askUntil(new Request.Echo(new byte[settings.get(ClientKeys.MESSAGE_SIZE).max()]), deadline());
            }
        } catch (MlmqException.ContentTooLong e) {
            throw new ConfigurationException(ClientKeys.MESSAGE_SIZE.name() + ": " + e.getMessage(), e);
        } catch (MlmqException e) {
            throw new LoadException(links.target() + " did not answer: " + e.getMessage());
        }
        if (scenario.needs(Need.QUEUES)) {
            queues = ours(directory.publicQueues(member, deadline()));
        }
    }

    /** @return the public queues that this JVM uses: all, or its share */
    private int[] ours(int[] all) {
        if (settings.get(ClientKeys.PAIRING) == ClientKeys.Pairing.ANY) {
            return all;
        }
        int jvms = settings.get(CommonKeys.CLIENTS).places().size();
        return IntStream.range(0, all.length).filter(i -> i % jvms == settings.get(CommonKeys.MY_POSITION))
                .map(i -> all[i]).toArray();
    }

    /** @return the surroundings of each of the clients that join together */
    List<Surroundings> around(List<Member> joined) throws LoadException {
        List<List<Subscription>> subscriptions = scenario.needs(Need.SUBSCRIPTIONS)
                ? topics.subscriptions(joined, deadline()) : Collections.nCopies(joined.size(), List.of());
        List<Surroundings> around = new ArrayList<>();
        for (int i = 0; i < joined.size(); i++) {
            around.add(around(joined.get(i), subscriptions.get(i)));
        }
        return around;
    }

    private Surroundings around(Member member, List<Subscription> subscriptions) throws LoadException {
        int[] peers = scenario.needs(Need.PEERS) ? directory.peers(member, deadline()) : new int[0];
        int partner = scenario.needs(Need.PARTNER) ? directory.partner(member, deadline()) : 0;
        int pairQueue = scenario.needs(Need.PAIR_QUEUE) ? directory.pairQueue(member, deadline()) : 0;
        Subscribed subscribed = scenario.needs(Need.TOPICS) ? new Subscribed(topics.topics(member, deadline()),
                subscriptions, links.threadsPerLink() > 0, topics::firstMessage) : Subscribed.NONE;
        return new Surroundings(member.registered().client(), member.registered().ownQueue(), queues, peers, partner,
                pairQueue, subscribed);
    }

    /** @return number of messages in a client's subscriptions */
    static long left(Member member, Surroundings around, long deadline) {
        return LoadTopics.left(member, around.subscribed().subscriptions(), deadline);
    }

    /**
     * Waits until all are connected, and leaves out those that are not by the deadline. @return why one was left out,
     * or null
     */
    private String awaitConnections(List<Member> members, long deadline) {
        String problem = null;
        for (Iterator<Member> remaining = members.iterator(); remaining.hasNext(); ) {
            Member member = remaining.next();
            while (!member.link().isConnected() && System.nanoTime() - deadline < 0
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
            }
            if (!member.link().isConnected()) {
                problem = leaveOut(member, "NOT_CONNECTED", member.link().state());
                remaining.remove();
            }
        }
        return problem;
    }

    /** @return why one was left out, or null */
    private String registerFirstLast(List<Member> members, long deadline) {
        int last = scenario.needs(Need.PEERS) ? 1 : 0;
        List<Member> first = new ArrayList<>(members.subList(0, last));
        List<Member> others = new ArrayList<>(members.subList(last, members.size()));
        String problem = lastOf(register(others, deadline), register(first, deadline));
        members.clear();
        members.addAll(first);
        members.addAll(others);
        return problem;
    }

    /** Registers each client as soon as it is connected, and leaves out those that are refused. */
    private String register(List<Member> members, long deadline) {
        List<Question> questions = members.stream().map(member ->
                new Question(member, registration(member), member.askWhenConnected(registration(member)))).toList();
        Question.settle(questions, deadline);
        String problem = null;
        Iterator<Member> remaining = members.iterator();
        for (Question question : questions) {
            Member member = remaining.next();
            try {
                member.registered((Response.Registered) question.response(deadline));
            } catch (MlmqException e) {
                problem = leaveOut(member, e.status().name(), e.getMessage());
                remaining.remove();
            }
        }
        return problem;
    }

    private String leaveOut(Member member, String kind, String text) {
        problems.accept(kind, member.id().name() + ": " + text);
        member.link().close();
        return text;
    }

    private long deadline() {
        return System.nanoTime() + settings.get(ClientKeys.CONNECT_WITHIN).toNanos();
    }

    private static Request registration(Member member) {
        return new Request.Register(member.id().name());
    }

    private static String lastOf(String earlier, String later) {
        return later == null ? earlier : later;
    }
}

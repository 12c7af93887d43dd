package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.agent.AgentRunner;
import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Links of clients that consume, and the thread that ends their waits. */
final class Consuming implements Agent {
    private static final Duration PERIOD = Duration.ofMillis(50);
    private static final long LEAST_LEASE_MILLIS = 30_000;

    private final Settings settings;
    private final Numbering numbering;
    private final PublicQueueIds queues;
    private final Queue<ConsumingLink> links = new ConcurrentLinkedQueue<>();
    private final AgentRunner watch;

    Consuming(Settings settings) {
        this.settings = settings;
        this.numbering = new Numbering(settings);
        this.queues = new PublicQueueIds(numbering);
        this.watch = AgentRunner.start(this, PERIOD);
    }

    /** @param link sends the client's requests. @return a link of the client that consumes */
    Link link(ClientId id, AsyncClient client, Link link) {
        int prefetch = settings.get(DriverKeys.PREFETCH);
        int credit = prefetch == 0 ? settings.get(ClientKeys.INFLIGHT_MAX) : prefetch;
        int[] share = numbering.shareOf(numbering.client(id), settings.get(ClientKeys.QUEUES), settings);
        ConsumingLink made = new ConsumingLink(link, client, new ConsumingLink.Terms(share, credit,
                settings.get(ClientKeys.TIMEOUT).toNanos() / 2,
                leaseMillis(credit * share.length, settings.get(ClientKeys.WORK))), queues);
        links.add(made);
        return made;
    }

    /**
     * Half of a lease is twice the work for all messages that the client may have.
     *
     * @return as short as possible, as a killed broker keeps what it was pushing for so long [ms]
     */
    static int leaseMillis(int messages, Duration work) {
        long millis = 4L * messages * work.toMillis();
        return (int) Math.min(Limits.MAX_LEASE_MILLIS, Math.max(LEAST_LEASE_MILLIS, millis));
    }

    @Override
    public String roleName() {
        return "client-watch";
    }

    @Override
    public int doWork() {
        long now = System.nanoTime();
        links.forEach(link -> link.endWaits(now));
        return 0;
    }

    void close() {
        watch.close();
    }
}

package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.agent.AgentRunner;
import ch.ethz.mlmq.broker.access.Users;
import ch.ethz.mlmq.broker.audit.AuditLog;
import ch.ethz.mlmq.broker.execution.InlineDispatcher;
import ch.ethz.mlmq.broker.execution.Processor;
import ch.ethz.mlmq.broker.execution.QueuedDispatcher;
import ch.ethz.mlmq.broker.execution.Worker;
import ch.ethz.mlmq.broker.io.Acceptor;
import ch.ethz.mlmq.broker.io.BrokerContext;
import ch.ethz.mlmq.broker.io.Connections;
import ch.ethz.mlmq.broker.io.IoAgent;
import ch.ethz.mlmq.broker.io.Placement;
import ch.ethz.mlmq.broker.io.ServerTls;
import ch.ethz.mlmq.broker.io.StageLog;
import ch.ethz.mlmq.broker.limits.BrokerLimits;
import ch.ethz.mlmq.broker.limits.MemoryBudget;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.RequestQueue;
import ch.ethz.mlmq.broker.request.Route;
import ch.ethz.mlmq.broker.session.Departures;
import ch.ethz.mlmq.broker.session.Gate;
import ch.ethz.mlmq.broker.session.Presence;
import ch.ethz.mlmq.broker.status.BrokerState;
import ch.ethz.mlmq.broker.status.BrokerStatus;
import ch.ethz.mlmq.broker.status.Counters;
import ch.ethz.mlmq.broker.waiting.WaitingRoom;
import ch.ethz.mlmq.config.Authentication;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Role;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.EverySecond.Column;
import ch.ethz.mlmq.log.LogFiles;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.WaitingCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.logging.Logger;

/** A broker in this JVM. It runs from {@link #start} until {@link #close}. Any number of brokers serve one database. */
public final class Broker implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Broker.class.getName());
    private static final Duration IDLE = Duration.ofMillis(5);
    private static final Duration HOUSEKEEPING_IDLE = Duration.ofMillis(50);
    /** Time that all threads of a kind together get to end, once they are asked to. */
    private static final Duration CLOSING = Duration.ofSeconds(10);
    private static final long LOOK_NANOS = 2_000_000;

    private final Settings settings;
    private final Counters counters = new Counters();
    private final Acceptor acceptor;
    private final Storage storage;
    private final RequestQueue queue;
    private final WaitingRoom waitingRoom;
    private final Presence presence;
    private final Departures departures;
    private final Gate gate;
    private final List<IoAgent> ioAgents = new ArrayList<>();
    private final List<AgentRunner> workers = new ArrayList<>();
    private final List<AgentRunner> helpers = new ArrayList<>();
    private final List<AgentRunner> housekeepers = new ArrayList<>();
    private final List<AgentRunner> ioThreads = new ArrayList<>();
    private final AgentRunner accepting;
    private final BrokerStatus status;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private Broker(Settings settings, BrokerSettings place, Recorder recorder) throws IOException, StorageException {
        this.settings = settings;
        BrokerLimits limits = BrokerLimits.of(settings);
        Placement placement = Placement.of(settings);
        ServerTls tls = ServerTls.of(settings);
        Users.check(settings, place.host());
        acceptor = new Acceptor(new InetSocketAddress(place.host(), place.port()), counters, limits.maxClients());
        try {
            storage = Storages.open(settings, limits.protocol(), place.host(), acceptor.port());
        } catch (StorageException | RuntimeException e) {
            acceptor.close();
            throw e;
        }
        queue = RequestQueue.of(limits);
        int workerCount = settings.get(BrokerKeys.WORKERS);
        waitingRoom = new WaitingRoom(settings.get(BrokerKeys.WAIT_POLL), limits.requestQueue(),
                workerCount > 0 ? queue::offerAgain : exchange -> exchange.connection().link().executeAgain(exchange),
                Broker::respond);
        presence = new Presence(waitingRoom);
        departures = new Departures(storage, presence, waitingRoom, CLOSING.dividedBy(2));
        Users users = new Users(settings, storage, audit(settings, place, recorder));
        gate = new Gate(limits.protocol(), presence, settings.get(BrokerKeys.DB_TIMEOUT), users.permissions(),
                users.audit());
        MemoryBudget memory = new MemoryBudget(limits.memoryMax());
        status = new BrokerStatus(place.position(), settings.get(BrokerKeys.STORAGE), counters, storage, atTheMoment(),
                memory);
        StageLog stageLog = new StageLog(recorder,
                recorder == Recorder.NONE ? 0 : settings.get(CommonKeys.LOG_SAMPLE), counters);
        addIoAgents(new BrokerContext(limits, counters, stageLog, status, new Connections(), memory,
                BrokerContext.Doors.of(settings, tls, users)), workerCount > 0);
        acceptor.serveBy(ioAgents, placement);
        listen(tls, users.audit());
        help(departures, Departures.IDLE);
        help(waitingRoom, IDLE);
        storage.agents().forEach(agent -> housekeepers.add(AgentRunner.start(agent, HOUSEKEEPING_IDLE)));
        startWorkers(workerCount);
        ioAgents.forEach(agent -> ioThreads.add(AgentRunner.start(agent, Duration.ZERO)));
        accepting = AgentRunner.start(acceptor, Duration.ZERO);
        status.become(BrokerState.READY);
        LOG.info(() -> "broker " + place.position() + " listens on " + place.host() + ":" + port()
                + (tls == null ? "" : " with TLS"));
    }

    /** A broker that writes no other files writes this one only where it is told to. */
    private static AuditLog audit(Settings settings, BrokerSettings place, Recorder recorder) {
        String file = settings.get(BrokerKeys.AUDIT_FILE);
        if (!file.isEmpty()) {
            return AuditLog.to(Path.of(file));
        }
        return recorder == Recorder.NONE || settings.get(BrokerKeys.AUTH) == Authentication.NONE ? AuditLog.NONE
                : AuditLog.to(new LogFiles(Path.of(settings.get(CommonKeys.LOG_FOLDER)), Role.BROKER,
                        place.position()).audit());
    }

    private void listen(ServerTls tls, AuditLog audit) {
        if (audit.isKept()) {
            help(audit, AuditLog.IDLE);
        }
        if (tls != null) {
            help(tls, ServerTls.IDLE);
        }
        storage.tell(waitingRoom, this::expelled, this::returned);
        if (storage.accounts() != null) {
            storage.accounts().onChange((before, now) -> {
                audit.noticed(before, now);
                ioAgents.forEach(IoAgent::closeRemovedUsersSoon);
            });
        }
    }

    private BrokerStatus.Gauges atTheMoment() {
        return new BrokerStatus.Gauges(queue::size,
                () -> ioAgents.stream().mapToInt(IoAgent::waitingResponses).sum(), waitingRoom::size,
                () -> ioAgents.stream().mapToInt(IoAgent::buffersOut).sum());
    }

    /** @param queued true if workers execute the requests, false if the I/O threads do */
    private void addIoAgents(BrokerContext context, boolean queued) throws IOException {
        for (int i = 0; i < settings.get(BrokerKeys.IO_THREADS); i++) {
            ioAgents.add(new IoAgent(i, context, queued ? new QueuedDispatcher(queue, departures)
                    : new InlineDispatcher(processor(storage::execute), departures, context.limits().batchMax())));
        }
    }

    private void startWorkers(int count) {
        for (int i = 0; i < count; i++) {
            start(new Worker(i, queue, processor(storage::execute), ioAgents));
        }
        for (Route route : count > 0 ? List.of(Route.QUEUES, Route.SEARCHES) : List.<Route>of()) {
            start(Worker.apart(route, queue, processor((calls, waiting) -> storage.executeApart(calls)), ioAgents));
        }
    }

    private void start(Worker worker) {
        workers.add(AgentRunner.start(worker, Duration.ZERO));
    }

    private Processor processor(BiConsumer<List<Call>, WaitingCalls> execution) {
        return new Processor(storage, execution, gate, waitingRoom, presence, departures, counters);
    }

    /**
     * Starts a broker. The broker accepts connections when this returns.
     *
     * @param recorder gets the stages of its requests
     * @throws ConfigurationException if a setting is invalid
     * @throws IOException            if the port cannot be bound; the message names it
     * @throws StorageException       if the storage cannot be used
     */
    public static Broker start(Settings settings, BrokerSettings place, Recorder recorder)
            throws IOException, StorageException {
        try {
            return new Broker(settings, place, recorder);
        } catch (IOException | java.nio.channels.UnresolvedAddressException e) {
            throw new IOException("cannot listen on " + place.host() + ":" + place.port() + ": "
                    + (e.getMessage() == null ? "unknown host" : e.getMessage()), e);
        }
    }

    List<IoAgent> ioAgents() {
        return ioAgents;
    }

    /** @return the port it listens on */
    public int port() {
        try {
            return acceptor.port();
        } catch (IOException e) {
            return 0;
        }
    }

    public BrokerState state() {
        return status.state();
    }

    /** @return one line of JSON */
    public String status() {
        return status.json();
    }

    /** @return one line of JSON for programs that follow the broker's progress */
    public String progress() {
        return status.progress();
    }

    /** @return cumulative counters for the statistics file */
    public List<Column> statistics() {
        return status.statistics();
    }

    /** @return current values for the gauges file */
    public List<Column> gauges() {
        return status.gauges();
    }

    /**
     * Stops the broker: it accepts no connections, responds to queued requests, and closes. A client that sends a
     * request meanwhile gets a response that the broker is stopping. Takes at most {@code broker.shutdown.timeout},
     * plus the time that hanging threads get to end.
     */
    @Override
    public void close() {
        close(() -> { });
    }

    /** Stops the broker. @param stopping runs as soon as the broker is stopping */
    void close(Runnable stopping) {
        synchronized (status) {
            if (status.state() != BrokerState.READY) {
                awaitStopped();
                return;
            }
            status.become(BrokerState.STOPPING);
        }
        stopping.run();
        long deadline = System.nanoTime() + settings.get(BrokerKeys.SHUTDOWN_TIMEOUT).toNanos();
        LOG.info("broker is stopping");
        accepting.close(CLOSING);
        waitingRoom.close(exchange -> {
            exchange.answerStopping();
            respond(exchange);
        });
        while (!isQuiet() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        queue.close();
        closeAll(workers);
        closeAll(ioThreads);
        closeAll(helpers);
        // Housekeepers close last, because requeued messages change the length that they write.
        closeAll(housekeepers);
        storage.close();
        status.become(BrokerState.STOPPED);
        stopped.countDown();
        LOG.info("broker has stopped");
    }

    /** Closes all agents at once; together they get {@link #CLOSING}. */
    private static void closeAll(List<AgentRunner> agents) {
        long deadline = System.nanoTime() + CLOSING.toNanos();
        agents.forEach(AgentRunner::stop);
        agents.forEach(agent -> agent.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))));
    }

    private boolean isQuiet() {
        return queue.isIdle() && ioAgents.stream().allMatch(IoAgent::isQuiet);
    }

    private void awaitStopped() {
        try {
            stopped.await(settings.get(BrokerKeys.SHUTDOWN_TIMEOUT).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void help(Agent agent, Duration idle) {
        helpers.add(AgentRunner.start(agent, idle));
    }

    /** Disconnects the clients: the other brokers consider this one dead, so its clients may be online elsewhere. */
    private void expelled() {
        ioAgents.forEach(IoAgent::closeRegisteredSoon);
    }

    /** Ends the session here: the client has registered at another broker, or another client there claims its name. */
    private void returned(int client, long session, boolean over) {
        Storage.Session asked = new Storage.Session(client, session);
        if (over && presence.letGo(asked) || presence.isUnknown(asked)) {
            departures.left(asked);
        }
    }

    private static void respond(Exchange exchange) {
        exchange.measureAnswer();
        exchange.connection().link().respond(exchange);
    }
}

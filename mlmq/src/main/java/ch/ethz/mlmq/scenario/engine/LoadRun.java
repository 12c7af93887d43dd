package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.recording.Figures;
import ch.ethz.mlmq.scenario.recording.Recording;
import ch.ethz.mlmq.scenario.recording.Registrations;
import ch.ethz.mlmq.scenario.recording.RunLogs;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * One JVM's part of a load, from the first connection to the summary. It connects its clients, waits for the start,
 * lets them work phase by phase, and waits for the last responses. {@link #run} does so; other threads steer it with
 * the other methods.
 */
public final class LoadRun {
    private static final Logger LOG = Logger.getLogger(LoadRun.class.getName());
    private static final long LOOK_NANOS = 5_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    /** Lengths of queues are about a second old. */
    private static final long LAG_NANOS = 1_500_000_000;
    private static final String NOT_STARTED = "the load has not started yet";

    private final Scenario scenario;
    private final Settings settings;
    private final RunLogs logs;
    private final Registrations registrations;
    private final LoadClients loadClients;
    private final Progress progress;
    private final StartSignal start;
    private final ConcurrentLinkedQueue<Problem> early = new ConcurrentLinkedQueue<>();
    private CompletableFuture<Void> growing = CompletableFuture.completedFuture(null);
    private int steppedTo;
    private Thread preparing;
    private volatile Load load;

    /** A failure of a client before there was a recording. */
    private record Problem(String kind, String text) {
    }

    /**
     * @param links    opened by the clients; closed by the caller
     * @param logs     closed by the caller
     * @param progress takes a line of JSON a second
     */
    public LoadRun(Scenario scenario, Settings settings, LinkFactory links, RunLogs logs, Consumer<String> progress) {
        this.scenario = scenario;
        this.settings = settings;
        this.logs = logs;
        this.registrations = new Registrations(logs.performance());
        this.loadClients = new LoadClients(scenario, settings, links, this::problem, registrations);
        this.progress = new Progress(progress, scenario.name(), settings.get(CommonKeys.MY_POSITION), this::waiting,
                this::part);
        this.start = new StartSignal(settings.get(ClientKeys.START_AT));
    }

    /**
     * @return the results; empty if it was shut down before the start
     * @throws LoadException if no load was possible
     */
    public Optional<RunSummary> run() throws LoadException, IOException, InterruptedException {
        try {
            progress.enter(Phase.CONNECTING, 0, null);
            prepare();
            progress.enter(Phase.READY, loadClients.connected(), null);
            OptionalLong startNanos = start.await(() -> progress.repeat(loadClients.connected(), null));
            Optional<RunSummary> summary = startNanos.isEmpty() ? Optional.empty()
                    : Optional.of(loadFrom(startNanos.getAsLong()));
            progress.enter(Phase.DONE, loadClients.connected(), recording());
            return summary;
        } finally {
            loadClients.leave();
        }
    }

    /**
     * Sets the start of a load that waits for one.
     *
     * @param utcMillis [ms UTC]; a past instant starts it at once
     * @return what was done, for people
     */
    public Optional<String> start(long utcMillis) {
        long late = System.currentTimeMillis() - utcMillis;
        if (!start.tell(utcMillis)) {
            return Optional.empty();
        }
        return Optional.of(late > 0 ? "started at once, " + late + " ms after the commanded time"
                : "starts in " + -late + " ms");
    }

    /** Ends the load, or cancels its start; responses to requests in flight are awaited. */
    public void shutDown() {
        start.cancel();
        interruptPreparation();
        if (load != null) {
            load.control().shutDown(System.nanoTime());
        }
    }

    /** @return false if there is no load yet */
    public boolean pause() {
        return withLoad(running -> running.participants().pause());
    }

    /** @return false if there is no load yet */
    public boolean resume() {
        return withLoad(Load::resume);
    }

    /**
     * Ends a part of the load that has no fixed length, and begins the next.
     *
     * @param number    of the part, from 1
     * @param utcMillis when [ms UTC]
     * @return false if there is no such part at work
     */
    public boolean endPart(int number, long utcMillis) {
        return load != null && load.endPart(number, utcMillis);
    }

    /** @return false if there is no open load */
    public boolean rate(RatePlan plan) {
        return load != null && load.rate(plan);
    }

    /**
     * Lets that many clients take part.
     *
     * @return number of clients that take part
     */
    public int clients(int count) throws LoadException {
        if (load == null) {
            throw new LoadException(NOT_STARTED);
        }
        return load.clients(count);
    }

    /** @return the current line of progress */
    public String status() {
        return progress.line(loadClients.connected(), recording());
    }

    /** Prepares the clients. A shutdown meanwhile ends this early. */
    private void prepare() throws LoadException {
        preparing(Thread.currentThread());
        try {
            if (!start.isCancelled()) {
                loadClients.prepare(settings.get(ClientKeys.CLIENTS));
            }
        } catch (LoadException | ConfigurationException e) {
            if (!start.isCancelled()) {
                throw e;
            }
        } finally {
            preparing(null);
        }
    }

    private synchronized void preparing(Thread thread) {
        preparing = thread;
        if (thread == null) {
            // An interruption concerned only the preparation.
            Thread.interrupted();
        }
    }

    private synchronized void interruptPreparation() {
        if (preparing != null) {
            preparing.interrupt();
        }
    }

    private RunSummary loadFrom(long startNanos) throws IOException {
        Load started = new Load(scenario, settings, loadClients, logs, startNanos);
        logs.writeEverySecond(started.statistics(), started.gauges());
        steppedTo = settings.get(ClientKeys.CLIENTS);
        registrations.loadBegins();
        started.begin();
        // Other threads can steer the load from here on.
        load = started;
        if (start.isCancelled()) {
            // A shutdown may have come while there was no load yet.
            started.control().shutDown(System.nanoTime());
        }
        early.forEach(problem -> started.recording().problem(problem.kind, problem.text, startNanos));
        long nextSecond = System.nanoTime() + SECOND_NANOS;
        for (Phase phase = phase(started); phase != Phase.DRAINING; phase = phase(started)) {
            nextSecond = perhapsSecond(started, nextSecond);
            step(started);
            LockSupport.parkNanos(LOOK_NANOS);
        }
        loadClients.complete();
        drain(started, nextSecond);
        countLeft();
        started.recording().unanswered(System.nanoTime() - started.control().plan().measuringStart());
        RunSummary summary = started.summary(logs, registrations);
        logs.write(summary);
        logs.writeTimes(started.figures(), Figures.DIGITS);
        return summary;
    }

    /** @return the current phase; a change is reported */
    private Phase phase(Load running) {
        Phase phase = running.control().phaseAt(System.nanoTime());
        if (phase != progress.phase()) {
            running.enter(phase);
            progress.enter(phase, loadClients.connected(), running.recording());
        }
        return phase;
    }

    private long perhapsSecond(Load running, long nextSecond) throws IOException {
        if (System.nanoTime() - nextSecond < 0) {
            return nextSecond;
        }
        progress.interval(running.figures().endInterval(System.currentTimeMillis()), loadClients.connected(),
                running.recording());
        logs.writeTimes(running.figures(), Figures.ROUGH_DIGITS);
        return nextSecond + SECOND_NANOS;
    }

    /** Adds clients in a task of its own, because connecting takes longer than a second. */
    private void step(Load running) {
        int wanted = running.clientsBySteps();
        if (wanted > steppedTo && growing.isDone()) {
            steppedTo = wanted;
            growing = CompletableFuture.runAsync(FatalError.guarded(() -> grow(running, wanted)));
        }
    }

    private void grow(Load running, int wanted) {
        try {
            running.clients(wanted);
        } catch (LoadException | ConfigurationException | MlmqException e) {
            problem("NOT_CONNECTED", e.getMessage());
        }
    }

    /** Waits for the last responses; requests that could not start yet get as long as a response. */
    private void drain(Load running, long nextSecond) throws IOException {
        long timeout = settings.get(ClientKeys.TIMEOUT).toNanos();
        Participants clients = running.participants();
        clients.finishWaiting();
        long second = await(running, () -> clients.waiting() + clients.inFlight() == 0, timeout, nextSecond);
        clients.close();
        await(running, () -> clients.inFlight() == 0, timeout + SECOND_NANOS, second);
    }

    /** Counts what is left in subscriptions, once two counts agree: publishers end at the same time, and counts lag. */
    private void countLeft() {
        if (!scenario.needs(Scenario.Need.SUBSCRIPTIONS)) {
            return;
        }
        long deadline = System.nanoTime() + settings.get(ClientKeys.TIMEOUT).toNanos() + 4 * LAG_NANOS;
        try {
            long before = -1;
            long left = loadClients.left(deadline);
            while (left != before && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(LAG_NANOS);
                before = left;
                left = loadClients.left(deadline);
            }
            registrations.left(left);
        } catch (MlmqException.InvalidRequest e) {
            LOG.log(Level.FINE, "this system does not say what is left in subscriptions", e);
        } catch (MlmqException e) {
            problem(e.status().name(), "what is left in the subscriptions is not known: " + e.getMessage());
        }
    }

    private long await(Load running, BooleanSupplier over, long limitNanos, long nextSecond)
            throws IOException {
        long deadline = System.nanoTime() + limitNanos;
        long second = nextSecond;
        while (!over.getAsBoolean() && System.nanoTime() - deadline < 0) {
            second = perhapsSecond(running, second);
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return second;
    }

    private boolean withLoad(Consumer<Load> action) {
        Load running = load;
        if (running != null) {
            action.accept(running);
        }
        return running != null;
    }

    private int waiting() {
        Load running = load;
        return running == null ? 0 : running.participants().waiting();
    }

    /** @return the part of the load at work; empty before the first one */
    private Optional<RunSummary.PartOfLoad> part() {
        Load running = load;
        return running == null ? Optional.empty() : running.parts().stream().reduce((before, last) -> last);
    }

    private Recording recording() {
        return load == null ? null : load.recording();
    }

    private void problem(String kind, String text) {
        if (load == null) {
            early.add(new Problem(kind, text));
        } else {
            load.recording().problem(kind, text, System.nanoTime());
        }
    }
}

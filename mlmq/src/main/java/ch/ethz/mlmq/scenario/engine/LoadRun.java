package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.recording.Figures;
import ch.ethz.mlmq.scenario.recording.Recording;
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

/**
 * One JVM's part of a load, from the first connection to the summary: connects its clients, waits for the start, lets
 * them work phase by phase, waits for the last answers. {@link #run} does it; the other methods steer it from other
 * threads.
 */
public final class LoadRun {
    private static final long LOOK_NANOS = 5_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final String NOT_STARTED = "the load has not started yet";

    private final Scenario scenario;
    private final Settings settings;
    private final RunLogs logs;
    private final Crew crew;
    private final Progress progress;
    private final StartSignal start;
    private final ConcurrentLinkedQueue<Problem> early = new ConcurrentLinkedQueue<>();
    private CompletableFuture<Void> growing = CompletableFuture.completedFuture(null);
    private int steppedTo;
    private Thread preparing;
    private volatile Load load;

    /** What went wrong with a client before there was a recording. */
    private record Problem(String kind, String text) {
    }

    /**
     * @param links    opened by the clients; closed by whoever made them
     * @param logs     likewise
     * @param progress takes a line of JSON a second
     */
    public LoadRun(Scenario scenario, Settings settings, LinkFactory links, RunLogs logs, Consumer<String> progress) {
        this.scenario = scenario;
        this.settings = settings;
        this.logs = logs;
        this.crew = new Crew(scenario, settings, links, this::problem);
        this.progress = new Progress(progress, scenario.name(), settings.get(CommonKeys.MY_POSITION), this::waiting);
        this.start = new StartSignal(settings.get(ClientKeys.START_AT));
    }

    /**
     * @return what was measured; empty where it was shut down before the start
     * @throws LoadException where no load could be made
     */
    public Optional<RunSummary> run() throws LoadException, IOException, InterruptedException {
        try {
            progress.enter(Phase.CONNECTING, 0, null);
            prepare();
            progress.enter(Phase.READY, crew.connected(), null);
            OptionalLong startNanos = start.await(() -> progress.repeat(crew.connected(), null));
            Optional<RunSummary> summary = startNanos.isEmpty() ? Optional.empty()
                    : Optional.of(loadFrom(startNanos.getAsLong()));
            progress.enter(Phase.DONE, crew.connected(), recording());
            return summary;
        } finally {
            crew.leave();
        }
    }

    /**
     * Starts a load that waits to be told.
     *
     * @param utcMillis [ms UTC]; at once where that is over
     * @return what was done, for people
     */
    public Optional<String> start(long utcMillis) {
        long late = System.currentTimeMillis() - utcMillis;
        if (!start.tell(utcMillis)) {
            return Optional.empty();
        }
        return Optional.of(late > 0 ? "started at once, " + late + " ms after the time"
                : "starts in " + -late + " ms");
    }

    /** Ends the load, or never begins it; what is under way is waited for. */
    public void shutDown() {
        start.cancel();
        interruptPreparation();
        if (load != null) {
            load.control().shutDown(System.nanoTime());
        }
    }

    /** @return false where there is no load yet */
    public boolean pause() {
        return withLoad(running -> running.participants().pause());
    }

    /** @return false where there is no load yet */
    public boolean resume() {
        return withLoad(running -> running.participants().resume());
    }

    /** @return false where there is no open load */
    public boolean rate(RatePlan plan) {
        return load != null && load.rate(plan);
    }

    /**
     * Has that many clients take part.
     *
     * @return how many do
     */
    public int clients(int count) throws LoadException {
        if (load == null) {
            throw new LoadException(NOT_STARTED);
        }
        return load.clients(count);
    }

    /** @return the line of progress as of now */
    public String status() {
        return progress.line(crew.connected(), recording());
    }

    /** Where it is shut down meanwhile, whatever has come of it by then is enough. */
    private void prepare() throws LoadException {
        preparing(Thread.currentThread());
        try {
            if (!start.isCancelled()) {
                crew.prepare(settings.get(ClientKeys.CLIENTS));
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
            // The interruption, should there have been one, is over with what it was for.
            Thread.interrupted();
        }
    }

    private synchronized void interruptPreparation() {
        if (preparing != null) {
            preparing.interrupt();
        }
    }

    private RunSummary loadFrom(long startNanos) throws IOException {
        Load started = new Load(scenario, settings, crew, logs, startNanos);
        logs.writeEverySecond(started.statistics(), started.gauges());
        steppedTo = settings.get(ClientKeys.CLIENTS);
        started.begin();
        // Who finds it may steer its clients.
        load = started;
        if (start.isCancelled()) {
            // by somebody who still found no load to end
            started.control().shutDown(System.nanoTime());
        }
        early.forEach(problem -> started.recording().problem(problem.kind, problem.text, startNanos));
        long nextSecond = System.nanoTime() + SECOND_NANOS;
        for (Phase phase = phase(started); phase != Phase.DRAINING; phase = phase(started)) {
            nextSecond = perhapsSecond(started, nextSecond);
            step(started);
            LockSupport.parkNanos(LOOK_NANOS);
        }
        drain(started, nextSecond);
        RunSummary summary = started.summary(logs);
        logs.write(summary);
        logs.writeTimes(started.figures(), Figures.DIGITS);
        return summary;
    }

    /** @return the phase now; whoever should know of a change is told */
    private Phase phase(Load running) {
        Phase phase = running.control().phaseAt(System.nanoTime());
        if (phase != progress.phase()) {
            running.enter(phase);
            progress.enter(phase, crew.connected(), running.recording());
        }
        return phase;
    }

    private long perhapsSecond(Load running, long nextSecond) throws IOException {
        if (System.nanoTime() - nextSecond < 0) {
            return nextSecond;
        }
        progress.interval(running.figures().endInterval(System.currentTimeMillis()), crew.connected(),
                running.recording());
        logs.writeTimes(running.figures(), Figures.ROUGH_DIGITS);
        return nextSecond + SECOND_NANOS;
    }

    /** Connecting takes its time, and the seconds go on meanwhile. */
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
        } catch (LoadException e) {
            problem("NOT_CONNECTED", e.getMessage());
        }
    }

    /** Waits for the last answers; what was to start and could not has as long as an answer. */
    private void drain(Load running, long nextSecond) throws IOException {
        long timeout = settings.get(ClientKeys.TIMEOUT).toNanos();
        Participants clients = running.participants();
        clients.finishWaiting();
        long second = await(running, () -> clients.waiting() + clients.underWay() == 0, timeout, nextSecond);
        clients.close();
        await(running, () -> clients.underWay() == 0, timeout + SECOND_NANOS, second);
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

package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.EverySecond.Column;
import ch.ethz.mlmq.log.JvmMemory;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.engine.LoadClient.LoadRules;
import ch.ethz.mlmq.scenario.pacing.ArrivalTimes;
import ch.ethz.mlmq.scenario.pacing.Pace;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.recording.Figures;
import ch.ethz.mlmq.scenario.recording.MessageCounts;
import ch.ethz.mlmq.scenario.recording.Recording;
import ch.ethz.mlmq.scenario.recording.Registrations;
import ch.ethz.mlmq.scenario.recording.RunLogs;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.ClientKeys.ArrivalKind;
import ch.ethz.mlmq.scenario.settings.ClientKeys.RateOf;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.workload.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** A load from its start to its last response, with its clients, its timers and its recording. */
final class Load {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LONGEST_WAIT_MILLIS = 366L * 86_400_000;
    private static final double NANOS = 1e9;
    private static final int JVM = -1;

    private final Scenario scenario;
    private final Settings settings;
    private final LoadClients loadClients;
    private final LoadControl control;
    private final Recording recording;
    private final Figures figures;
    private final Pacer pacer = new Pacer();
    private final OpenLoad open;
    private final Participants participants;
    private final LoadParts parts;
    private final long startMillis;
    private final SelfCheck selfCheck = new SelfCheck(pacer);
    private int connectedAtEnd = -1;

    /** @param startNanos start of the load ({@link System#nanoTime} [ns]) */
    Load(Scenario scenario, Settings settings, LoadClients loadClients, RunLogs logs, long startNanos) {
        this.scenario = scenario;
        this.settings = settings;
        this.loadClients = loadClients;
        this.startMillis = System.currentTimeMillis() + (startNanos - System.nanoTime()) / NANOS_PER_MILLI;
        control = new LoadControl(new PhasePlan(startNanos, settings.get(ClientKeys.WARMUP).toNanos(),
                settings.get(ClientKeys.DURATION).toNanos(), settings.get(ClientKeys.COOLDOWN).toNanos()),
                settings.get(ClientKeys.REQUESTS));
        open = settings.get(ClientKeys.RATE) instanceof Pace.Open pace ? openLoad(pace.rate()) : null;
        boolean subscribes = scenario.needs(Need.SUBSCRIPTIONS);
        boolean pushed = subscribes || settings.get(DriverKeys.TAKE) == DriverKeys.Take.CONSUME;
        recording = new Recording(new Recording.Manner(open != null, pushed, subscribes), control::phaseAt,
                logs.performance(), logs.sample(), logs.ledger(), loadClients::connected);
        participants = new Participants(open, control, recording);
        parts = new LoadParts(settings.get(ClientKeys.LOAD), control, open, participants, pacer);
        figures = new Figures(recording, logs.intervals(), System.currentTimeMillis());
    }

    LoadControl control() {
        return control;
    }

    Recording recording() {
        return recording;
    }

    Figures figures() {
        return figures;
    }

    /** Starts the clients' work at the start of the load. */
    void begin() {
        LoadRules rules = new LoadRules(open != null, settings.get(ClientKeys.INFLIGHT_MAX),
                settings.get(ClientKeys.LATE_AFTER).toNanos(), settings.get(ClientKeys.THINK_TIME));
        LoadClient.Shared shared = new LoadClient.Shared(control, recording, pacer);
        List<LoadClient> clients = loadClients.create((member, behaviour, thoughts) ->
                new LoadClient(member.id(), member.link(), behaviour, rules, shared, thoughts));
        participants.begin(clients, pacer);
        parts.begin();
    }

    /** Records and reports that a phase begins. */
    void enter(Phase phase) {
        if (phase == Phase.MEASURING) {
            selfCheck.begin();
        } else if (phase != Phase.WARMUP) {
            selfCheck.end();
            connectedAtEnd = connectedAtEnd < 0 ? loadClients.connected() : connectedAtEnd;
        }
    }

    /** @return number of clients that should take part now, by the settings */
    int clientsBySteps() {
        long elapsedMillis = (System.nanoTime() - control.plan().startNanos()) / NANOS_PER_MILLI;
        return settings.get(ClientKeys.STEPS).clientsAt(settings.get(ClientKeys.CLIENTS), elapsedMillis);
    }

    /**
     * Lets that many clients take part, as far as brokers allow.
     *
     * @return number of clients that take part
     */
    int clients(int count) throws LoadException {
        List<LoadClient> wanted = loadClients.grow(count);
        participants.set(wanted.size(), loadClients.all());
        return wanted.size();
    }

    Participants participants() {
        return participants;
    }

    /** Starts waiting requests after a pause. */
    void resume() {
        parts.resume();
    }

    /**
     * Ends a part of the load, see {@link LoadParts#end}.
     *
     * @param utcMillis when [ms UTC]
     */
    boolean endPart(int number, long utcMillis) {
        long waitMillis = Math.min(utcMillis - System.currentTimeMillis(), LONGEST_WAIT_MILLIS);
        return parts.end(number, System.nanoTime() + waitMillis * NANOS_PER_MILLI);
    }

    /** @return the parts of the load that were reached, by the clock of this machine */
    List<RunSummary.PartOfLoad> parts() {
        long start = control.plan().startNanos();
        return parts.spans(System.nanoTime()).stream().map(part -> new RunSummary.PartOfLoad(part.number(), part.name(),
                startMillis + Math.round((part.fromNanos() - start) / (double) NANOS_PER_MILLI),
                startMillis + Math.round((part.toNanos() - start) / (double) NANOS_PER_MILLI))).toList();
    }

    /** @return false if this load has no rate, because it is closed */
    boolean rate(RatePlan plan) {
        if (open != null) {
            parts.rate(plan);
        }
        return open != null;
    }

    /** @return the results; nothing is recorded after this */
    RunSummary summary(RunLogs logs, Registrations registrations) throws IOException {
        figures.endInterval(System.currentTimeMillis());
        figures.close();
        pacer.close();
        PhasePlan plan = control.plan();
        double seconds = plan.durationNanos() / NANOS;
        Double planned = open == null ? null
                : open.planned(plan.measuringStart(), plan.measuringEnd()) / seconds;
        String driver = scenario.needs(Need.DATABASE_ONLY) ? "jdbc" : settings.get(DriverKeys.DRIVER);
        String pairing = settings.get(ClientKeys.PAIRING).name().toLowerCase(Locale.ROOT);
        return new RunSummary(new RunSummary.Who(scenario.name(), driver, pairing,
                settings.get(CommonKeys.MY_POSITION), participants.taking(), connectedAtEnd),
                new RunSummary.Measuring(startMillis + plan.warmupNanos() / NANOS_PER_MILLI, seconds, planned,
                        recording.underWay(plan.measuringStart(), plan.measuringEnd()), parts()),
                recording, figures, logs.ledger(), registrations,
                new RunSummary.OfTheJvm(selfCheck.verdict(open != null, recording.counts(Phase.MEASURING),
                        loadClients.threadsOfClients()), selfCheck.gcMillis(), selfCheck.stallMicros()));
    }

    /** @return cumulative counters, for a file without header that every JVM of a run writes */
    List<Column> statistics() {
        return List.of(
                new Column("sends", () -> recording.succeeded(FrameType.SEND_MESSAGE, FrameType.SEND_MESSAGE_TO_CLIENT,
                        FrameType.SEND_REQUEST_TO_CLIENT, FrameType.SEND_RESPONSE_TO_CLIENT, FrameType.SEND_MESSAGES,
                        FrameType.PUBLISH)),
                new Column("dequeues and peeks", () -> recording.succeeded(FrameType.DEQUEUE_MESSAGE,
                        FrameType.DEQUEUE_MESSAGES, FrameType.PEEK_MESSAGE, FrameType.RECEIVE_MESSAGE,
                        FrameType.RECEIVE_MESSAGES)),
                new Column("requests", () -> recording.allCounts().stream().mapToLong(Counts::started).sum()),
                new Column("ns socket I/O", () -> 0),
                new Column("ns workers", () -> 0),
                new Column("ns persistence", () -> 0));
    }

    /** @return further values for every second */
    List<Column> gauges() {
        return List.of(
                new Column("clients", loadClients::connected),
                new Column("under_way", participants::inFlight),
                new Column("waiting", participants::waiting),
                new Column("late", () -> recording.allCounts().stream().mapToLong(Counts::late).sum()),
                new Column("errors", () -> recording.allCounts().stream().mapToLong(Counts::errorSum).sum()),
                messages("sent", MessageCounts::sent),
                messages("received", MessageCounts::received),
                messages("takes", MessageCounts::takes),
                messages("empty_takes", MessageCounts::emptyTakes),
                new Column("longest_stall_us", () -> pacer.stalls().longestNanos() / 1_000),
                new Column("heap", JvmMemory::heap),
                new Column("gcs", JvmMemory::collections), new Column("gc_ms", JvmMemory::collectingMillis));
    }

    private Column messages(String name, ToLongFunction<MessageCounts> count) {
        return new Column(name, () -> recording.allMessages().stream().mapToLong(count).sum());
    }

    private OpenLoad openLoad(RatePlan rate) {
        boolean perClient = settings.get(ClientKeys.RATE_OF) == RateOf.CLIENT;
        RatePlan ofJvm = perClient ? rate.rest(0, settings.get(ClientKeys.CLIENTS)) : rate;
        ArrivalTimes arrivals = settings.get(ClientKeys.ARRIVALS) == ArrivalKind.FIXED
                ? ArrivalTimes.fixed(ofJvm, settings.get(CommonKeys.MY_POSITION))
                : ArrivalTimes.poisson(ofJvm, Seeds.generator(settings.get(ClientKeys.SEED),
                        settings.get(CommonKeys.MY_POSITION), JVM));
        return new OpenLoad(arrivals, control, pacer, perClient);
    }
}

package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.log.Action;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.pacing.Phase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;

/**
 * Records the outcome of each request in the performance log, in histograms by operation and in counts by phase.
 *
 * <p>A request belongs to the phase of its intended start. In an open load its response time counts from there, so that
 * a broker's pause shows in every request that should have started meanwhile; its service time counts from the actual
 * start.
 */
public final class Recording {
    private static final long NANOS_PER_MICRO = 1_000;
    /** The longest duration of a log. */
    private static final long MOST_NANOS = Integer.MAX_VALUE * NANOS_PER_MICRO;

    private final boolean open;
    private final LongFunction<Phase> phases;
    private final Recorder log;
    private final MessageLedger ledger;
    private final ErrorLog errors = new ErrorLog();
    private final Overdue overdue;
    private final UnderWay underWay;
    private final IntSupplier clients;
    private final Map<Phase, PhaseRecords> records = new EnumMap<>(Phase.class);
    private final Map<String, Action> actions = new ConcurrentHashMap<>();
    private final Action[] successes = new Action[FrameType.values().length];
    private final Action[] emptySuccesses = new Action[FrameType.values().length];
    private final Action[] receipts = new Action[FrameType.values().length];
    private final Action[] acknowledgements = new Action[FrameType.values().length];
    private final LongAdder[] answered = new LongAdder[FrameType.values().length];
    private final EndToEnd endToEnd;
    private final int sample;

    /** The records of one phase. */
    private record PhaseRecords(Counts counts, MessageCounts messages, OperationTimes response, OperationTimes service,
            org.HdrHistogram.Recorder endToEnd, org.HdrHistogram.Recorder acknowledged, LongAdder leased) {
    }

    /**
     * How a JVM's clients work.
     *
     * @param open   true if requests start at planned arrival times
     * @param pushed true if the server pushes messages, so that takes ask a queue of the client's own
     * @param owned  true if no other JVM takes from their queues
     */
    public record Manner(boolean open, boolean pushed, boolean owned) {
    }

    /** Creates the recording of clients that ask the server for each message. */
    public Recording(boolean open, LongFunction<Phase> phases, Recorder log, int sample, MessageLedger ledger,
            IntSupplier clients) {
        this(new Manner(open, false, false), phases, log, sample, ledger, clients);
    }

    /**
     * @param phases  the phase at an instant ({@link System#nanoTime} [ns])
     * @param log     takes one request in {@code sample} at random, because every n-th might always be of one operation
     * @param sample  1 for each request, 0 for none
     * @param clients gives the number of connected clients
     */
    public Recording(Manner manner, LongFunction<Phase> phases, Recorder log, int sample, MessageLedger ledger,
            IntSupplier clients) {
        this.open = manner.open;
        this.endToEnd = new EndToEnd(ClockOffset.micros(), manner.owned);
        this.phases = phases;
        this.overdue = new Overdue(phases);
        this.underWay = new UnderWay(phases);
        this.log = sample == 0 ? Recorder.NONE : log;
        this.sample = Math.max(1, sample);
        this.ledger = ledger;
        this.clients = clients;
        for (Phase phase : Phase.values()) {
            if (phase.isLoad()) {
                records.put(phase, new PhaseRecords(new Counts(), new MessageCounts(), new OperationTimes(),
                        new OperationTimes(), new org.HdrHistogram.Recorder(Figures.DIGITS),
                        new org.HdrHistogram.Recorder(Figures.DIGITS), new LongAdder()));
            }
        }
        for (FrameType type : FrameType.values()) {
            String name = "CSndReq#OK#" + type.label() + (manner.pushed && MessageCounts.isTake(type) ? ":pushed" : "");
            successes[type.ordinal()] = Action.named(name);
            emptySuccesses[type.ordinal()] = Action.named(name + ":empty");
            receipts[type.ordinal()] = Action.named("CE2E#" + type.label());
            acknowledgements[type.ordinal()] = Action.named("CAck#" + type.label());
            answered[type.ordinal()] = new LongAdder();
        }
    }

    /**
     * Records the start of a request, and writes its intended start into the messages that it sends.
     *
     * @param intendedNanos its intended start [ns]
     * @param delay         of its start
     */
    public void started(Request request, long intendedNanos, Delay delay) {
        endToEnd.stamp(request, intendedNanos);
        recordsAt(intendedNanos).counts.start(delay);
        underWay.started(intendedNanos);
    }

    /** Records an executed request. Times are in ns. */
    public void succeeded(Request request, Response response, long intendedNanos, long sentNanos, long endNanos) {
        answered(request, response, endNanos);
        answered[request.type().ordinal()].increment();
        PhaseRecords phase = recordsAt(intendedNanos);
        phase.counts.succeed();
        phase.counts.end();
        underWay.ended(intendedNanos, sentNanos, endNanos);
        if (!MessageCounts.isTake(request.type())) {
            overdue.succeeded(sentNanos, endNanos);
        }
        phase.messages.answered(request, response);
        phase.response.record(request.type(), Math.max(0, endNanos - intendedNanos) / NANOS_PER_MICRO);
        if (open) {
            phase.service.record(request.type(), Math.max(0, endNanos - sentNanos) / NANOS_PER_MICRO);
        }
        Action[] outcomes = MessageCounts.foundNone(request, response) ? emptySuccesses : successes;
        log(outcomes[request.type().ordinal()], intendedNanos, sentNanos, endNanos);
        endToEnd.received(request, response, sendingNanos -> received(request, sendingNanos, endNanos));
    }

    /** Records a failed request with its status. Times are in ns. */
    public void failed(Request request, Status status, String text, long intendedNanos, long sentNanos, long endNanos) {
        ledger.failed(request, status);
        error(status.name(), request, text, intendedNanos, sentNanos, endNanos);
    }

    /** Records an executed request whose response is wrong. Times are in ns. */
    public void unexpected(Request request, Response response, String kind, String text, long intendedNanos,
            long sentNanos, long endNanos) {
        answered(request, response, endNanos);
        error(kind, request, text, intendedNanos, sentNanos, endNanos);
    }

    /** Records a request that never started. */
    public void notStarted(long intendedNanos) {
        Counts counts = recordsAt(intendedNanos).counts;
        counts.neverStart();
        counts.fail("NOT_STARTED");
        errors.error("NOT_STARTED", "requests could not start before the end of the load");
    }

    /**
     * Records the requests that have not ended when nothing waits for them any more.
     *
     * @param nanos since measuring began [ns]
     */
    public void unanswered(long nanos) {
        counts(Phase.COOLDOWN).takeStartsFrom(counts(Phase.MEASURING));
        counts(Phase.MEASURING).takeStartsFrom(counts(Phase.WARMUP));
        records.forEach((phase, record) -> {
            long left = record.counts.left();
            if (left > 0) {
                record.counts.fail("UNANSWERED", left);
                errors.error("UNANSWERED", "requests had neither a response nor an error when the load had ended");
                if (phase == Phase.WARMUP) {
                    overdue.left(left, nanos);
                }
            }
        });
    }

    /** Records an error that belongs to no single request. */
    public void problem(String kind, String text, long nanos) {
        recordsAt(nanos).counts.fail(kind);
        errors.error(kind, text);
    }

    /** @return number of timed messages of a phase of load that were received under a lease, each once */
    public long leased(Phase phase) {
        return records.get(phase).leased.sum();
    }

    /** @return the outcomes of requests of a phase of load */
    public Counts counts(Phase phase) {
        return records.get(phase).counts;
    }

    /** @return requests of the warm-up that the measuring phase waited for */
    public Overdue overdue() {
        return overdue;
    }

    /**
     * @param fromNanos start of the measuring phase [ns]
     * @param toNanos   its end [ns]
     * @return mean number of requests in it that were sent and not answered; one that never ends counts from its
     *         planned start
     */
    public double underWay(long fromNanos, long toNanos) {
        return underWay.mean(fromNanos, toNanos);
    }

    /** @return the messages of the requests of a phase of load */
    public MessageCounts messages(Phase phase) {
        return records.get(phase).messages;
    }

    /** @return the counts of all phases of load */
    public List<Counts> allCounts() {
        List<Counts> all = new ArrayList<>();
        records.values().forEach(phase -> all.add(phase.counts));
        return all;
    }

    /** @return the messages of all phases of load */
    public List<MessageCounts> allMessages() {
        return records.values().stream().map(PhaseRecords::messages).toList();
    }

    /** @return requests of some operations that succeeded, in all phases */
    public long succeeded(FrameType... operations) {
        return Arrays.stream(operations).mapToLong(operation -> answered[operation.ordinal()].sum()).sum();
    }

    /** Passes the recordings since the last call to a reader: phase by phase, response times before service times. */
    void takeInterval(IntervalReader reader) {
        records.forEach((phase, record) -> {
            record.response.takeInterval().forEach((operation, times) -> reader.response(phase, operation, times));
            (open ? record.service.takeInterval() : Map.<FrameType, Histogram>of())
                    .forEach((operation, times) -> reader.service(phase, operation, times));
            reader.endToEnd(phase, record.endToEnd.getIntervalHistogram());
            reader.acknowledged(phase, record.acknowledged.getIntervalHistogram());
        });
    }

    /** Takes the histograms of an interval, which belong to the reader. */
    interface IntervalReader {
        void response(Phase phase, FrameType operation, Histogram times);

        void service(Phase phase, FrameType operation, Histogram times);

        void endToEnd(Phase phase, Histogram times);

        void acknowledged(Phase phase, Histogram times);
    }

    private void answered(Request request, Response response, long endNanos) {
        Action action = acknowledgements[request.type().ordinal()];
        endToEnd.acknowledged(ledger.answered(request, response), sendingNanos ->
                message(action, recordsAt(sendingNanos).acknowledged, sendingNanos, endNanos));
    }

    private void received(Request request, long sendingNanos, long endNanos) {
        PhaseRecords phase = recordsAt(sendingNanos);
        if (MessageCounts.isLease(request.type())) {
            phase.leased.increment();
        }
        message(receipts[request.type().ordinal()], phase.endToEnd, sendingNanos, endNanos);
    }

    /** A message belongs to the phase in which it was to be sent, as a request does. */
    private void message(Action action, org.HdrHistogram.Recorder times, long sendingNanos, long endNanos) {
        long nanos = Math.min(MOST_NANOS, Math.max(0, endNanos - sendingNanos));
        times.recordValue(nanos / NANOS_PER_MICRO);
        if (isLogged()) {
            log.record(action, endNanos - nanos, endNanos, clients.getAsInt());
        }
    }

    private void error(String kind, Request request, String text, long intendedNanos, long sentNanos, long endNanos) {
        PhaseRecords phase = recordsAt(intendedNanos);
        phase.counts.fail(kind);
        phase.counts.end();
        underWay.ended(intendedNanos, sentNanos, endNanos);
        overdue.failed(sentNanos, endNanos);
        errors.error(kind, request.type().label() + ": " + text);
        Action action = actions.computeIfAbsent("CSndReq#" + kind + "#" + request.type().label(), Action::named);
        log(action, intendedNanos, sentNanos, endNanos);
    }

    private void log(Action action, long intendedNanos, long sentNanos, long endNanos) {
        if (!isLogged()) {
            return;
        }
        if (open) {
            log.record(action, intendedNanos, endNanos, clients.getAsInt(), Math.max(0, endNanos - sentNanos));
        } else {
            log.record(action, intendedNanos, endNanos, clients.getAsInt());
        }
    }

    private boolean isLogged() {
        return sample == 1 || ThreadLocalRandom.current().nextInt(sample) == 0;
    }

    /** Assigns what the end of the load cuts off to its last phase. */
    private PhaseRecords recordsAt(long nanos) {
        PhaseRecords phase = records.get(phases.apply(nanos));
        return phase == null ? records.get(Phase.COOLDOWN) : phase;
    }
}

package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.statistics.Bootstrap;
import ch.ethz.mlmq.log_analyzer.statistics.CorrelatedMean;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.statistics.Doubt;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Series;
import ch.ethz.mlmq.log_analyzer.statistics.Slices;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The figures of one run over its measurement interval: successful requests and failed ones, all taken together. */
public final class RunFigures {
    private static final int MOST_SLOTS = 1 << 17;
    private static final String OK = "OK";
    private static final String NO_OUTCOME = "-";
    private static final String NEVER_STARTED = "NOT_STARTED";
    private static final String CLIENTS = "C";
    private static final String REQUESTS = "CSndReq#";
    private static final String NEVER_STARTED_LINE = "CSndReq#" + NEVER_STARTED + "#";
    private static final double PER_CENT = 100;
    private static final double DRAWN_PERCENTILE = 99;

    private final String name;
    private final Map<String, String> parameters;
    private final Measurements measured;
    private final List<Breakdown> breakdowns;
    private final SampledFigures sampled;
    private final Series okSeries;
    private final Series allSeries;
    private final Slices slices;
    private final Distribution durations;
    /** Lower bounds of the durations of failed requests. */
    private final Distribution atLeast;
    private final long neverStarted;
    private final int from;
    private final int to;
    /** The times of messages; empty if they are not told. */
    private final Map<Metric.Until, Optional<RunFigures>> messages = new EnumMap<>(Metric.Until.class);
    /** The clocks of senders and receivers. */
    private Clocks clocks = Clocks.ONE;
    private Recovery recovery = Recovery.NONE;

    /** @param neverStarted requests that could not start, or messages never received, which no log contains */
    private RunFigures(String name, Map<String, String> parameters, Measurements measured, long neverStarted,
            Slices slices, List<Breakdown> breakdowns, SampledFigures sampled) {
        this.name = name;
        this.parameters = parameters;
        this.measured = measured;
        this.neverStarted = neverStarted;
        this.slices = slices;
        this.breakdowns = breakdowns;
        this.sampled = sampled;
        Distribution found = Distribution.EMPTY;
        Distribution failed = Distribution.EMPTY;
        Series ok = null;
        Series all = null;
        Optional<Measurements.Group> successful = successful(measured);
        if (successful.isPresent()) {
            found = successful.get().steady();
            ok = successful.get().series();
            all = copyOf(ok);
        }
        for (Measurements.Group group : failed(measured)) {
            failed = failed.plus(group.steady());
            all = all == null ? copyOf(group.series()) : plus(all, group.series());
        }
        this.durations = found.withBeyond(failed.count() + neverStarted);
        this.atLeast = found.plus(failed).withBeyond(neverStarted);
        this.allSeries = all == null ? new Series(1) : all;
        this.okSeries = ok == null ? new Series(allSeries.slotMs()) : copyOf(ok);
        joinSlots(measured.steadyToMs() - measured.steadyFromMs());
        this.from = slot(measured.steadyFromMs());
        this.to = Math.max(from + 1, slot(measured.steadyToMs()));
    }

    /** @param prefixes of the actions that count as requests */
    public static RunFigures read(Run run, TimeSelection cut, List<String> prefixes) throws IOException {
        return of(run, prefixes, PerformanceLogs.of(run.store()).read(cut, OptionalLong.of(Integer.MAX_VALUE),
                byOutcome(prefixes)), new Slices(), List.of());
    }

    /**
     * Reads the figures of a run, with intervals of percentiles.
     *
     * @param drawn true if charts are made of them, which need windows of time and the stages of a request
     */
    public static RunFigures toCompare(Run run, TimeSelection cut, List<String> prefixes, boolean drawn)
            throws IOException {
        PerformanceLogs reading = PerformanceLogs.of(run.store());
        Measurements sliced = reading.readInSlices(cut, byOutcome(prefixes));
        Measurements measured = drawn ? reading.read(cut, OptionalLong.empty(), byOutcome(prefixes), DRAWN_PERCENTILE)
                : sliced;
        Slices slices = successful(sliced).map(Measurements.Group::slices).orElseGet(Slices::new);
        failed(sliced).forEach(group -> slices.addBeyond(group.slices()));
        boolean stages = drawn && successful(measured).isPresent();
        RunFigures figures = of(run, prefixes, measured, slices, stages ? Breakdown.of(run, cut) : List.of());
        return figures.withMessages(run, reading, cut, prefixes, false).withRecovery(run, prefixes);
    }

    /** Reads the figures of a run, also the times of its messages, without intervals of percentiles. */
    public static RunFigures readWithMessages(Run run, TimeSelection cut, List<String> prefixes) throws IOException {
        return read(run, cut, prefixes).withMessages(run, PerformanceLogs.of(run.store()), cut, prefixes, false);
    }

    /**
     * Reads the same of a phase of the load. Messages that never came may be of any phase, so they count in each: times
     * of messages are at most as long as told.
     */
    public static RunFigures ofPhase(Run run, TimeRange phase, List<String> prefixes) throws IOException {
        TimeSelection cut = new TimeSelection(OptionalLong.empty(), 0, TimeSelection.NO_END, 0, 0, Optional.of(phase));
        return read(run, cut, prefixes).withMessages(run, PerformanceLogs.of(run.store()), cut, prefixes, true);
    }

    /** @param lostInAny whether the messages that never came count, though it is not known when they were sent */
    private RunFigures withMessages(Run run, PerformanceLogs reading, TimeSelection cut, List<String> prefixes,
            boolean lostInAny) throws IOException {
        if (prefixes.contains(REQUESTS) && measuredMessages(run)) {
            clocks = Clocks.of(run);
            for (Metric.Until until : Metric.Until.values()) {
                TimedMessages timed = TimedMessages.of(run, until);
                boolean placed = lostInAny || timed.lost() <= 0 || isMeasuringPhase(run);
                if (timed.any()) {
                    messages.put(until, placed ? Optional.ofNullable(timed(run, timed, reading, cut, this))
                            : Optional.empty());
                }
            }
        }
        return this;
    }

    private boolean isMeasuringPhase(Run run) throws IOException {
        return run.measuringPhase().filter(new TimeRange(measured.steadyFromMs(), measured.steadyToMs())::equals)
                .isPresent();
    }

    private static RunFigures timed(Run run, TimedMessages messages, PerformanceLogs reading, TimeSelection cut,
            RunFigures requests) throws IOException {
        if (requests.clocks.doubt() != Doubt.NONE) {
            return null;
        }
        Measurements times;
        try {
            times = reading.readInSlices(cut, byOutcome(List.of(messages.action())));
        } catch (DataException e) {
            if (messages.told() > 0) {
                return null; // no request that was recorded ended one
            }
            times = reading.readInSlices(cut, byOutcome(List.of(REQUESTS))).onlyStartingWith(messages.action());
        }
        Slices slices = successful(times).map(Measurements.Group::slices).orElseGet(Slices::new);
        RunFigures found = new RunFigures(run.name(), run.parameters(), times,
                Math.max(0, Math.round(messages.lost())), slices, List.of(), requests.sampled);
        found.clocks = requests.clocks;
        return found.durations.all() > 0 ? found : null;
    }

    /** How many messages were never received, only all summaries together tell. */
    private static boolean measuredMessages(Run run) throws IOException {
        long clients = run.machinesByJvm().keySet().stream().filter(jvm -> jvm.startsWith("client")).count();
        return run.measuredTogether() && run.summaries().size() == clients && TimedMessages.areMeasured(run);
    }

    private static RunFigures of(Run run, List<String> prefixes, Measurements measured, Slices slices,
            List<Breakdown> breakdowns) throws IOException {
        return new RunFigures(run.name(), run.parameters(), measured,
                neverStarted(run, prefixes, measured), slices, breakdowns,
                SampledFigures.of(run, measured.steadyFromMs(), measured.steadyToMs()));
    }

    /**
     * Counts requests that never started. Waiting requests start in turn, so these were planned behind all that
     * started, up to the end of measuring. If only a part of that time is analysed, its share of them counts.
     */
    private static long neverStarted(Run run, List<String> prefixes, Measurements measured) throws IOException {
        if (prefixes.stream().noneMatch(NEVER_STARTED_LINE::startsWith)) {
            return 0;
        }
        TimeRange wanted = new TimeRange(measured.steadyFromMs(), measured.steadyToMs());
        boolean whole = run.measuredTogether()
                && run.measuringPhase().filter(phase -> !phase.equals(wanted)).isEmpty();
        long lastMs = measured.groups().stream().mapToLong(group -> lastStart(measured, group.series())).max()
                .orElse(Long.MIN_VALUE);
        double sum = 0;
        for (ClientSummary summary : run.summaries()) {
            sum += summary.errors().getOrDefault(NEVER_STARTED, 0.0) * (whole ? 1 : summary.measured()
                    .map(own -> overlap(wanted, Math.min(own.toMs() - 1, Math.max(own.fromMs(), lastMs)), own.toMs()))
                    .orElse(1.0));
        }
        return Math.round(sum);
    }

    private static double overlap(TimeRange wanted, long fromMs, long toMs) {
        return Math.max(0.0, Math.min(wanted.toMs(), toMs) - Math.max(wanted.fromMs(), fromMs)) / (toMs - fromMs);
    }

    /** @return end of the slot in which the last duration began [ms UTC] */
    private static long lastStart(Measurements measured, Series series) {
        int slots = series.slots();
        while (slots > 0 && series.count(slots - 1) == 0) {
            slots--;
        }
        return measured.timeline().originMs() + slots * series.slotMs();
    }

    /** Receipts are no requests, though {@code C} begins both. */
    private static Grouping byOutcome(List<String> prefixes) {
        return new Grouping(prefixes.stream().map(prefix -> prefix.equals(CLIENTS) ? REQUESTS : prefix).toList(),
                List.of(Grouping.Key.STATUS));
    }

    public String name() {
        return name;
    }

    /** @return the parameters of the run */
    public Map<String, String> parameters() {
        return parameters;
    }

    public Measurements measured() {
        return measured;
    }

    /**
     * @return durations of the successful requests of the measurement interval [us]; failed ones count as longer than
     * all others
     */
    public Distribution durations() {
        return durations;
    }

    /** @return windows of the successful requests, with their 99th percentile; only one if no charts are made */
    public List<Measurements.Window> windows() {
        return successful(measured).map(Measurements.Group::windows).orElse(List.of());
    }

    /** @return the breakdown of all requests; empty if it is unknown, or no charts are made */
    public Optional<Breakdown> breakdown() {
        return breakdowns.stream().filter(each -> each.of().equals(Breakdown.ALL)).findFirst();
    }

    /**
     * @return the figure; infinite if a percentile lies among failed requests, whose lower bound is {@link #atLeast};
     * NaN if it is unknown
     */
    public double value(Metric metric) {
        if (metric instanceof Metric.Throughput) {
            return durations.count() * 1000.0 / measured.steadyMs();
        }
        if (metric instanceof Metric.Errors) {
            return durations.all() == 0 ? Double.NaN : (double) durations.beyond() / durations.all() * PER_CENT;
        }
        if (metric instanceof Metric.OfSeconds wanted) {
            return ofSeconds(wanted).value();
        }
        if (metric instanceof Metric.EndToEnd wanted) {
            return new RunGroup(name, List.of(this)).estimate(wanted).value();
        }
        if (metric instanceof Metric.Percentile percentile && durations.all() > 0) {
            int found = durations.percentile(percentile.percent());
            return found == Distribution.BEYOND ? Double.POSITIVE_INFINITY : found;
        }
        return durations.mean();
    }

    private Estimate ofSeconds(Metric.OfSeconds metric) {
        return metric.figure() == Sampled.RECOVERY ? recovery.estimate() : sampled.estimate(metric.figure());
    }

    /** Reads how long the requests of a load with phases took to recover from a disturbance. */
    public RunFigures withRecovery(Run run, List<String> prefixes) throws IOException {
        recovery = Recovery.of(run, prefixes);
        return this;
    }

    /** @return lower bound of an infinite figure [us], from the time for which failed requests or a backlog lasted */
    double atLeast(Metric metric) {
        if (!(metric instanceof Metric.Percentile percentile)) {
            return metric.name().equals(Sampled.RECOVERY.words()) ? recovery.observed() : sampled.drainAtLeast();
        }
        int found = atLeast.all() == 0 ? Distribution.BEYOND : atLeast.percentile(percentile.percent());
        if (found != Distribution.BEYOND) {
            return found;
        }
        return atLeast.count() == 0 ? 0 : atLeast.max();
    }

    /** @return number of subscriptions whose first message was timed */
    long firstMessages() {
        return sampled.firstMessages();
    }

    /** @return the times of messages; empty if clients did not measure them, or by clocks that nobody compared */
    public Optional<RunFigures> messages(Metric.Until until) {
        return messages.getOrDefault(until, Optional.empty());
    }

    /** @return the clocks by which messages were timed */
    Clocks clocks() {
        return clocks;
    }

    /** @return why clocks prevent that such times are told; else {@link Doubt#NONE} */
    Doubt doubtOfClocks(Metric.Until until) {
        return messages.containsKey(until) ? clocks.doubt() : Doubt.NONE;
    }

    /** @return the figure with an error from its changes in time; without one for percentiles */
    public Estimate estimate(Metric metric) {
        return inTime(metric).of(value(metric));
    }

    /** @return the durations with their distribution in time */
    public Bootstrap.Sample sample() {
        return new Bootstrap.Sample(durations, slices, neverStarted == 0);
    }

    /** @return the standard error that the figure has at least, whatever those of repetitions show; 0 if unknown */
    double leastError(Metric metric) {
        if (durations.all() == 0) {
            return 0;
        }
        if (metric instanceof Metric.Percentile percentile) {
            return Bootstrap.errorOf(sample(), percentile.percent());
        }
        double recorded = atLeast.effective();
        return metric instanceof Metric.Errors
                ? Estimate.errorOfRare(durations.beyond() * recorded / durations.all(), recorded) * PER_CENT : 0;
    }

    private Estimate inTime(Metric metric) {
        if (metric instanceof Metric.Throughput) {
            return CorrelatedMean.ofThroughput(okSeries, from, to);
        }
        if (metric instanceof Metric.Mean) {
            return CorrelatedMean.ofDurations(okSeries, from, to);
        }
        if (metric instanceof Metric.Errors && neverStarted > 0) {
            return Estimate.unknown(Double.NaN, Doubt.NOT_LOGGED);
        }
        if (metric instanceof Metric.Errors) {
            double[] ok = CorrelatedMean.counts(okSeries, from, to);
            double[] all = CorrelatedMean.counts(allSeries, from, to);
            double[] failed = new double[all.length];
            Arrays.setAll(failed, i -> (all[i] - ok[i]) * PER_CENT);
            return CorrelatedMean.ofRatio(failed, all).withErrorOfCount(leastError(metric));
        }
        return metric instanceof Metric.OfSeconds wanted ? ofSeconds(wanted)
                : Estimate.unknown(Double.NaN, Doubt.FEW);
    }

    /** @return the successful actions; all actions if these have no outcome */
    private static Optional<Measurements.Group> successful(Measurements measured) {
        return withStatus(measured, OK).or(() -> withStatus(measured, NO_OUTCOME));
    }

    /** @return all other actions, and damaged lines, which have no outcome where others have one */
    private static List<Measurements.Group> failed(Measurements measured) {
        Optional<Measurements.Group> successful = successful(measured);
        return measured.groups().stream().filter(group -> !group.labels().get(0).endsWith(":service"))
                .filter(group -> successful.isEmpty() || group != successful.get()).toList();
    }

    private static Optional<Measurements.Group> withStatus(Measurements measured, String status) {
        return measured.groups().stream().filter(group -> group.labels().get(0).equals(status)).findFirst();
    }

    /** A plan may be much longer than the logs, which decide how long a slot is. */
    private void joinSlots(long steadyMs) {
        while (steadyMs / allSeries.slotMs() > MOST_SLOTS) {
            allSeries.joinPairs();
            okSeries.joinPairs();
        }
    }

    private int slot(long ms) {
        return measured.timeline().slot(ms, allSeries.slotMs());
    }

    private static Series copyOf(Series series) {
        return plus(new Series(series.slotMs()), series);
    }

    private static Series plus(Series sum, Series series) {
        sum.add(series);
        return sum;
    }
}

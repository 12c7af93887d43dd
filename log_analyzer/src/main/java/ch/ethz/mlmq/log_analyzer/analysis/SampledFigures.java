package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.run.Backlog;
import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.run.JvmSeries;
import ch.ethz.mlmq.log_analyzer.run.LoadPhase;
import ch.ethz.mlmq.log_analyzer.run.MessageFlow;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.RunStep;
import ch.ethz.mlmq.log_analyzer.run.Samples;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.statistics.CorrelatedMean;
import ch.ethz.mlmq.log_analyzer.statistics.Doubt;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Figures of a run that machines and JVMs sampled once a second in the measurement interval. */
final class SampledFigures {
    private static final long SECOND = 1_000; // ms
    private static final double PER_CENT = 100;
    private static final String SENT = "sent";
    private static final String RECEIVED = "received";
    private static final String TAKES = "takes";
    private static final String EMPTY_TAKES = "empty_takes";

    private static final double US_PER_MS = 1_000;

    private final Map<Sampled, Estimate> estimates;
    /** How long a backlog was observed that did not drain [us]. */
    private final double observed;
    private final long firstMessages;

    private SampledFigures(Map<Sampled, Estimate> estimates, double observed, long firstMessages) {
        this.estimates = estimates;
        this.observed = observed;
        this.firstMessages = firstMessages;
    }

    /**
     * @param fromMs begin of the measurement interval [ms since 1970]
     * @param toMs   its end
     */
    static SampledFigures of(Run run, long fromMs, long toMs) throws IOException {
        Steady steady = new Steady(fromMs, (int) Math.max(1, (toMs - fromMs) / SECOND));
        Map<Sampled, Estimate> found = new EnumMap<>(Sampled.class);
        List<Samples> machines = run.machines();
        Map<String, Set<String>> roles = run.rolesByMachine();
        List<String> known = machines.stream().map(machine -> machine.place().machine()).toList();
        boolean all = run.machinesByJvm().values().stream()
                .allMatch(theirs -> theirs.stream().anyMatch(known::contains));
        for (Sampled figure : Sampled.PROCESSORS) {
            List<Samples> theirs = machines.stream().filter(machine -> figure.isOf(
                    roles.getOrDefault(machine.place().machine(), Set.of()))).toList();
            found.put(figure, estimate(steady.meanOfAll(theirs, machine -> shares(machine, "cpu"))));
        }
        found.put(Sampled.FIXED_WORK, estimate(steady.meanOfAll(machines, machine -> values(machine, "fixed_work"))));
        found.put(Sampled.DISK_WRITTEN, estimate(steady.sum(all ? machines : List.of(),
                machine -> flow(machine, "disk_written"))));
        found.put(Sampled.MEMORY, estimate(steady.highestOfAll(machines, SampledFigures::memory)));
        found.put(Sampled.NETWORK, estimate(network(run.testedNetworks(), machines, steady)));
        List<JvmSeries> pauses = JvmSeries.gauges(run, "gc_ms"::equals);
        for (Sampled figure : Sampled.PAUSES) {
            List<JvmSeries> theirs = pauses.stream().filter(jvm -> figure.isOf(Set.of(jvm.place().role()))
                    && !jvm.points().isEmpty()).toList();
            found.put(figure, estimate(steady.mean(theirs, steady::growth)));
        }
        messages(run, steady, found);
        found.put(Sampled.LATE, late(run.clientsWithoutSummary().isEmpty() ? run.summaries() : List.of()));
        found.put(Sampled.UNDER_WAY, Estimate.unknown(isMeasuringPhase(run, steady) ? underWay(run.summaries())
                : Double.NaN, Doubt.FEW));
        MessageFlow flow = MessageFlow.of(run);
        boolean counted = flow.complete() && !Double.isNaN(found.get(Sampled.SENT).value())
                && !Double.isNaN(found.get(Sampled.RECEIVED).value());
        Optional<Backlog> phases = counted && RunStep.hasPhases(run) && run.measuredTogether()
                ? flow.backlog(RunStep.phases(run), fromMs) : Optional.empty();
        OptionalDouble highest = counted ? highestBacklog(run, flow, fromMs, toMs) : OptionalDouble.empty();
        found.put(Sampled.BACKLOG, Estimate.unknown(highest.orElse(Double.NaN), Doubt.FEW));
        double drainMs = phases.map(Backlog::drainMs).orElse(Double.NaN);
        found.put(Sampled.DRAIN, Estimate.unknown(drainMs * US_PER_MS, doubtOfDrain(run, counted, drainMs)));
        TopicFigures topics = TopicFigures.of(isMeasuringPhase(run, steady) ? run.summaries() : List.of());
        topics.put(found);
        return new SampledFigures(found, phases.map(Backlog::observedMs).orElse(Double.NaN) * US_PER_MS,
                topics.firstMessages());
    }

    /** A phase ends between two seconds, often with the highest backlog. */
    private static OptionalDouble highestBacklog(Run run, MessageFlow flow, long fromMs, long toMs)
            throws IOException {
        DoubleStream left = LoadPhase.of(run).stream().map(LoadPhase::time)
                .filter(phase -> phase.fromMs() >= fromMs && phase.toMs() <= toMs)
                .map(flow::left).filter(OptionalDouble::isPresent).mapToDouble(OptionalDouble::getAsDouble);
        return DoubleStream.concat(flow.highestBacklog(fromMs, toMs).stream(), left).max();
    }

    private static Doubt doubtOfDrain(Run run, boolean counted, double drainMs) throws IOException {
        if (Double.isInfinite(drainMs)) {
            return Doubt.NOT_DRAINED;
        }
        if (!Double.isNaN(drainMs) || !RunStep.hasPhases(run)) {
            return Doubt.FEW;
        }
        if (!counted) {
            return Doubt.NOT_COUNTED;
        }
        return run.measuredTogether() ? Doubt.NOT_FOLLOWED : Doubt.NOT_TOGETHER;
    }

    /** @return lower bound of the time to drain, if the load ended before [us] */
    double drainAtLeast() {
        return observed;
    }

    /** @return number of subscriptions whose first message was timed */
    long firstMessages() {
        return firstMessages;
    }

    /** @return NaN if it was not measured */
    Estimate estimate(Sampled figure) {
        return estimates.get(figure);
    }

    private static void messages(Run run, Steady steady, Map<Sampled, Estimate> found) throws IOException {
        Map<String, double[]> counts = new HashMap<>();
        List<ClientSummary> summaries = run.summaries();
        for (String name : List.of(SENT, RECEIVED, TAKES, EMPTY_TAKES)) {
            List<JvmSeries> counters = JvmSeries.gauges(run, name::equals);
            boolean complete = summaries.stream().allMatch(summary -> steady.isCounted(summary, counters));
            counts.put(name, complete ? steady.growthOfAll(counters) : new double[0]);
        }
        double[] empty = Arrays.stream(counts.get(EMPTY_TAKES)).map(count -> count * PER_CENT).toArray();
        found.put(Sampled.SENT, CorrelatedMean.of(counts.get(SENT)));
        found.put(Sampled.RECEIVED, CorrelatedMean.of(counts.get(RECEIVED)));
        found.put(Sampled.EMPTY_TAKES, CorrelatedMean.ofRatio(empty, counts.get(TAKES)));
        if (isMeasuringPhase(run, steady)) {
            exactly(summaries, found);
        }
    }

    /** @return true if the summaries, which count by intended starts, are about these seconds and all clients */
    private static boolean isMeasuringPhase(Run run, Steady steady) throws IOException {
        return run.clientsWithoutSummary().isEmpty() && run.measuredTogether() && run.measuringPhase().filter(phase ->
                phase.fromMs() == steady.fromMs && (phase.toMs() - phase.fromMs()) / SECOND == steady.seconds)
                .isPresent();
    }

    /** Replaces means of seconds, which end beside the measuring phase, by the counts of that phase. */
    private static void exactly(List<ClientSummary> summaries, Map<Sampled, Estimate> found) {
        double takes = sum(summaries, TAKES);
        found.computeIfPresent(Sampled.SENT, (figure, mean) -> exactly(sum(summaries, "sent_rate"), mean));
        found.computeIfPresent(Sampled.RECEIVED, (figure, mean) -> exactly(sum(summaries, "received_rate"), mean));
        found.computeIfPresent(Sampled.EMPTY_TAKES, (figure, mean) ->
                takes > 0 ? exactly(sum(summaries, EMPTY_TAKES) / takes * PER_CENT, mean) : mean);
    }

    private static double sum(List<ClientSummary> summaries, String count) {
        return summaries.stream().mapToDouble(summary -> summary.json().at("messages").at(count)
                .numberOr(Double.NaN)).sum();
    }

    private static Estimate exactly(double value, Estimate mean) {
        return Double.isNaN(value) ? mean : mean.of(value);
    }

    private static double underWay(List<ClientSummary> summaries) {
        return summaries.stream().mapToDouble(summary -> summary.json().at("under_way").numberOr(Double.NaN)).sum();
    }

    /** Computes the error between client JVMs, because each is late for reasons of its own. */
    private static Estimate late(List<ClientSummary> summaries) {
        double[] late = summaries.stream().mapToDouble(each -> each.late() * PER_CENT).toArray();
        double[] all = summaries.stream().mapToDouble(each -> each.ok()
                + each.errors().values().stream().mapToDouble(Double::doubleValue).sum()).toArray();
        return Estimate.ofRatio(late, all);
    }

    private static Estimate estimate(double[] seconds) {
        double[] known = Arrays.stream(seconds).filter(value -> !Double.isNaN(value)).toArray();
        return CorrelatedMean.of(known);
    }

    /** @return times [ms since 1970], shares [%] since the line before, and the times of the lines before */
    private static List<double[]> shares(Samples machine, String name) {
        int column = machine.column(name);
        List<double[]> rows = machine.rows();
        return column < 0 ? List.of() : IntStream.range(0, rows.size()).mapToObj(i -> new double[] {rows.get(i)[0],
            rows.get(i)[column] * PER_CENT, rows.get(Math.max(0, i - 1))[0]}).toList();
    }

    /** @return times [ms since 1970] and shares [%] of its memory in use */
    private static List<double[]> memory(Samples machine) {
        int used = machine.column("memory_used");
        int total = machine.column("memory_total");
        return used < 0 || total < 0 ? List.of() : machine.rows().stream().filter(row -> row[total] > 0)
                .map(row -> new double[] {row[0], row[used] / row[total] * PER_CENT}).toList();
    }

    /** @return for each second the share [%] of the machine that used most of its tested network */
    private static double[] network(Map<String, Double> tested, List<Samples> machines, Steady steady) {
        List<Samples> theirs = machines.stream().filter(machine -> tested.containsKey(machine.place().machine()))
                .toList();
        return steady.highestOfAll(theirs, machine -> network(machine, tested.get(machine.place().machine())));
    }

    /**
     * @param  tested bytes/s
     * @return        times [ms since 1970], shares [%] of what it sent or received, whichever is more, and the times of
     *                the lines before
     */
    private static List<double[]> network(Samples machine, double tested) {
        List<double[]> received = flow(machine, "net_rx");
        List<double[]> sent = flow(machine, "net_tx");
        return IntStream.range(0, Math.min(received.size(), sent.size())).mapToObj(i -> new double[] {
            received.get(i)[0], Math.max(received.get(i)[1], sent.get(i)[1]) / tested * PER_CENT,
            received.get(i)[2]}).toList();
    }

    /** @return times [ms since 1970] and measured values */
    private static List<double[]> values(Samples machine, String name) {
        int column = machine.column(name);
        return column < 0 ? List.of()
                : machine.rows().stream().map(row -> new double[] {row[0], row[column]}).toList();
    }

    /** @return times [ms since 1970], rates since the line before [1/s], and the times of the lines before */
    private static List<double[]> flow(Samples machine, String name) {
        int column = machine.column(name);
        List<double[]> rows = machine.rows();
        return column < 0 ? List.of() : IntStream.range(1, rows.size())
                .filter(i -> rows.get(i)[0] > rows.get(i - 1)[0]).mapToObj(i -> new double[] {rows.get(i)[0],
                    rows.get(i)[column] / (rows.get(i)[0] - rows.get(i - 1)[0]) * SECOND,
                    rows.get(i - 1)[0]}).toList();
    }

    /** The seconds of the measurement interval. */
    private record Steady(long fromMs, int seconds) {

        /**
         * @param  points times [ms since 1970] and values; the third number of one that is a mean since an earlier time
         *                tells that time, and it counts in all seconds that it covers
         * @return        for each second the mean over the sources that measured it, NaN if none did
         */
        <T> double[] mean(List<T> sources, Function<T, List<double[]>> points) {
            double[] sums = new double[seconds];
            int[] counts = new int[seconds];
            sources.forEach(source -> points.apply(source).forEach(point -> {
                long last = second(point[0]);
                long first = point.length > 2 ? Math.min(second(point[2]) + 1, last) : last;
                for (long i = Math.max(0, first); i <= Math.min(last, seconds - 1); i++) {
                    sums[(int) i] += point[1];
                    counts[(int) i]++;
                }
            }));
            for (int i = 0; i < seconds; i++) {
                sums[i] = counts[i] == 0 ? Double.NaN : sums[i] / counts[i];
            }
            return sums;
        }

        private long second(double ms) {
            return Math.floorDiv((long) ms - fromMs, SECOND);
        }

        /** @return for each second the mean over all sources, NaN if one did not measure it */
        <T> double[] meanOfAll(List<T> sources, Function<T, List<double[]>> points) {
            return Arrays.stream(sum(sources, points)).map(sum -> sum / sources.size()).toArray();
        }

        /** @return for each second the highest of all sources, NaN if one did not measure it */
        <T> double[] highestOfAll(List<T> sources, Function<T, List<double[]>> points) {
            double[] highest = new double[seconds];
            Arrays.fill(highest, sources.isEmpty() ? Double.NaN : 0);
            for (T source : sources) {
                double[] theirs = mean(List.of(source), points);
                Arrays.setAll(highest, i -> Math.max(highest[i], theirs[i]));
            }
            return highest;
        }

        /** @return for each second the sum over all sources, NaN if one did not measure it */
        <T> double[] sum(List<T> sources, Function<T, List<double[]>> points) {
            double[] sums = new double[seconds];
            Arrays.fill(sums, sources.isEmpty() ? Double.NaN : 0);
            for (T source : sources) {
                double[] theirs = mean(List.of(source), points);
                Arrays.setAll(sums, i -> sums[i] + theirs[i]);
            }
            return sums;
        }

        /** @return false if a JVM that lived to its summary lacks lines, or its counter falls: a sum is too small */
        boolean isCounted(ClientSummary summary, List<JvmSeries> counters) {
            double end = Math.min(fromMs + seconds * (double) SECOND,
                    summary.measured().map(TimeRange::toMs).orElse(Long.MAX_VALUE));
            return counters.stream().anyMatch(counter -> counter.place().jvm().equals(summary.place().jvm())
                    && !counter.points().isEmpty() && counter.lastMs() >= end - 2 * SECOND && counter.isRising());
        }

        /**
         * @return growth of a counter of several JVMs together, in each second in which all were counted, to the last
         * line of any: one that begins with 0 has counted nothing before, and one that died counts nothing more
         */
        double[] growthOfAll(List<JvmSeries> counters) {
            List<JvmSeries> known = counters.stream().filter(counter -> !counter.points().isEmpty()).toList();
            double first = known.stream().map(counter -> counter.points().get(0)).filter(point -> point[1] > 0)
                    .mapToDouble(point -> point[0]).max().orElse(0);
            double last = known.stream().mapToDouble(JvmSeries::lastMs).max().orElse(0);
            return IntStream.range(0, seconds).mapToDouble(i -> fromMs + i * (double) SECOND)
                    .filter(ms -> ms >= first && ms + SECOND <= last)
                    .map(ms -> known.stream().mapToDouble(each -> each.at(ms + SECOND) - each.at(ms)).sum()).toArray();
        }

        /** @return growth of a counter of ms in each second in which its JVM lived [%] */
        List<double[]> growth(JvmSeries counter) {
            double first = counter.points().get(0)[0];
            double last = counter.lastMs();
            return IntStream.range(0, seconds).mapToDouble(i -> fromMs + i * (double) SECOND)
                    .filter(ms -> ms >= first && ms + SECOND <= last).mapToObj(ms -> new double[] {ms,
                        (counter.at(ms + SECOND) - counter.at(ms)) / SECOND * PER_CENT}).toList();
        }
    }
}

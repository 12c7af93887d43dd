package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.run.Backlog;
import ch.ethz.mlmq.log_analyzer.run.MessageFlow;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.RunStep;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.statistics.Doubt;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How long the p99 of the response times stayed high behind the phase that disturbed a load: until it is, for three
 * seconds, at most the highest of a second of the first phase. The disturbance is the phase that left most messages
 * behind, else the one with the highest p99.
 *
 * @param sinceMs  end of the disturbance [ms since 1970]; -1 if there is none
 * @param us       from the end of the disturbance [us]; infinite if the load ended before, NaN if unknown
 * @param observed how long it was observed [us]
 */
public record Recovery(long sinceMs, double us, double observed, Doubt doubt) {
    static final Recovery NONE = unknown(Doubt.FEW);
    private static final long SECOND = 1_000; // ms
    private static final int IN_A_ROW = 3;
    private static final double US_PER_MS = 1_000;
    private static final double P99 = 99;

    /** @param types prefixes of the actions that count */
    public static Recovery of(Run run, List<String> types) throws IOException {
        if (!RunStep.hasPhases(run)) {
            return NONE;
        }
        if (!run.measuredTogether()) {
            return unknown(Doubt.NOT_TOGETHER);
        }
        List<TimeRange> phases = RunStep.phases(run).stream().map(RunStep::phase).toList();
        if (phases.size() < 3) {
            return unknown(Doubt.NOTHING_BEHIND);
        }
        long start = run.measuringPhase().map(TimeRange::fromMs).orElse(0L);
        return new Seconds(Windows.read(PerformanceLogs.of(run.store()), new TimeSelection(
                OptionalLong.of(phases.get(0).fromMs()), 0, TimeSelection.NO_END, 0, 0, Optional.empty()), SECOND,
                types, P99)).recovery(phases, start, MessageFlow.of(run).backlog(RunStep.phases(run), start));
    }

    private static Recovery unknown(Doubt why) {
        return new Recovery(-1, Double.NaN, Double.NaN, why);
    }

    Estimate estimate() {
        return Estimate.unknown(us, doubt);
    }

    /** The p99 of each second. */
    private record Seconds(Windows windows) {
        Recovery recovery(List<TimeRange> phases, long measuringMs, Optional<Backlog> backlog) {
            TimeRange first = phases.get(0);
            double usual = highest(Math.min(Math.max(first.fromMs(), measuringMs), first.toMs()), first.toMs());
            long since = backlog.filter(Backlog::isBuiltUp).map(Backlog::sinceMs).orElseGet(() ->
                    phases.subList(1, phases.size() - 1).stream().max(Comparator.comparingDouble(phase ->
                            highest(phase.fromMs(), phase.toMs()))).orElseThrow().toMs());
            long end = phases.get(phases.size() - 1).toMs();
            boolean sparse = hasSilence(first);
            int low = 0;
            long begin = since;
            boolean heard = false;
            for (long ms = since; ms + SECOND <= end; ms += SECOND) {
                boolean silent = Double.isNaN(p99(ms));
                heard |= !silent;
                // Where every second had responses before, one without any is worse than all of these.
                if (silent ? !sparse : p99(ms) > usual) {
                    low = 0;
                } else if (!silent) {
                    begin = low == 0 ? ms : begin;
                    low++;
                }
                if (low == IN_A_ROW) {
                    return new Recovery(since, (begin - since) * US_PER_MS, (end - since) * US_PER_MS, Doubt.FEW);
                }
            }
            return heard ? new Recovery(since, Double.POSITIVE_INFINITY, (end - since) * US_PER_MS,
                    Doubt.NOT_RECOVERED) : NONE;
        }

        /** @return whether a second of the phase had no response */
        private boolean hasSilence(TimeRange phase) {
            for (long ms = phase.fromMs(); ms + SECOND <= phase.toMs(); ms += SECOND) {
                if (Double.isNaN(p99(ms))) {
                    return true;
                }
            }
            return false;
        }

        private double highest(long fromMs, long toMs) {
            // A time that is shorter than a second has that of the second in which it lies.
            double highest = p99(fromMs) > 0 ? p99(fromMs) : 0;
            for (long ms = fromMs; ms + SECOND <= toMs; ms += SECOND) {
                highest = p99(ms) > highest ? p99(ms) : highest;
            }
            return highest;
        }

        /** @return p99 of the second that begins nearest */
        private double p99(long ms) {
            return windows.percentile(Math.round((ms - windows.measured().timeline().originMs()) / (double) SECOND), 0);
        }
    }
}

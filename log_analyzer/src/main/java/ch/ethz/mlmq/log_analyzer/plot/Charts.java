package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.run.IntervalHistograms;
import ch.ethz.mlmq.log_analyzer.run.Phase;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Cut;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Draws one run.
 *
 * @param run       for what lies beside its performance logs
 * @param cut       which part of its time is wanted
 * @param measured  what they say, grouped as it is to be drawn
 * @param wanted    of an action, whether it was asked for
 * @param byOutcome whether throughput is drawn by outcome, because no other grouping was asked for
 * @param percents  percentiles of the windows, ascending; a band reaches from the first to the last
 */
public record Charts(Run run, Cut cut, Measurements measured, List<String> wanted, boolean byOutcome,
        double[] percents) {
    private static final String CLIENT = "CSndReq#";
    private static final String CLIENT_OK = "CSndReq#OK#";

    /** @return the picture, or empty where the run has no data for it */
    public Optional<Chart> draw(ChartKind kind) throws IOException {
        String title = run.name();
        long originMs = measured.timeline().originMs();
        Phase whole = new Phase(measured.fromMs(), measured.untilMs());
        Marks marks = Marks.of(run.events(), whole, originMs);
        SampleCharts samples = new SampleCharts(run, whole, originMs, marks, title);
        return switch (kind) {
            case RESPONSE_TIME -> Optional.of(TimeCharts.responseTime(shown(CLIENT_OK), percents, marks, title));
            case THROUGHPUT -> Optional.of(TimeCharts.throughput(shown(CLIENT), byOutcome, marks, title));
            case BREAKDOWN -> breakdown(title);
            case HISTOGRAM -> steady(shown(CLIENT_OK)).map(groups -> DistributionCharts.histogram(groups, title));
            case CDF -> steady(shown(CLIENT_OK)).map(groups -> DistributionCharts.cdf(groups, title));
            case SPECTRUM -> steady(shown(CLIENT_OK)).isEmpty() ? Optional.empty()
                    : Optional.of(spectrum(title));
            case BOX -> steady(shown(CLIENT_OK)).map(groups -> DistributionCharts.box(groups, percents, title));
            case QUEUES -> samples.queues();
            case MESSAGES -> samples.messages();
            case RATES -> samples.rates();
        };
    }

    /** What was asked for; where nothing was, what the clients saw, if there are clients. */
    private Measurements shown(String otherwise) {
        Measurements clients = measured.onlyStartingWith(otherwise);
        return wanted.isEmpty() && byOutcome && !clients.groups().isEmpty() ? clients : measured;
    }

    private static Optional<Measurements> steady(Measurements shown) {
        return shown.groups().stream().anyMatch(group -> group.steady().count() > 0) ? Optional.of(shown)
                : Optional.empty();
    }

    private Optional<Chart> breakdown(String title) throws IOException {
        boolean isAllThere = wanted.isEmpty() && byOutcome;
        List<Breakdown> breakdowns = isAllThere ? Breakdown.of(measured) : Breakdown.of(run, cut);
        return breakdowns.isEmpty() ? Optional.empty() : Optional.of(BreakdownChart.of(asked(breakdowns), title));
    }

    /** All requests, and those operations that were asked for; where none was, each of them. */
    private List<Breakdown> asked(List<Breakdown> breakdowns) {
        Predicate<Breakdown> isAll = each -> each.of().equals(Breakdown.ALL);
        Predicate<Breakdown> isAsked = each -> wanted.stream().anyMatch((CLIENT_OK + each.of())::startsWith);
        return breakdowns.stream().noneMatch(isAsked) ? breakdowns
                : breakdowns.stream().filter(isAll.or(isAsked)).toList();
    }

    /** The clients' interval histograms, which know every request; without them the performance logs. */
    private Chart spectrum(String title) throws IOException {
        Map<String, Distribution> spectrum = distributions();
        return DistributionCharts.spectrum(spectrum, Pen.of(List.copyOf(spectrum.keySet())), title);
    }

    private Map<String, Distribution> distributions() throws IOException {
        Map<String, Distribution> spectrum = new LinkedHashMap<>();
        Phase phase = new Phase(measured.steadyFromMs(), measured.steadyToMs());
        if (byOutcome) {
            IntervalHistograms.of(run, Optional.of(phase), wanted).byTag().forEach((tag, histogram) ->
                    spectrum.put(tag, IntervalHistograms.distribution(histogram)));
        }
        if (spectrum.isEmpty()) {
            Shown shown = Shown.steady(shown(CLIENT_OK));
            for (int i = 0; i < shown.groups().size(); i++) {
                spectrum.put(shown.names().get(i), shown.groups().get(i).steady());
            }
        }
        return spectrum;
    }
}

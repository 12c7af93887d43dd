package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.BusiestGroups;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.Pen;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.plot.SpectrumChart;
import ch.ethz.mlmq.log_analyzer.run.IntervalHistograms;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Percentiles of the measurement interval, on a scale that spreads the highest ones. */
final class SpectrumPlot implements Plot {
    @Override
    public String name() {
        return "spectrum";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ACTIONS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        if (run.answeredInSteadyPart().isEmpty()) {
            return Optional.empty();
        }
        Map<String, Distribution> spectrum = distributions(run);
        return Optional.of(SpectrumChart.of(spectrum, Pen.of(List.copyOf(spectrum.keySet())), run.title()));
    }

    /** Reads the clients' interval histograms, which contain every request, or else the performance logs. */
    private static Map<String, Distribution> distributions(PlottedRun run) throws IOException {
        Map<String, Distribution> spectrum = new LinkedHashMap<>();
        if (run.byOutcome()) {
            TimeRange steady = new TimeRange(run.measured().steadyFromMs(), run.measured().steadyToMs());
            IntervalHistograms.of(run.run(), Optional.of(steady), run.wanted()).byTag().forEach((tag, histogram) ->
                    spectrum.put(tag, IntervalHistograms.distribution(histogram)));
        }
        if (spectrum.isEmpty()) {
            BusiestGroups shown = BusiestGroups.steady(run.answered());
            for (int i = 0; i < shown.groups().size(); i++) {
                spectrum.put(shown.names().get(i), shown.groups().get(i).steady());
            }
        }
        return spectrum;
    }
}

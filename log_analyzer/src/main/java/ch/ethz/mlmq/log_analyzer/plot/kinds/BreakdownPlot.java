package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.plot.BreakdownChart;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Draws the breakdown of a request's time. */
final class BreakdownPlot implements Plot {
    @Override
    public String name() {
        return "breakdown";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ACTIONS, Need.BROKER_LOGS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        List<Breakdown> breakdowns = run.isWhole() ? Breakdown.of(run.measured()) : Breakdown.of(run.run(), run.cut());
        return breakdowns.isEmpty() ? Optional.empty()
                : Optional.of(BreakdownChart.of(asked(breakdowns, run), run.title()));
    }

    /** @return all requests, and the requested operations; by default each of them */
    private static List<Breakdown> asked(List<Breakdown> breakdowns, PlottedRun run) {
        Predicate<Breakdown> isAll = each -> each.of().equals(Breakdown.ALL);
        Predicate<Breakdown> isAsked = each -> run.isWanted(each.of());
        return breakdowns.stream().noneMatch(isAsked) ? breakdowns
                : breakdowns.stream().filter(isAll.or(isAsked)).toList();
    }
}

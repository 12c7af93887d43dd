package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.experiment.Experiment;
import ch.ethz.mlmq.log_analyzer.experiment.RunSteps;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.ExperimentCharts;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Throughput over the steps of the load: the first picture of {@code experiment -steps}, which has tables besides. */
final class StepsPlot implements Plot {
    private static final List<String> REQUESTS = List.of("CSndReq#");
    private static final double CONFIDENCE = 0.95;

    @Override
    public String name() {
        return "steps";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.STEPS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        List<String> types = run.wanted().isEmpty() ? REQUESTS : run.wanted();
        Experiment steps = Experiment.of(RunSteps.of(run.run(), types), null, Set.of(), CONFIDENCE);
        return new ExperimentCharts(steps).draw().stream().findFirst().map(chart -> chart.named(name()));
    }
}

package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.Gnuplot;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.run.JvmSeries;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Draws requests that wait in the brokers or, if no broker has gauges of queues, in other JVMs. */
final class QueuesPlot implements Plot {
    /** The gauges that count waiting requests. */
    private static final Pattern QUEUE = Pattern.compile("queue|waiting|^responses$");

    @Override
    public String name() {
        return "queues";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.BROKER_STATISTICS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        List<JvmSeries> waiting = JvmSeries.gauges(run.run(), name -> QUEUE.matcher(name).find());
        List<JvmSeries> brokers = waiting.stream().filter(series -> series.place().role().equals("broker")).toList();
        SampleChart chart = new SampleChart(name(), "Queues · ", "waiting requests", run);
        Map<String, Map<Long, Double>> lines = new LinkedHashMap<>();
        for (JvmSeries series : brokers.isEmpty() ? waiting : brokers) {
            lines.put(series.place().jvm() + " " + series.name(), chart.inside(series.points()));
        }
        return chart.draw(SampledLines.longest(lines, Gnuplot.COLOURS.size()));
    }
}

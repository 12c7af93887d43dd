package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.Gnuplot;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.run.QueueSeries;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Draws the messages in each queue, and in all of them together. */
final class MessagesPlot implements Plot {
    @Override
    public String name() {
        return "messages";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.BROKER_STATISTICS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        SampleChart chart = new SampleChart(name(), "Messages in queues · ", "messages", run);
        Map<String, Map<Long, Double>> lines = new LinkedHashMap<>();
        Map<Long, Double> all = new TreeMap<>();
        for (QueueSeries series : run.run().queueLengths()) {
            Map<Long, Double> line = chart.withNeighbours(series.points());
            line.forEach((second, messages) -> all.merge(second, messages, Double::sum));
            lines.put(series.name(), line);
        }
        SampledLines longest = SampledLines.longest(lines, Gnuplot.COLOURS.size() - 1);
        return chart.draw(lines.size() > 1 ? longest.with(SampleChart.ALL_QUEUES, all) : longest);
    }
}

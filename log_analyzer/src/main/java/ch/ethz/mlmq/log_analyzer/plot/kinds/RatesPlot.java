package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.run.JvmSeries;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Rates that brokers counted, all of them together; where no broker counted, those of all clients. */
final class RatesPlot implements Plot {
    private static final List<String> COUNTERS = List.of("requests", "sends", "dequeues_and_peeks");
    private static final int MS_PER_SECOND = 1000;

    @Override
    public String name() {
        return "rates";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.BROKER_STATISTICS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        for (String role : List.of("broker", "client")) {
            Map<String, Map<Long, Double>> lines = rates(run, role);
            if (lines.values().stream().anyMatch(line -> line.values().stream().anyMatch(rate -> rate > 0))) {
                return new SampleChart(name(), "Rates · ", "rate of all " + role + "s [1/s]", run)
                        .draw(new SampledLines(lines, ""));
            }
        }
        return Optional.empty();
    }

    private static Map<String, Map<Long, Double>> rates(PlottedRun run, String role) throws IOException {
        long originMs = run.originMs();
        long first = Math.floorDiv(run.covered().fromMs() - originMs, MS_PER_SECOND);
        long seconds = (run.covered().toMs() - run.covered().fromMs()) / MS_PER_SECOND;
        Map<String, Map<Long, Double>> lines = new LinkedHashMap<>();
        for (JvmSeries counter : JvmSeries.counters(run.run(), role, COUNTERS)) {
            Map<Long, Double> sum = lines.computeIfAbsent(counter.name().replace('_', ' '), unseen -> new TreeMap<>());
            for (long second = first; second < first + seconds; second++) {
                double ms = originMs + second * (double) MS_PER_SECOND;
                sum.merge(second, counter.at(ms + MS_PER_SECOND) - counter.at(ms), Double::sum);
            }
        }
        return lines;
    }
}

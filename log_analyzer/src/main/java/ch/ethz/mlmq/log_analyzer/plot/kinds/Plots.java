package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.table.JsonText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All plots of a run, in the order in which they are drawn. */
public final class Plots {
    private static final List<Plot> ALL = List.of(
            new ResponseTimePlot(),
            new ThroughputPlot(),
            new BreakdownPlot(),
            new HistogramPlot(),
            new CdfPlot(),
            new SpectrumPlot(),
            new BoxPlot(),
            new QueuesPlot(),
            new MessagesPlot(),
            new RatesPlot(),
            new StepsPlot());

    private Plots() {
    }

    public static List<Plot> all() {
        return ALL;
    }

    /** @return the default plots: all except those of a load with steps, which few runs have */
    public static List<Plot> ofEveryRun() {
        return ALL.stream().filter(plot -> !plot.needs().contains(Plot.Need.STEPS)).toList();
    }

    public static Optional<Plot> named(String name) {
        return ALL.stream().filter(plot -> plot.name().equals(name)).findFirst();
    }

    /** @return all names, separated by commas */
    public static String names() {
        return ALL.stream().map(Plot::name).collect(Collectors.joining(", "));
    }

    /** @return the needs of each plot, as JSON for others: {@code config/log_analyzer/plots.json} of a checkout */
    public static String describe() throws IOException {
        Map<String, Map<String, List<String>>> plots = new LinkedHashMap<>();
        ALL.forEach(plot -> plots.put(plot.name(),
                Map.of("needs", plot.needs().stream().sorted().map(Plot.Need::word).toList())));
        return JsonText.of(Map.of("plots", plots));
    }
}

package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Draws percentiles on a scale that spreads the highest ones; a line ends where the failed requests begin. */
public final class SpectrumChart {
    private static final int POINTS_A_DECADE = 20;

    private SpectrumChart() {
    }

    /** @param distributions of durations [us], by the name of their line @param pens one for each */
    public static Chart of(Map<String, Distribution> distributions, List<Pen> pens, String title) {
        long most = distributions.values().stream().mapToLong(Distribution::recorded).max().orElse(1);
        int points = (int) Math.ceil(Math.log10(most) * POINTS_A_DECADE);
        double[] percents = IntStream.rangeClosed(0, points)
                .mapToDouble(i -> 100 * (1 - Math.pow(10, -(double) i / POINTS_A_DECADE))).toArray();
        DurationUnit unit = DurationUnit.fitting(distributions.values().stream()
                .mapToInt(each -> Math.min(each.max(), each.percentile(99))).max().orElse(1));
        List<String> names = List.copyOf(distributions.keySet());
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            pieces.add(pens.get(i).line("2", unit.of(i + 3), percents.length, names.get(i)));
        }
        return new Chart("spectrum", data(distributions, percents), Gnuplot.labels("Percentile spectrum · " + title,
                "percentile [%]", "duration [" + unit.name() + "]")
                + Gnuplot.logarithmic("y", distributions.values().stream().anyMatch(each -> each.max() > 0)) + """
                set logscale x
                set xtics ('0' 1, '50' 2, '90' 10, '99' 100, '99.9' 1e3, '99.99' 1e4, '99.999' 1e5, \
                    '99.9999' 1e6, '99.99999' 1e7)
                """ + Gnuplot.plot(pieces));
    }

    private static Table data(Map<String, Distribution> distributions, double[] percents) {
        List<String> columns = new ArrayList<>(List.of("percentile", "one_in"));
        columns.addAll(distributions.keySet());
        Table data = new Table(columns);
        for (double percent : percents) {
            double oneIn = 100 / (100 - percent);
            List<Object> row = new ArrayList<>(List.of(Figures.significant(percent), oneIn));
            distributions.values().forEach(each -> row.add(oneIn > each.recorded() ? null : known(each, percent)));
            data.add(row);
        }
        return data;
    }

    /** @return null if it lies among requests that failed */
    private static Integer known(Distribution durations, double percent) {
        int found = durations.percentile(percent);
        return found == Distribution.BEYOND ? null : found;
    }
}

package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.BusiestGroups;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.DurationUnit;
import ch.ethz.mlmq.log_analyzer.plot.Gnuplot;
import ch.ethz.mlmq.log_analyzer.plot.Pen;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;

/** Share of the durations of the measurement interval in bins of equal width, up to a high percentile. */
final class HistogramPlot implements Plot {
    private static final int BINS = 80;
    private static final double BINS_A_DECADE = 20;
    /** Ratio of the longest durations to the median above which a linear scale would show a single spike. */
    private static final int LOGARITHMIC_FROM = 20;
    private static final double SHOWN = 99.5;

    /** Bins of durations. @param width of a bin [us], unless it is a part of a decade */
    private record Bins(boolean logarithmic, double width) {
        double edge(double bin) {
            return logarithmic ? Math.pow(10, bin / BINS_A_DECADE) : bin * width;
        }

        /** @return the bin of a duration, from which on there is something to show */
        int first(int shortest) {
            return logarithmic ? (int) (Math.log10(Math.max(1, shortest)) * BINS_A_DECADE) : 0;
        }
    }

    @Override
    public String name() {
        return "histogram";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ACTIONS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        String title = run.title();
        return run.answeredInSteadyPart().map(measured -> draw(BusiestGroups.steady(measured), title));
    }

    private Chart draw(BusiestGroups shown, String title) {
        int highest = shown.groups().stream().mapToInt(group -> group.steady().percentile(SHOWN)).max().orElse(1);
        boolean logarithmic = shown.groups().stream()
                .anyMatch(group -> highest > LOGARITHMIC_FROM * (double) group.steady().percentile(50));
        Bins bins = new Bins(logarithmic, niceWidth((double) highest / BINS));
        DurationUnit unit = DurationUnit.fitting(logarithmic ? shown.largestMedian() : highest);
        List<Pen> pens = Pen.of(shown.names());
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < shown.groups().size(); i++) {
            pieces.add("data skip 1 using %s:%d with histeps %s title %s"
                    .formatted(unit.of(1), i + 2, pens.get(i).options(), Gnuplot.quoted(shown.names().get(i))));
        }
        String y = "share of requests [%] in " + (logarithmic ? "1/" + (int) BINS_A_DECADE + " of a decade"
                : Figures.plain(bins.width() / unit.micros()) + " " + unit.name());
        return new Chart(name(), data(shown, bins, highest), Gnuplot.labels(shown.title("Distribution · " + title),
                "duration [" + unit.name() + "], up to " + Figures.percent(SHOWN) + " %", y)
                + "set yrange [0:*]\n" + (logarithmic ? "set logscale x\n" : "set xrange [0:*]\n")
                + Gnuplot.plot(pieces));
    }

    private static Table data(BusiestGroups shown, Bins bins, int highest) {
        List<String> columns = new ArrayList<>(List.of("duration"));
        columns.addAll(shown.names());
        Table data = new Table(columns);
        int shortest = shown.groups().stream().mapToInt(group -> group.steady().min()).min().orElse(0);
        for (int bin = bins.first(shortest); bins.edge(bin) <= highest; bin++) {
            List<Object> row = new ArrayList<>(List.of(bins.edge(bin + 0.5)));
            for (Measurements.Group group : shown.groups()) {
                row.add(100.0 * count(group.steady(), bins.edge(bin), bins.edge(bin + 1)) / group.steady().count());
            }
            data.add(row);
        }
        return data;
    }

    private static long count(Distribution distribution, double from, double to) {
        long count = 0;
        for (int i = distribution.indexFrom(from); i < distribution.distinct() && distribution.value(i) < to; i++) {
            count += distribution.countAt(i);
        }
        return count;
    }

    /** @return at least this wide, and 1, 2 or 5 times a power of ten */
    private static double niceWidth(double width) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(1, width))));
        return DoubleStream.of(1, 2, 5, 10).map(times -> times * power).filter(nice -> nice >= width).findFirst()
                .orElse(10 * power);
    }
}

package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** How durations of the steady part are distributed. */
final class DistributionCharts {
    private static final int BINS = 80;
    private static final double BINS_A_DECADE = 20;
    /** Where the longest are so many times the median, a linear scale would show a single spike. */
    private static final int LOGARITHMIC_FROM = 20;
    private static final double SHOWN_IN_HISTOGRAM = 99.5;
    private static final int CDF_POINTS = 400;
    private static final int POINTS_A_DECADE = 20;
    private static final double[] BOX = {25, 50, 75};
    /** More have slanting names. */
    private static final int FEW_BOXES = 4;
    /** Of a picture between its margins, in characters, and what is left of it where nobody asks for more. */
    private static final int LEAST_WIDTH = 60;
    private static final int USUAL_MARGIN = 8;

    private DistributionCharts() {
    }

    /** Share of the durations in bins of equal width, up to a high percentile. */
    static Chart histogram(Measurements measured, String title) {
        Shown shown = Shown.steady(measured);
        int highest = shown.groups().stream().mapToInt(group -> group.steady().percentile(SHOWN_IN_HISTOGRAM)).max()
                .orElse(1);
        boolean logarithmic = shown.groups().stream()
                .anyMatch(group -> highest > LOGARITHMIC_FROM * (double) group.steady().percentile(50));
        double width = niceWidth((double) highest / BINS);
        DoubleUnaryOperator edge = logarithmic ? bin -> Math.pow(10, bin / BINS_A_DECADE) : bin -> bin * width;
        Table data = table("duration", shown.names());
        int lowest = shown.groups().stream().mapToInt(group -> group.steady().min()).min().orElse(0);
        int firstBin = logarithmic ? (int) (Math.log10(Math.max(1, lowest)) * BINS_A_DECADE) : 0;
        for (int bin = firstBin; edge.applyAsDouble(bin) <= highest; bin++) {
            List<Object> row = new ArrayList<>(List.of(edge.applyAsDouble(bin + 0.5)));
            for (Measurements.Group group : shown.groups()) {
                row.add(100.0 * count(group.steady(), edge.applyAsDouble(bin), edge.applyAsDouble(bin + 1))
                        / group.steady().count());
            }
            data.add(row);
        }
        DurationUnit unit = DurationUnit.fitting(logarithmic ? medianOf(shown) : highest);
        List<Pen> pens = Pen.of(shown.names());
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < shown.groups().size(); i++) {
            pieces.add("data skip 1 using %s:%d with histeps %s title %s"
                    .formatted(unit.of(1), i + 2, pens.get(i).options(), Gnuplot.quoted(shown.names().get(i))));
        }
        String y = "share of requests [%] in " + (logarithmic ? "1/" + (int) BINS_A_DECADE + " of a decade"
                : Figures.plain(width / unit.micros()) + " " + unit.name());
        return new Chart("histogram", data, Gnuplot.labels(shown.title("Distribution · " + title), "duration ["
                + unit.name() + "], up to " + Figures.percent(SHOWN_IN_HISTOGRAM) + " %", y)
                + "set yrange [0:*]\n" + (logarithmic ? "set logscale x\n" : "set xrange [0:*]\n")
                + Gnuplot.plot(pieces));
    }

    /** Share of the durations that are at most so long. */
    static Chart cdf(Measurements measured, String title) {
        Shown shown = Shown.steady(measured);
        double[] percents = IntStream.rangeClosed(0, CDF_POINTS).mapToDouble(i -> 100.0 * i / CDF_POINTS).toArray();
        Table data = percentiles("percent", percents, shown);
        DurationUnit unit = DurationUnit.fitting(medianOf(shown));
        List<Pen> pens = Pen.of(shown.names());
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < shown.groups().size(); i++) {
            pieces.add(TimeCharts.line(unit.of(i + 2), "1", CDF_POINTS, pens.get(i), shown.names().get(i)));
        }
        return new Chart("cdf", data, Gnuplot.labels(shown.title("Cumulative distribution · " + title), "duration ["
                + unit.name() + "]",
                "share that is at most so long [%]") + logarithmic("x", shown.groups().stream()
                .map(Measurements.Group::steady)) + "set yrange [0:100]\n" + Gnuplot.plot(pieces));
    }

    /** @return null where it lies among requests that failed */
    private static Integer known(Distribution durations, double percent) {
        int found = durations.percentile(percent);
        return found == Distribution.BEYOND ? null : found;
    }

    /** Percentiles on a scale that spreads the highest ones; a line ends where the requests that failed begin. */
    static Chart spectrum(Map<String, Distribution> distributions, List<Pen> pens, String title) {
        long most = distributions.values().stream().mapToLong(Distribution::recorded).max().orElse(1);
        int points = (int) Math.ceil(Math.log10(most) * POINTS_A_DECADE);
        double[] percents = IntStream.rangeClosed(0, points)
                .mapToDouble(i -> 100 * (1 - Math.pow(10, -(double) i / POINTS_A_DECADE))).toArray();
        List<String> names = List.copyOf(distributions.keySet());
        Table data = new Table(columns(List.of("percentile", "one_in"), names));
        for (double percent : percents) {
            double oneIn = 100 / (100 - percent);
            List<Object> row = new ArrayList<>(List.of(Figures.significant(percent), oneIn));
            distributions.values().forEach(each -> row.add(oneIn > each.recorded() ? null : known(each, percent)));
            data.add(row);
        }
        DurationUnit unit = DurationUnit.fitting(distributions.values().stream()
                .mapToInt(each -> Math.min(each.max(), each.percentile(99))).max().orElse(1));
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            pieces.add(TimeCharts.line("2", unit.of(i + 3), percents.length, pens.get(i), names.get(i)));
        }
        return new Chart("spectrum", data, Gnuplot.labels("Percentile spectrum · " + title, "percentile [%]",
                "duration [" + unit.name() + "]") + logarithmic("y", distributions.values().stream()) + """
                set logscale x
                set xtics ('0' 1, '50' 2, '90' 10, '99' 100, '99.9' 1e3, '99.99' 1e4, '99.999' 1e5, \
                    '99.9999' 1e6, '99.99999' 1e7)
                """ + Gnuplot.plot(pieces));
    }

    /** Half of the durations in a box, the first and last percentile asked for as whiskers. */
    static Chart box(Measurements measured, double[] percents, String title) {
        List<Measurements.Group> groups = measured.groups().stream().filter(group -> group.steady().count() > 0)
                .toList();
        List<String> names = new Shown(groups, 0).names();
        String low = Figures.percent(percents[0]);
        String high = Figures.percent(percents[percents.length - 1]);
        Table data = Table.of("group", "p" + low, "p25", "median", "p75", "p" + high);
        for (Measurements.Group group : groups) {
            int[] box = group.steady().percentiles(BOX);
            data.add(names.get(groups.indexOf(group)), group.steady().percentile(percents[0]), box[0], box[1], box[2],
                    group.steady().percentile(percents[percents.length - 1]));
        }
        int largest = groups.stream().mapToInt(group -> group.steady().percentile(percents[percents.length - 1])).max()
                .orElse(1);
        double median = medianOf(new Shown(groups, 0));
        DurationUnit unit = DurationUnit.fitting(median);
        return new Chart("box", data, Gnuplot.labels(new Shown(groups, 0).title("Durations by group · " + title), "",
                "duration [" + unit.name() + "], whiskers " + low + "–"
                + high + " %") + roomFor(names)
                + (largest > LOGARITHMIC_FROM * median ? "set logscale y\n" : "set yrange [0:*]\n") + """
                set xtics %s noenhanced nomirror
                set xrange [-0.6:%d.6]
                set key off
                set boxwidth 0.4
                set style fill solid 0.25 border
                """.formatted(groups.size() > FEW_BOXES ? "rotate by 25 right" : "", groups.size() - 1)
                + Gnuplot.plot(List.of(
                ("data skip 1 using 0:%s:%s:%s:%s:xtic(1) with candlesticks whiskerbars 0.5 linecolor rgb %s "
                        + "linewidth 1.4").formatted(unit.of(3), unit.of(2), unit.of(6), unit.of(5), Gnuplot.colour(0)),
                "data skip 1 using 0:%1$s:%1$s:%1$s:%1$s with candlesticks linecolor rgb %2$s linewidth 2.4"
                        .formatted(unit.of(4), Gnuplot.colour(1)))));
    }

    /** An axis of durations that are all 0 has no logarithms. */
    private static String logarithmic(String axis, Stream<Distribution> durations) {
        return durations.anyMatch(each -> each.max() > 0) ? "set logscale " + axis + "\n" : "";
    }

    /** Slanting names begin left of their boxes: a margin in which those of the first ones are not cut off. */
    private static String roomFor(List<String> names) {
        double margin = IntStream.range(0, names.size())
                .mapToDouble(i -> 0.9 * names.get(i).length() - (i + 0.6) / names.size() * LEAST_WIDTH).max().orElse(0);
        return names.size() > FEW_BOXES && margin > USUAL_MARGIN ? "set lmargin " + (int) Math.ceil(margin) + "\n" : "";
    }

    private static Table percentiles(String first, double[] percents, Shown shown) {
        Table data = table(first, shown.names());
        List<int[]> values = shown.groups().stream().map(group -> group.steady().percentiles(percents)).toList();
        for (int i = 0; i < percents.length; i++) {
            List<Object> row = new ArrayList<>(List.of(percents[i]));
            for (int[] each : values) {
                row.add(each[i]);
            }
            data.add(row);
        }
        return data;
    }

    private static Table table(String first, List<String> names) {
        return new Table(columns(List.of(first), names));
    }

    private static List<String> columns(List<String> first, List<String> names) {
        List<String> columns = new ArrayList<>(first);
        columns.addAll(names);
        return columns;
    }

    private static double medianOf(Shown shown) {
        return shown.groups().stream().mapToInt(group -> group.steady().percentile(50)).max().orElse(1);
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

package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.experiment.Experiment;
import ch.ethz.mlmq.log_analyzer.experiment.FigureName;
import ch.ethz.mlmq.log_analyzer.experiment.Trials;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Draws the two responses of an experiment: response time against throughput, a line along a factor. */
final class AgainstChart {
    private static final int FEWEST = 2;
    private static final String LINE = "data skip 1 using 1:%d with %s pointtype 7 pointsize 0.6 linewidth 1.6 "
            + "linecolor rgb %s title %s";
    private static final String BARS = "data skip 1 using 1:%d:2:3:%d:%d with xyerrorbars pointtype 7 pointsize 0.6 "
            + "linewidth 1 linecolor rgb %s title ''";

    private final Experiment experiment;
    private final Trials trials;
    private final FigureName across;
    private final FigureName up;

    private AgainstChart(Experiment experiment, FigureName other) {
        this.experiment = experiment;
        this.trials = experiment.trials();
        boolean otherAcross = other.isCalled("throughput");
        this.across = otherAcross ? other : experiment.response();
        this.up = otherAcross ? experiment.response() : other;
    }

    /** @return empty if fewer than two points have both figures */
    static Optional<Chart> of(Experiment experiment) {
        return experiment.influence().other().flatMap(other -> new AgainstChart(experiment, other.response()).draw());
    }

    private Optional<Chart> draw() {
        if (trials.points().stream().filter(this::hasBoth).count() < FEWEST) {
            return Optional.empty();
        }
        int along = IntStream.range(0, trials.design().factors().size()).boxed()
                .max(Comparator.comparingInt((Integer factor) -> trials.levelsOf(factor).size())
                        .thenComparing(Comparator.reverseOrder())).orElseThrow();
        Map<List<String>, List<Trials.Point>> lines = trials.lines(along);
        boolean each = lines.size() <= Gnuplot.COLOURS.size();
        List<String> names = each ? lines.keySet().stream().map(others -> trials.words(along, others)).toList()
                : List.of("points");
        List<List<Trials.Point>> drawn = each ? List.copyOf(lines.values()) : List.of(trials.points());
        boolean alone = names.get(0).isEmpty();
        String factor = trials.design().factors().get(along).name();
        String title = up.name() + " against " + across.name() + " · " + trials.design().name();
        String below = across.column() + (each ? ", lines along " + factor : "");
        return Optional.of(new Chart(up.name() + "_against_" + across.name(), data(names, drawn, along),
                Gnuplot.labels(title, below, up.column()) + "set yrange [0:*]\nset xrange [0:*]\n"
                + (alone ? "set key off\n" : "") + Gnuplot.plot(pieces(names, drawn, each)),
                alone ? 0 : names.size() / 2));
    }

    private List<String> pieces(List<String> names, List<List<Trials.Point>> drawn, boolean each) {
        List<String> pieces = new ArrayList<>();
        for (int line = 0; line < drawn.size(); line++) {
            String colour = Gnuplot.colour(line);
            pieces.add(LINE.formatted(column(line), each ? "linespoints" : "points", colour,
                    Gnuplot.quoted(names.get(line))));
            if (drawn.get(line).stream().anyMatch(this::hasIntervals)) {
                pieces.add(BARS.formatted(column(line), column(line) + 1, column(line) + 2, colour));
            }
        }
        return pieces;
    }

    /** A row for each point; of a line, the columns of the others are gaps. */
    private Table data(List<String> names, List<List<Trials.Point>> drawn, int along) {
        List<String> columns = new ArrayList<>(List.of(across.column(), "low", "high", "level"));
        names.forEach(name -> columns.addAll(List.of(name, name + " low", name + " high")));
        Table data = new Table(columns);
        for (int line = 0; line < drawn.size(); line++) {
            for (Trials.Point point : drawn.get(line)) {
                if (hasBoth(point)) {
                    List<Object> row = new ArrayList<>(estimate(point, across));
                    row.add(point.levels().get(along));
                    for (int i = 0; i < drawn.size(); i++) {
                        row.addAll(i == line ? estimate(point, up) : List.of(Gnuplot.GAP, Gnuplot.GAP, Gnuplot.GAP));
                    }
                    data.add(row);
                }
            }
        }
        return data;
    }

    /** @return the mean and its interval, which is the mean itself if it is unknown */
    private List<Object> estimate(Trials.Point point, FigureName figure) {
        double mean = point.estimate(figure.column()).value();
        Interval interval = point.interval(figure.column(), experiment.confidence());
        boolean known = !Double.isNaN(interval.low());
        return List.of(Figures.significant(mean), Figures.significant(known ? interval.low() : mean),
                Figures.significant(known ? interval.high() : mean));
    }

    private boolean hasBoth(Trials.Point point) {
        return point.count(across.column()) > 0 && point.count(up.column()) > 0;
    }

    private boolean hasIntervals(Trials.Point point) {
        return hasBoth(point) && !Double.isNaN(point.interval(up.column(), experiment.confidence()).low());
    }

    private static int column(int line) {
        return 3 * line + 5;
    }
}

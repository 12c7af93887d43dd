package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.experiment.Effects;
import ch.ethz.mlmq.log_analyzer.experiment.Experiment;
import ch.ethz.mlmq.log_analyzer.experiment.Factor;
import ch.ethz.mlmq.log_analyzer.experiment.FigureName;
import ch.ethz.mlmq.log_analyzer.experiment.Interactions;
import ch.ethz.mlmq.log_analyzer.experiment.Knee;
import ch.ethz.mlmq.log_analyzer.experiment.ScalingLaw;
import ch.ethz.mlmq.log_analyzer.experiment.Search;
import ch.ethz.mlmq.log_analyzer.experiment.Trials;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws an experiment: a figure over each factor, interactions, effects, residuals, scaling law, the search. */
public final class ExperimentCharts {
    /**
     * Ratio of an axis's largest to its smallest number from which it is logarithmic, as only such an axis shows both
     * ends.
     */
    private static final double LOGARITHMIC_FROM = 20;
    private static final int STEPS = 200;
    private static final int MOST_EFFECTS = 24;
    private static final int MOST_TICS = 16;
    private static final int LONG_NAME = 24;
    private static final double BEYOND = 2;
    private static final double PER_CENT = 100;
    private static final String BARS = "data skip 1 using 1:%d:%d:%d with yerrorbars pointtype %d pointsize 0.6 "
            + "linewidth 1.6 linecolor rgb %s title ''";
    private static final String POINTS = "data skip 1 using 1:%d with %s pointtype %d pointsize 0.6 linewidth 1.6 "
            + "linecolor rgb %s title %s";

    private final Experiment experiment;
    private final Trials trials;
    private final FigureName response;

    public ExperimentCharts(Experiment experiment) {
        this.experiment = experiment;
        this.trials = experiment.trials();
        this.response = experiment.response();
    }

    /** @return all charts that the experiment allows */
    public List<Chart> draw() {
        List<Chart> charts = new ArrayList<>();
        experiment.found().search().filter(search -> !search.tries().isEmpty())
                .ifPresent(search -> charts.add(search(search)));
        IntStream.range(0, factors().size()).filter(factor -> trials.levelsOf(factor).size() > 1)
                .forEach(factor -> charts.add(over(factor)));
        AgainstChart.of(experiment).ifPresent(charts::add);
        experiment.influence().effects().ifPresent(effects -> {
            if (effects.effects().stream().anyMatch(effect -> !Double.isNaN(effect.value()))) {
                charts.add(effects(effects));
            }
        });
        experiment.influence().interactions().forEach(pair -> charts.add(interaction(pair)));
        experiment.influence().effects().ifPresent(effects -> charts.addAll(residuals(effects)));
        experiment.underLoad().scaling().forEach(law -> charts.add(scaling(law)));
        return charts;
    }

    private List<Factor> factors() {
        return trials.design().factors();
    }

    /**
     * Draws the response over one factor: a line for each combination of the others, or their mean if these are too
     * many.
     */
    private Chart over(int factor) {
        Map<List<String>, List<Trials.Point>> lines = trials.lines(factor);
        List<String> names = new ArrayList<>();
        List<List<Estimate>> cells = new ArrayList<>();
        boolean each = lines.size() <= Gnuplot.COLOURS.size();
        if (each) {
            lines.forEach((others, points) -> {
                names.add(trials.words(factor, others));
                cells.add(trials.levelsOf(factor).stream().map(level -> points.stream()
                        .filter(point -> point.levels().get(factor).equals(level)).findFirst()
                        .map(point -> point.estimate(response.column())).orElse(Estimate.ofMean())).toList());
            });
        } else {
            names.add("mean of all settings of the other factors that have accepted runs at each level");
            List<List<Trials.Point>> whole = lines.values().stream().filter(line -> line.stream()
                    .filter(point -> point.count(response.column()) > 0).count() == trials.levelsOf(factor).size())
                    .toList();
            cells.add(trials.levelsOf(factor).stream().map(level -> new Estimate(whole.stream()
                    .flatMap(List::stream).filter(point -> point.levels().get(factor).equals(level))
                    .mapToDouble(point -> point.estimate(response.column()).value()).average().orElse(Double.NaN),
                    Double.NaN, 0)).toList());
        }
        boolean bars = cells.stream().flatMap(List::stream).anyMatch(this::hasInterval);
        return lines("over_" + fileName(factors().get(factor).name()), title(factor), factor, names, cells,
                bars ? intervals() : "");
    }

    private Chart interaction(Interactions pair) {
        String by = factors().get(pair.by()).name();
        List<String> names = trials.levelsOf(pair.by()).stream().map(level -> by + " " + level).toList();
        int shown = Math.min(names.size(), Gnuplot.COLOURS.size());
        // Intervals would be those of unlike points; this chart is about the slopes of its lines.
        List<List<Estimate>> cells = pair.cells().subList(0, shown).stream().map(line -> line.stream()
                .map(cell -> new Estimate(cell.value(), Double.NaN, 0)).toList()).toList();
        return lines("interaction_" + fileName(factors().get(pair.factor()).name()) + "_" + fileName(by),
                "Interaction of " + factors().get(pair.factor()).name() + " and " + by, pair.factor(),
                names.subList(0, shown), cells, ", means; parallel lines: no interaction");
    }

    /** @param cells by line, then by level @param remark behind the label of the figure's axis */
    private Chart lines(String name, String title, int factor, List<String> names, List<List<Estimate>> cells,
            String remark) {
        List<String> levels = trials.levelsOf(factor);
        Factor along = factors().get(factor);
        List<String> columns = new ArrayList<>(List.of("x", "level"));
        names.forEach(line -> columns.addAll(List.of(line, line + " low", line + " high")));
        Table data = new Table(columns);
        for (int i = 0; i < levels.size(); i++) {
            List<Object> row = new ArrayList<>(List.of(place(along, levels, i), levels.get(i)));
            for (List<Estimate> line : cells) {
                Estimate estimate = line.get(i);
                Interval interval = estimate.interval(experiment.confidence());
                row.add(Double.isFinite(estimate.value()) ? Figures.significant(estimate.value()) : Gnuplot.GAP);
                row.add(Figures.significant(estimate.value() < 0 ? interval.low() : Math.max(0, interval.low())));
                row.add(Figures.significant(interval.high()));
            }
            data.add(row);
        }
        // There is nothing between two systems, but if several lines are compared, each line connects its points.
        String style = along.isNumeric() || names.size() > 1 ? "linespoints" : "points";
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int type = i % 2 == 0 ? 7 : 5;
            pieces.add(POINTS.formatted(3 * i + 3, style, type, Gnuplot.colour(i) + (i % 2 == 1 ? " dashtype 2" : ""),
                    Gnuplot.quoted(names.get(i))));
            // A point of one run has no interval.
            if (cells.get(i).stream().anyMatch(this::hasInterval)) {
                pieces.add(BARS.formatted(3 * i + 3, 3 * i + 4, 3 * i + 5, type, Gnuplot.colour(i)));
            }
        }
        boolean alone = names.size() == 1 && names.get(0).isEmpty();
        return new Chart(name, data, Gnuplot.labels(title, along.label(), response.column() + remark)
                + "set yrange [0:*]\n" + xAxis(along, levels) + (alone ? "set key off\n" : "") + Gnuplot.plot(pieces),
                alone ? 0 : names.size() / 2);
    }

    private boolean hasInterval(Estimate estimate) {
        return !Double.isNaN(estimate.interval(experiment.confidence()).low());
    }

    private String intervals() {
        return ", " + Figures.percent(experiment.confidence() * PER_CENT) + " % intervals";
    }

    private String title(int factor) {
        return response.name() + " over " + factors().get(factor).name() + " · " + trials.design().name();
    }

    /** @return place of a level on its axis: at its number, or one after the other */
    private static double place(Factor factor, List<String> levels, int index) {
        return factor.isNumeric() ? factor.number(levels.get(index)).orElseThrow() : index;
    }

    private static String xAxis(Factor factor, List<String> levels) {
        if (!factor.isNumeric()) {
            List<String> tics = IntStream.range(0, levels.size())
                    .mapToObj(i -> Gnuplot.quoted(levels.get(i).replace("%", "%%")) + " " + i).toList();
            return "set xtics (" + String.join(", ", tics) + ") noenhanced nomirror\nset xrange [-0.4:"
                    + (levels.size() - 1) + ".4]\n";
        }
        double smallest = factor.number(levels.get(0)).orElseThrow();
        double largest = factor.number(levels.get(levels.size() - 1)).orElseThrow();
        List<String> marks = levels.stream().map(level -> Figures.plain(factor.number(level).orElseThrow()))
                .map(number -> "'" + number + "' " + number).toList();
        String tics = levels.size() > MOST_TICS ? ""
                : "set xtics (" + String.join(", ", marks) + ") noenhanced nomirror\n";
        return tics + (smallest > 0 && largest > LOGARITHMIC_FROM * smallest
                ? "set logscale x\nset xrange [%s:%s]\n".formatted(Figures.plain(smallest * 0.8),
                        Figures.plain(largest * 1.25)) : "set offsets graph 0.05, graph 0.05\n");
    }

    /** Draws each effect with its interval, the largest first. */
    private Chart effects(Effects effects) {
        List<Effects.Effect> sorted = effects.effects().stream().sorted(Comparator.comparingDouble(
                (Effects.Effect effect) -> Math.abs(effect.value())).reversed()).limit(MOST_EFFECTS).toList();
        Table data = Table.of("row", "effect", "value", "low", "high", "share_percent", "verdict");
        List<String> tics = new ArrayList<>();
        boolean letters = sorted.stream().anyMatch(effect -> effect.name().length() > LONG_NAME);
        for (int i = 0; i < sorted.size(); i++) {
            Effects.Effect effect = sorted.get(i);
            boolean known = !Double.isNaN(effect.interval().low());
            int row = sorted.size() - 1 - i;
            data.add(row, effect.name(), Figures.significant(effect.value()),
                    Figures.significant(known ? effect.interval().low() : effect.value()),
                    Figures.significant(known ? effect.interval().high() : effect.value()),
                    effect.share() * PER_CENT, effect.withinNoise().map(noise -> noise ? "noise" : "effect")
                            .orElse(""));
            // gnuplot treats the label of a tic as a format.
            tics.add(Gnuplot.quoted(effectName(effect.name(), letters).replace("%", "%%") + "  "
                    + Figures.rounded(effect.share() * PER_CENT, 1) + " %%") + " " + row);
        }
        String piece = "data skip 1 using ((strcol(7) %s 'noise') ? $3 : NaN):1:4:5 with xerrorbars pointtype %d "
                + "pointsize 0.8 linewidth 1.6 linecolor rgb %s title %s";
        boolean noise = sorted.stream().anyMatch(effect -> effect.withinNoise().orElse(false));
        return new Chart("effects", data, Gnuplot.labels("Effects on " + response.column() + " · "
                + trials.design().name(), "half the change from low to high" + intervals(), "") + """
                set yrange [-0.6:%s.6]
                set ytics (%s) noenhanced nomirror
                set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead linecolor rgb %s linewidth 1.2 back
                """.formatted(sorted.size() - 1, String.join(", ", tics), Gnuplot.GREY)
                + Gnuplot.plot(Stream.of(piece.formatted("ne", 7, Gnuplot.colour(0), "'effect'"),
                noise ? piece.formatted("eq", 6, Gnuplot.GREY, "'within noise'") : "")
                .filter(each -> !each.isEmpty()).toList()), Math.max(0, (sorted.size() - 10) / 2));
    }

    /**
     * @param letters true if factors are called A, B and so on, because their names are too long to stand side by side
     */
    private String effectName(String name, boolean letters) {
        if (!letters) {
            return name;
        }
        List<String> names = factors().stream().map(Factor::name).toList();
        List<Integer> parts = Arrays.stream(name.split(" x ")).map(names::indexOf).toList();
        return parts.contains(-1) ? name : String.join("", parts.stream().map(i -> String.valueOf((char) ('A' + i)))
                .toList()) + (parts.size() == 1 ? " " + name : "");
    }

    private List<Chart> residuals(Effects effects) {
        if (effects.residuals().stream().allMatch(each -> each.residual() == 0)) {
            return List.of();
        }
        Table data = Table.of("predicted", "residual", "normal_quantile", "run");
        effects.residuals().forEach(each -> data.add(Figures.significant(each.predicted()),
                Figures.significant(each.residual()), Figures.significant(each.normalQuantile()), each.trial().run()));
        String unit = response.unit().isEmpty() ? "" : " [" + response.unit() + "]";
        String points = "with points pointtype 7 pointsize 0.6 linecolor rgb %s notitle".formatted(Gnuplot.colour(0));
        Chart predicted = new Chart("residuals", data, Gnuplot.labels("Residuals · " + trials.design().name(),
                "predicted " + response.column(), "measured less predicted" + unit)
                + "set xzeroaxis linecolor rgb %s linewidth 1.2\nset offsets graph 0.05, graph 0.05\nset key off\n"
                        .formatted(Gnuplot.GREY) + Gnuplot.plot(List.of("data skip 1 using 1:2 " + points)));
        double deviation = Math.sqrt(effects.residuals().stream().mapToDouble(each -> each.residual() * each.residual())
                .average().orElse(0));
        Chart quantiles = new Chart("residual_quantiles", data, Gnuplot.labels("Residuals, if they were normal · "
                + trials.design().name(), "normal quantile [standard deviations]", "measured less predicted" + unit)
                + "set offsets graph 0.05, graph 0.05\n"
                        + Gnuplot.plot(List.of("%s*x with lines linecolor rgb %s title "
                        .formatted(Figures.significant(deviation).toString(), Gnuplot.GREY) + "'normal'",
                "data skip 1 using 3:2 " + points)));
        return List.of(predicted, quantiles);
    }

    private Chart scaling(ScalingLaw scaling) {
        Factor factor = factors().get(scaling.factor());
        double most = scaling.used().stream().mapToDouble(each -> each[0]).max().orElse(1);
        Table data = Table.of("n", "measured", "left_out", "law", "law_beyond");
        scaling.used().forEach(each -> data.add(each[0], each[1], null, null, null));
        scaling.leftOut().forEach(each -> data.add(each[0], null, each[1], null, null));
        for (int i = 0; i <= STEPS; i++) {
            double n = 1 + (BEYOND * most - 1) * i / STEPS;
            data.add(n, null, null, n <= most ? scaling.law().at(n) : null, n >= most ? scaling.law().at(n) : null);
        }
        List<String> pieces = new ArrayList<>(List.of(
                "data skip 1 using 1:4 with lines linecolor rgb %s linewidth 1.8 title 'universal scalability law'"
                        .formatted(Gnuplot.colour(0)),
                "data skip 1 using 1:5 with lines linecolor rgb %s linewidth 1.8 dashtype 2 "
                        .formatted(Gnuplot.colour(0)) + "title 'beyond what was measured'",
                "data skip 1 using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb %s title 'measured'"
                        .formatted(Gnuplot.colour(1))));
        if (!scaling.leftOut().isEmpty()) {
            pieces.add("data skip 1 using 1:3 with points pointtype 2 pointsize 0.8 linecolor rgb %s title 'left out'"
                    .formatted(Gnuplot.GREY));
        }
        double peak = scaling.law().peak();
        String line = peak <= BEYOND * most ? mark(1, peak, "peak " + Figures.rounded(peak, 0)) : "";
        String of = scaling.others().isEmpty() ? "" : " · " + scaling.others();
        return new Chart("scaling" + (of.isEmpty() ? "" : "_" + fileName(scaling.others())), data,
                Gnuplot.labels("Throughput over " + factor.name() + of, factor.label(), "throughput [1/s]")
                + "set yrange [0:*]\n" + line + Gnuplot.plot(pieces));
    }

    /** Draws all tries: response time over the tried level. */
    private Chart search(Search search) {
        FigureName time = Stream.of("p99", "p95", "mean", "p50").flatMap(name -> trials.figures().stream()
                .filter(figure -> figure.isCalled(name))).findFirst().orElse(response);
        Table data = Table.of("level", "holds", "does_not_hold", "run");
        for (Search.Try each : search.tries()) {
            Number value = Figures.significant(each.trial().figure(time.column()));
            data.add(each.level(), each.holds() ? value : null, each.holds() ? null : value, each.trial().run());
        }
        double[] times = search.tries().stream().mapToDouble(each -> each.trial().figure(time.column()))
                .filter(Double::isFinite).sorted().toArray();
        boolean logarithmic = times.length > 1 && times[0] > 0 && times[times.length - 1] > LOGARITHMIC_FROM * times[0];
        List<String> marks = new ArrayList<>();
        if (!Double.isNaN(search.holds())) {
            marks.add(mark(1, search.holds(), "holds"));
        }
        if (!Double.isNaN(search.breaks())) {
            marks.add(mark(2, search.breaks(), "does not hold"));
        }
        for (Knee knee : experiment.underLoad().knees()) {
            factors().get(knee.factor()).number(knee.point().levels().get(knee.factor())).ifPresent(level -> {
                if (knee.factor() == 0 && level != search.holds() && level != search.breaks()) {
                    marks.add(mark(3, level, "knee"));
                }
            });
        }
        String piece = "data skip 1 using 1:%d with points pointtype %d pointsize 0.8 linewidth 1.6 linecolor rgb "
                + "%s title %s";
        return new Chart("find", data, Gnuplot.labels("The highest " + factors().get(0).name() + " that holds · "
                + trials.design().name(), factors().get(0).label(), time.column())
                + (logarithmic ? "set logscale y\n" : "set yrange [0:*]\n") + "set offsets graph 0.05, graph 0.05\n"
                + String.join("", marks) + Gnuplot.plot(List.of(piece.formatted(2, 7, Gnuplot.colour(0), "'holds'"),
                piece.formatted(3, 2, Gnuplot.RED, "'does not hold'"))));
    }

    /** @return a vertical line at a number, with a label */
    private static String mark(int number, double x, String word) {
        String at = Figures.plain(x);
        return """
                set arrow %1$d from first %2$s, graph 0 to first %2$s, graph 1 nohead linecolor rgb %3$s dashtype 3 back
                set label %1$d %4$s at first %2$s, graph %5$s offset 0.5,0 textcolor rgb muted noenhanced
                """.formatted(number, at, Gnuplot.GREY, Gnuplot.quoted(word), number % 2 == 1 ? "0.95" : "0.88");
    }

    private static String fileName(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_|_$", "");
    }
}

package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.model.Layouts;
import ch.ethz.mlmq.log_analyzer.model.fit.Observations;
import ch.ethz.mlmq.log_analyzer.model.fit.Scalability;
import ch.ethz.mlmq.log_analyzer.model.measured.Prediction;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.waiting.WaitingTime;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Charts of models over measurements: measured points, and the model's lines, dashed where nothing was measured. */
public final class ModelCharts {
    private static final int STEPS = 200;
    private static final int BEYOND = 2;
    private static final double SHOWN = 0.9999;
    private static final double US_PER_SECOND = 1e6;

    private ModelCharts() {
    }

    /** Draws throughput over a number, up to twice the measured range. */
    public static Chart scalability(Scalability law, Observations table, String size, String throughput) {
        double[] sizes = table.rows().stream().mapToDouble(row -> row[table.names().indexOf(size)]).toArray();
        double most = Arrays.stream(sizes).max().orElse(1);
        Table data = Table.of(size, "measured", "model", "model_beyond");
        for (double[] row : table.rows()) {
            data.add(row[table.names().indexOf(size)], row[table.names().indexOf(throughput)], null, null);
        }
        for (int i = 0; i <= STEPS; i++) {
            double n = 1 + (BEYOND * most - 1) * i / STEPS;
            data.add(n, null, n <= most ? law.at(n) : null, n >= most ? law.at(n) : null);
        }
        return new Chart("scalability", data, Gnuplot.labels("Throughput over " + size, size, "throughput [1/s]")
                + "set yrange [0:*]\n" + Gnuplot.plot(List.of(
                "data skip 1 using 1:3 with lines linecolor rgb %s linewidth 1.8 title 'universal scalability law'"
                        .formatted(Gnuplot.colour(0)),
                "data skip 1 using 1:4 with lines linecolor rgb %s linewidth 1.8 dashtype 2 "
                        .formatted(Gnuplot.colour(0)) + "title 'beyond what was measured'",
                "data skip 1 using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb %s title 'measured'"
                        .formatted(Gnuplot.colour(1)))));
    }

    /**
     * Draws the share of requests that wait longer, from models and from the run.
     *
     * @param measured empty if no run was read
     */
    public static Chart waiting(List<WaitingTime> models, Optional<Distribution> measured) {
        double longest = models.stream().mapToDouble(model -> model.quantile(SHOWN)).max().orElse(1);
        List<String> names = new ArrayList<>(models.stream().map(WaitingTime::name).toList());
        measured.ifPresent(queue -> names.add("measured"));
        List<String> columns = new ArrayList<>(List.of("waiting_us"));
        columns.addAll(names);
        Table data = new Table(columns);
        for (int i = 0; i <= STEPS; i++) {
            double seconds = longest * i / STEPS;
            List<Object> row = new ArrayList<>(List.of(seconds * US_PER_SECOND));
            models.forEach(model -> row.add(positive(1 - model.within(seconds))));
            measured.ifPresent(queue -> row.add(positive(longer(queue, seconds * US_PER_SECOND))));
            data.add(row);
        }
        DurationUnit unit = DurationUnit.fitting(longest * US_PER_SECOND);
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            boolean points = i == models.size();
            pieces.add("data skip 1 using %s:%d with %s linecolor rgb %s %s title %s".formatted(unit.of(1), i + 2,
                    points ? "points pointtype 7 pointsize 0.35" : "lines", Gnuplot.colour(i),
                    points ? "" : "linewidth 1.8" + (i % 2 == 1 ? " dashtype 2" : ""), Gnuplot.quoted(names.get(i))));
        }
        return new Chart("waiting", data, Gnuplot.labels("Waiting for a worker", "waiting time [" + unit.name() + "]",
                "share that waits longer")
                + "set logscale y\nset format y '%g'\nset yrange [1e-5:1]\nset xrange [0:*]\n"
                + Gnuplot.plot(pieces));
    }

    /** Draws the highest rate of both layouts over the number of publishers, up to twice the break-even point. */
    public static Chart layouts(Layouts layouts) {
        double most = BEYOND * Math.max(layouts.breakEvenPublishers(), layouts.publishers());
        Table data = Table.of("publishers", "at_publishers", "at_subscribers");
        for (int i = 0; i <= STEPS; i++) {
            double n = 1 + (most - 1) * i / STEPS;
            Layouts of = new Layouts(layouts.costs(), layouts.utilisation(), n, layouts.subscribers(),
                    layouts.filters(),
                    layouts.copies());
            data.add(n, of.publisherSide(), of.subscriberSide());
        }
        return new Chart("layouts", data, Gnuplot.labels("Brokers at the publishers or at the subscribers",
                "publishers",
                "highest rate of all publishers [1/s]") + "set yrange [0:*]\n" + Gnuplot.plot(List.of(
                Pen.of(0).line("1", "2", STEPS, "a broker for each publisher"),
                Pen.of(1).line("1", "3", STEPS, "a broker for each subscriber"))));
    }

    /**
     * Draws throughput over clients. @param measuredTo number of clients; beyond it the line is dashed, with 0 all of
     * it
     */
    public static Chart throughput(List<Prediction.Point> points, RunStations run, int measuredTo) {
        return closed("closed_throughput", "Throughput over clients", "throughput [1/s]", "1", points,
                Prediction.Point::throughput, run, run.load().throughput(), measuredTo);
    }

    /** Draws mean response time over clients. @param measuredTo as above */
    public static Chart response(List<Prediction.Point> points, RunStations run, int measuredTo) {
        return closed("closed_response", "Response time over clients", "mean response time [ms]", "1e3", points,
                Prediction.Point::response, run, run.load().response(), measuredTo);
    }

    private static Chart closed(String name, String title, String label, String factor, List<Prediction.Point> points,
            Function<Prediction.Point, Prediction.Figure> figure, RunStations run, double measured, int measuredTo) {
        Table data = Table.of("clients", "model", "model_beyond", "measured", "low", "high");
        for (Prediction.Point point : points) {
            Prediction.Figure predicted = figure.apply(point);
            Number value = Figures.significant(predicted.value());
            data.add((int) point.load(), point.load() <= measuredTo ? value : null,
                    point.load() >= measuredTo ? value : null, null,
                    Figures.significant(predicted.interval().low()), Figures.significant(predicted.interval().high()));
        }
        data.add(run.load().clients(), null, null, Figures.significant(measured), null, null);
        String line = "data skip 1 using 1:($%d*%s) with lines linecolor rgb %s linewidth 1.8%s title %s";
        return new Chart(name, data, Gnuplot.labels(title, "clients", label) + "set yrange [0:*]\n"
                + Gnuplot.plot(Stream.of(
                "data skip 1 using 1:($5*%1$s):($6*%1$s) with filledcurves fillcolor rgb %2$s ".formatted(factor,
                        Gnuplot.colour(0)) + "fillstyle transparent solid 0.18 noborder notitle",
                measuredTo > 0 ? line.formatted(2, factor, Gnuplot.colour(0), "", Gnuplot.quoted("model")) : "",
                line.formatted(3, factor, Gnuplot.colour(0), " dashtype 2",
                Gnuplot.quoted(measuredTo > 0 ? "beyond what was measured" : "model of another system, not measured")),
                "data skip 1 using 1:($4*%s) with points pointtype 7 pointsize 0.8 linecolor rgb %s title 'measured'"
                        .formatted(factor, Gnuplot.colour(1))).filter(piece -> !piece.isEmpty()).toList()));
    }

    private static double longer(Distribution queue, double us) {
        long longer = 0;
        for (int i = queue.indexFrom(Math.floor(us) + 1); i < queue.distinct(); i++) {
            longer += queue.countAt(i);
        }
        return (double) longer / queue.count();
    }

    /** @return nothing for values that a logarithmic scale cannot show */
    private static Number positive(double share) {
        return share > 0 ? Figures.significant(share) : null;
    }
}

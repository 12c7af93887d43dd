package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.FTest;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A figure of each point, adjusted to machines of the same speed, by an analysis of covariance (D. C. Montgomery,
 * Design and Analysis of Experiments, 15.3) of logarithms. Within a point only chance and the machine's speed
 * distinguish runs. So the figure is assumed to change as a power of the time of a fixed piece of work, with the same
 * power at all points. Means are geometric.
 *
 * @param power  the power with its interval: throughput falls with that power of the time, so about −1
 * @param workUs processor time of the work to which points are adjusted, the geometric mean of all runs [us]
 * @param points those with accepted runs, by number
 */
public record AtOneSpeed(Estimate power, double workUs, List<Adjusted> points) {
    private static final double LEVEL = 0.05;
    private static final int FEWEST = 2; // degrees of freedom

    /** An adjusted point. @param mean of the figure at that speed */
    public record Adjusted(Trials.Point point, double mean, Interval interval) {
    }

    /** Logarithms of the runs of a point. */
    private record Runs(Trials.Point point, double[] work, double[] figure) {
        double meanWork() {
            return DoubleStream.of(work).average().orElseThrow();
        }

        double meanFigure() {
            return DoubleStream.of(figure).average().orElseThrow();
        }

        double products(double[] one, double[] other) {
            double[] means = {DoubleStream.of(one).average().orElseThrow(), DoubleStream.of(other).average()
                    .orElseThrow()};
            double sum = 0;
            for (int i = 0; i < one.length; i++) {
                sum += (one[i] - means[0]) * (other[i] - means[1]);
            }
            return sum;
        }
    }

    /**
     * @param column of the figure
     * @return empty if too few runs were repeated, if the figure does not change with the speed beyond noise, or if the
     * work took longer at some points than at others, as the load itself may then slow it
     */
    static Optional<AtOneSpeed> of(Trials trials, String column, double confidence) {
        List<Runs> points = trials.points().stream().map(point -> runs(point, column))
                .filter(runs -> runs.work().length > 0).toList();
        int count = points.stream().mapToInt(runs -> runs.work().length).sum();
        int degrees = count - points.size() - 1;
        double works = points.stream().mapToDouble(runs -> runs.products(runs.work(), runs.work())).sum();
        if (degrees < FEWEST || !(works > 0) || isSlowedByLoad(points, works, count)) {
            return Optional.empty();
        }
        double both = points.stream().mapToDouble(runs -> runs.products(runs.work(), runs.figure())).sum();
        double figures = points.stream().mapToDouble(runs -> runs.products(runs.figure(), runs.figure())).sum();
        double slope = both / works;
        double variance = Math.max(0, figures - slope * both) / degrees;
        Estimate power = new Estimate(slope, Math.sqrt(variance / works), degrees);
        if (power.interval(confidence).contains(0)) {
            return Optional.empty();
        }
        double common = points.stream().flatMapToDouble(runs -> DoubleStream.of(runs.work())).average().orElseThrow();
        return Optional.of(new AtOneSpeed(power, Math.exp(common), points.stream().map(runs -> {
            double off = runs.meanWork() - common;
            Interval log = new Estimate(runs.meanFigure() - slope * off,
                    Math.sqrt(variance * (1.0 / runs.work().length + off * off / works)), degrees).interval(confidence);
            return new Adjusted(runs.point(), Math.exp(runs.meanFigure() - slope * off),
                    new Interval(Math.exp(log.low()), Math.exp(log.high())));
        }).toList()));
    }

    /**
     * @return true if the time of the work differs between points by more than within them, by an analysis of variance
     */
    private static boolean isSlowedByLoad(List<Runs> points, double within, int count) {
        double common = points.stream().flatMapToDouble(runs -> DoubleStream.of(runs.work())).average().orElseThrow();
        double between = points.stream().mapToDouble(runs ->
                runs.work().length * (runs.meanWork() - common) * (runs.meanWork() - common)).sum();
        int degrees = points.size() - 1;
        int left = count - points.size();
        return degrees > 0 && FTest.of(degrees, between / degrees / (within / left), left).probability() < LEVEL;
    }

    private static Runs runs(Trials.Point point, String column) {
        List<Trial> known = point.accepted().stream()
                .filter(trial -> trial.figure(column) > 0 && trial.figure(MachineSpeed.FIXED_WORK) > 0).toList();
        return new Runs(point, logs(known.stream(), MachineSpeed.FIXED_WORK), logs(known.stream(), column));
    }

    private static double[] logs(Stream<Trial> trials, String column) {
        return trials.mapToDouble(trial -> Math.log(trial.figure(column))).toArray();
    }
}

package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.model.fit.Observations;
import ch.ethz.mlmq.log_analyzer.model.fit.Scalability;
import ch.ethz.mlmq.log_analyzer.model.fit.ServiceTimeFit;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The universal scalability law of throughput over one factor, for fixed levels of the others.
 *
 * @param factor  index in the design
 * @param others  levels of the other factors, in words; empty if there are none
 * @param law     that was fitted
 * @param figures its parameters with intervals
 * @param error   root mean square of the relative residuals
 * @param used    levels in the fit, with the throughput of each run
 * @param leftOut levels not in the fit: requested to be left out, or without an accepted run
 */
public record ScalingLaw(int factor, String others, Scalability law, List<Scalability.Figure> figures, double error,
        List<double[]> used, List<double[]> leftOut) {
    /** Words of factors of which more may serve more requests. */
    private static final Pattern SCALES =
            Pattern.compile("(?i)client|broker|worker|connection|pool|thread|machine|jvm|consumer|producer");
    private static final int FEWEST_LEVELS = 4;
    private static final int RESAMPLES = 1000;
    private static final String THROUGHPUT = "throughput";

    /** @return index of the first suitable factor: it has numbers, and four levels or more */
    public static OptionalInt factor(Trials trials) {
        return IntStream.range(0, trials.design().factors().size()).filter(i -> {
            Factor factor = trials.design().factors().get(i);
            return factor.isNumeric() && trials.levelsOf(i).size() >= FEWEST_LEVELS
                    && factor.isCalled(SCALES);
        }).findFirst();
    }

    /**
     * @param leftOut levels to be left out of the fit
     * @param remarks gets the reason if a line cannot be fitted
     */
    public static List<ScalingLaw> of(Trials trials, Set<String> leftOut, double confidence, List<String> remarks) {
        List<ScalingLaw> laws = new ArrayList<>();
        OptionalInt factor = factor(trials);
        FigureName throughput = trials.figures().stream().filter(each -> each.isCalled(THROUGHPUT)).findFirst()
                .orElse(null);
        if (factor.isEmpty() || throughput == null) {
            return laws;
        }
        Map<List<String>, List<Trials.Point>> lines = trials.lines(factor.getAsInt());
        lines.forEach((others, points) -> {
            if (points.size() < 2) {
                return; // no line: factors were varied one at a time
            }
            try {
                laws.add(line(trials, factor.getAsInt(), trials.words(factor.getAsInt(), others), points,
                        throughput.column(), leftOut, confidence));
            } catch (DataException cannot) {
                String of = others.isEmpty() ? "" : " (" + trials.words(factor.getAsInt(), others) + ")";
                remarks.add("Scaling law%s: %s".formatted(of, cannot.getMessage()));
            }
        });
        return laws;
    }

    private static ScalingLaw line(Trials trials, int index, String others, List<Trials.Point> points, String column,
            Set<String> asked, double confidence) {
        Factor factor = trials.design().factors().get(index);
        List<double[]> used = new ArrayList<>();
        List<double[]> leftOut = new ArrayList<>();
        for (Trials.Point point : points) {
            String level = point.levels().get(index);
            double number = factor.number(level).orElseThrow();
            boolean left = asked.contains(level) || point.count(column) == 0;
            List<Trial> runs = point.accepted().isEmpty() ? point.others() : point.accepted();
            runs.stream().mapToDouble(trial -> trial.figure(column)).filter(Double::isFinite)
                    .forEach(rate -> (left ? leftOut : used).add(new double[] {number, rate}));
        }
        if (used.stream().mapToDouble(row -> row[0]).distinct().count() < FEWEST_LEVELS) {
            throw new DataException("it needs accepted runs at " + FEWEST_LEVELS + " levels of " + factor.name() + ".");
        }
        ServiceTimeFit fit = Scalability.fit(new Observations(List.of(factor.name(), THROUGHPUT), used), factor.name(),
                THROUGHPUT);
        List<Scalability.Figure> figures = Scalability.figures(fit, RESAMPLES, confidence);
        return new ScalingLaw(index, others, Scalability.of(fit.coefficients()), figures, fit.residualError(), used,
                leftOut);
    }

    /** @return the interval of a parameter */
    public Interval interval(String name) {
        return figures.stream().filter(figure -> figure.name().equals(name)).findFirst().orElseThrow().interval();
    }
}

package ch.ethz.mlmq.log_analyzer.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The knee, from which on more load costs more response time than it gives throughput: the level with the highest
 * power, throughput over mean response time (L. Kleinrock, <i>On flow control in computer networks</i>, ICC 1978; R.
 * Jain 1991, section 3.3).
 *
 * @param factor index in the design
 * @param others levels of the other factors, in words
 * @param point  with the highest power
 * @param isLast true if it is the last measured level, so that the knee may lie beyond it
 */
public record Knee(int factor, String others, Trials.Point point, boolean isLast) {
    private static final int FEWEST_LEVELS = 3;
    private static final Pattern LOAD = Pattern.compile("(?i)client|rate|load|think");

    /** @return the knee of each line of points that differ only in load; none if no factor is a load */
    public static List<Knee> of(Trials trials) {
        List<Knee> knees = new ArrayList<>();
        OptionalInt load = factor(trials);
        FigureName rate = figure(trials, "throughput");
        FigureName time = figure(trials, "mean") == null ? figure(trials, "p50") : figure(trials, "mean");
        if (load.isEmpty() || rate == null || time == null) {
            return knees;
        }
        trials.lines(load.getAsInt()).forEach((others, points) -> {
            List<Trials.Point> measured = points.stream()
                    .filter(point -> point.count(rate.column()) > 0 && point.count(time.column()) > 0).toList();
            if (measured.size() >= FEWEST_LEVELS) {
                int best = 0;
                for (int i = 1; i < measured.size(); i++) {
                    if (power(measured.get(i), rate, time) > power(measured.get(best), rate, time)) {
                        best = i;
                    }
                }
                knees.add(new Knee(load.getAsInt(), trials.words(load.getAsInt(), others), measured.get(best),
                        best == measured.size() - 1));
            }
        });
        return knees;
    }

    /** @return index of the factor that is a load, and a number */
    public static OptionalInt factor(Trials trials) {
        return IntStream.range(0, trials.design().factors().size()).filter(i -> {
            Factor factor = trials.design().factors().get(i);
            return factor.isNumeric() && factor.isCalled(LOAD)
                    && trials.levelsOf(i).size() >= FEWEST_LEVELS;
        }).findFirst();
    }

    private static double power(Trials.Point point, FigureName rate, FigureName time) {
        return point.estimate(rate.column()).value() / point.estimate(time.column()).value();
    }

    private static FigureName figure(Trials trials, String name) {
        return trials.figures().stream().filter(each -> each.isCalled(name)).findFirst().orElse(null);
    }
}

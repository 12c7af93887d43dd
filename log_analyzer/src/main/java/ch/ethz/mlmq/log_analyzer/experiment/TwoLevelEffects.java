package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.analysis.Factorial;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.statistics.FTest;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.statistics.Intervals;
import ch.ethz.mlmq.log_analyzer.statistics.Lenth;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Effects of a 2^k or 2^(k-p) design: half the change from the low to the high level. */
final class TwoLevelEffects {
    private final Trials trials;
    private final List<Trial> accepted;
    private final String column;
    private final double confidence;
    private final List<String> names;
    private final List<List<String>> levels = new ArrayList<>();
    private final Confounding confounding;

    TwoLevelEffects(Trials trials, String column, double confidence) {
        this.trials = trials;
        this.accepted = trials.with(column);
        this.column = column;
        this.confidence = confidence;
        this.names = trials.design().factors().stream().map(Factor::name).toList();
        this.confounding = Confounding.of(names, trials.design().plan().generators());
        requireNamesOfTheirOwn();
        for (int i = 0; i < names.size(); i++) {
            levels.add(twoLevels(i));
        }
    }

    private void requireNamesOfTheirOwn() {
        Set<String> met = new HashSet<>();
        for (int set : confounding.rows()) {
            String name = confounding.name(new Confounding.Word(set, false));
            if (!met.add(name)) {
                throw new DataException("Two effects are called '" + name + "', as the name of a factor is that of an "
                        + "interaction. Give the factor another name.");
            }
        }
    }

    Effects compute() {
        List<List<Trial>> cells = cells();
        List<Factorial.Factor> base = confounding.base().stream()
                .map(i -> new Factorial.Factor(names.get(i), -1, 1)).toList();
        Factorial factorial = new Factorial(base, cells.stream()
                .map(cell -> cell.stream().mapToDouble(trial -> trial.figure(column)).toArray())
                .toArray(double[][]::new));
        List<Factorial.Effect> found = factorial.effects(confidence);
        List<Integer> sets = factorial.sets();
        List<String> remarks = confounded();
        List<Interval> intervals = intervals(factorial, found, remarks);
        List<Effects.Effect> effects = new ArrayList<>();
        List<Integer> beyondNoise = new ArrayList<>();
        for (int i = 1; i < sets.size(); i++) {
            Effects.Effect effect = effect(found.get(i), intervals.get(i), sets.get(i), factorial);
            effects.add(effect);
            if (!effect.withinNoise().orElse(true)) {
                beyondNoise.add(sets.get(i));
            }
        }
        boolean repeated = factorial.errorDegrees() > 0;
        if (!repeated) {
            remarks.add("Residuals are of the relation with only the effects beyond noise.");
        }
        return new Effects(method(), found.get(0).value(), effects, error(factorial, found), Effects.Levels.NONE,
                residuals(cells, factorial, repeated ? sets.subList(1, sets.size()) : beyondNoise), remarks);
    }

    private String method() {
        return trials.design().plan().generators().isEmpty() ? "2^k design, effects from cell means"
                : "2^(k-p) design of resolution " + confounding.resolution() + ", effects from cell means";
    }

    /** @return an interval for each effect: from the repetitions or, if there are none, by Lenth's method */
    private List<Interval> intervals(Factorial factorial, List<Factorial.Effect> found, List<String> remarks) {
        List<Factorial.Effect> ofFactors = found.subList(1, factorial.sets().size());
        if (factorial.errorDegrees() == 0 && ofFactors.size() >= Lenth.FEWEST) {
            remarks.add("The design has no repetitions. Intervals use Lenth's pseudo standard error, which takes "
                    + "most effects as noise.");
            double margin = new Lenth(ofFactors.stream().mapToDouble(Factorial.Effect::value).toArray())
                    .margin(confidence);
            return found.stream().map(each -> Interval.around(each.value(), margin)).toList();
        }
        if (factorial.errorDegrees() == 0) {
            remarks.add("The design has no repetitions, so effects have no intervals. Repeat the points, or vary "
                    + "three factors or more.");
        }
        if (factorial.errorDegrees() > 0 && Double.isNaN(variance(factorial))) {
            remarks.add(VarianceAnalysis.EQUAL);
            return found.stream().map(each -> Interval.UNKNOWN).toList();
        }
        return found.stream().map(Factorial.Effect::interval).toList();
    }

    /** @return NaN without repetitions, or if they are equal but for rounding */
    private double variance(Factorial factorial) {
        int degrees = factorial.errorDegrees();
        double squares = trials.with(column).stream().mapToDouble(trial -> Math.pow(trial.figure(column), 2)).sum();
        return degrees > 0 && factorial.errorSquares() > VarianceAnalysis.ROUNDED * squares
                ? factorial.errorSquares() / degrees : Double.NaN;
    }

    private Optional<Effects.Error> error(Factorial factorial, List<Factorial.Effect> found) {
        int degrees = factorial.errorDegrees();
        return Double.isNaN(variance(factorial)) ? Optional.empty()
                : Optional.of(new Effects.Error(factorial.errorSquares(), degrees,
                found.get(found.size() - 1).share(), Math.sqrt(variance(factorial))));
    }

    /** @param kept the effects of the relation that predicts */
    private List<Effects.Residual> residuals(List<List<Trial>> cells, Factorial factorial, List<Integer> kept) {
        List<Trial> order = cells.stream().flatMap(List::stream).toList();
        double[] predicted = IntStream.range(0, cells.size()).boxed().flatMapToDouble(cell ->
                cells.get(cell).stream().mapToDouble(trial -> factorial.predict(cell, kept))).toArray();
        return Effects.residuals(order, column, predicted);
    }

    private Effects.Effect effect(Factorial.Effect each, Interval interval, int set, Factorial factorial) {
        Optional<Boolean> noise = Double.isNaN(interval.low()) ? Optional.empty() : Optional.of(interval.contains(0));
        List<Confounding.Word> together = confounding.together(confounding.ofDesign(set));
        // The row is that of the fewest factors; the others differ in sign if their word is negative.
        boolean minus = together.get(0).negative();
        Confounding.Word shown = new Confounding.Word(together.get(0).set(), false);
        double value = minus ? -each.value() : each.value();
        Interval of = minus ? new Interval(-interval.high(), -interval.low()) : interval;
        double error = factorial.errorDegrees() == 0 ? Double.NaN
                : (of.high() - value) / quantile(factorial.errorDegrees());
        double f = variance(factorial) > 0 ? Math.pow(value / error, 2) : Double.NaN;
        return new Effects.Effect(confounding.name(shown), value, of, each.share(),
                FTest.of(1, f, factorial.errorDegrees()), noise,
                together.stream().skip(1).map(word -> confounding.name(new Confounding.Word(word.set(),
                        word.negative() ^ minus))).toList());
    }

    private double quantile(int degrees) {
        return Intervals.quantileT(degrees, confidence);
    }

    private List<String> confounded() {
        List<String> remarks = new ArrayList<>();
        if (!confounding.words().isEmpty()) {
            remarks.add("Confounded: " + String.join(" = ", confounding.relation()) + "; resolution "
                    + confounding.resolution()
                            + ". The effect in a row is the sum of its own and all that are confounded with it.");
        }
        return remarks;
    }

    private List<List<Trial>> cells() {
        List<List<Trial>> cells = new ArrayList<>();
        for (int i = 0; i < 1 << confounding.base().size(); i++) {
            cells.add(new ArrayList<>());
        }
        for (Trial trial : accepted) {
            requireGenerators(trial);
            int cell = 0;
            for (int i = 0; i < confounding.base().size(); i++) {
                cell |= bit(trial, confounding.base().get(i)) << i;
            }
            cells.get(cell).add(trial);
        }
        for (int cell = 0; cell < cells.size(); cell++) {
            if (cells.get(cell).isEmpty()) {
                throw new DataException("No accepted run has " + describe(cell) + ": effects need every combination "
                        + "of the design.");
            }
        }
        return cells;
    }

    private void requireGenerators(Trial trial) {
        for (Confounding.Word word : confounding.words()) {
            long low = IntStream.range(0, names.size()).filter(i -> (word.set() >> i & 1) == 1 && bit(trial, i) == 0)
                    .count();
            // The product of the signs of a word is the same in all runs.
            if (low % 2 != (word.negative() ? 1 : 0)) {
                throw new DataException("Run %s does not follow the generators: %s is minus."
                        .formatted(trial.run(), confounding.name(word)));
            }
        }
    }

    private int bit(Trial trial, int factor) {
        return levels.get(factor).indexOf(trial.levels().get(factor));
    }

    private String describe(int cell) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < confounding.base().size(); i++) {
            int factor = confounding.base().get(i);
            parts.add(names.get(factor) + "=" + levels.get(factor).get(cell >> i & 1));
        }
        return String.join(", ", parts);
    }

    private List<String> twoLevels(int factor) {
        List<String> met = trials.lowFirst(factor);
        if (met.size() != 2) {
            throw new DataException("Factor %s has %d level%s (%s); two are needed.".formatted(names.get(factor),
                    met.size(), met.size() == 1 ? "" : "s", String.join(", ", met)));
        }
        return met;
    }
}

package ch.ethz.mlmq.log_analyzer.experiment;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The table of signs of a 2^k or 2^(k-p) design: a column for each effect, a row for each point (R. Jain 1991, chapters
 * 17 and 19). An effect is the mean of a response times its column's signs.
 *
 * @param terms names of the effects, as in {@link Effects}
 * @param rows  by number of the point
 */
public record SignTable(List<String> terms, List<Row> rows) {

    /** The signs of a point. @param signs 1 or -1, in the order of the terms */
    public record Row(Trials.Point point, List<Integer> signs) {
    }

    /** @return empty if the design has no effects of two levels */
    static Optional<SignTable> of(Trials trials, Effects effects) {
        if (trials.design().plan().analysis() != Design.Analysis.EFFECTS) {
            return Optional.empty();
        }
        Confounding confounding = Confounding.of(trials.design().factors().stream().map(Factor::name).toList(),
                trials.design().plan().generators());
        List<String> terms = effects.effects().stream().map(Effects.Effect::name).toList();
        Map<String, Integer> byName = confounding.rows().stream().collect(Collectors.toMap(set ->
                confounding.name(new Confounding.Word(set, false)), set -> set));
        List<Integer> sets = terms.stream().map(byName::get).toList();
        return Optional.of(new SignTable(terms, trials.points().stream().map(point -> new Row(point,
                sets.stream().map(set -> sign(trials, point, set)).toList())).toList()));
    }

    private static int sign(Trials trials, Trials.Point point, int set) {
        long low = IntStream.range(0, point.levels().size()).filter(i -> (set >> i & 1) == 1
                && point.levels().get(i).equals(trials.lowFirst(i).get(0))).count();
        return low % 2 == 0 ? 1 : -1;
    }
}

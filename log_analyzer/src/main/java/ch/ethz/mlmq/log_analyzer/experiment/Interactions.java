package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import java.util.ArrayList;
import java.util.List;

/**
 * The mean of a figure at each pair of levels of two factors, over all levels of the others. Lines that are not
 * parallel show an interaction.
 *
 * @param factor along the axis @param by one line each @param cells by level of {@code by}, then of {@code factor}
 */
public record Interactions(int factor, int by, List<List<Estimate>> cells) {

    /** @return each pair of factors that have several levels; the one with more levels along the axis */
    public static List<Interactions> of(Trials trials, String column) {
        List<Interactions> pairs = new ArrayList<>();
        List<Trial> accepted = trials.with(column);
        int count = trials.design().factors().size();
        for (int i = 0; i < count; i++) {
            for (int j = i + 1; j < count; j++) {
                int one = trials.levelsOf(i).size();
                int other = trials.levelsOf(j).size();
                if (one > 1 && other > 1) {
                    pairs.add(of(trials, accepted, column, one >= other ? i : j, one >= other ? j : i));
                }
            }
        }
        return pairs;
    }

    private static Interactions of(Trials trials, List<Trial> accepted, String column, int factor, int by) {
        List<List<Estimate>> cells = new ArrayList<>();
        for (String line : trials.levelsOf(by)) {
            List<Estimate> estimates = new ArrayList<>();
            for (String level : trials.levelsOf(factor)) {
                estimates.add(Estimate.ofMean(accepted.stream().filter(trial -> trial.levels().get(by).equals(line)
                        && trial.levels().get(factor).equals(level)).mapToDouble(trial -> trial.figure(column))
                                .toArray()));
            }
            cells.add(estimates);
        }
        return new Interactions(factor, by, cells);
    }
}

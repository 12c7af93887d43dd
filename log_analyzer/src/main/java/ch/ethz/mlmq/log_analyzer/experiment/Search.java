package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.vocabulary.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The highest level of a factor at which runs keep all conditions. A level holds if more than half of its tries hold. A
 * rejected run that breaks a condition counts as a try, because too much load has that effect.
 *
 * @param tries   in the order of the runs
 * @param holds   the highest level that holds below the lowest that does not; NaN if none holds
 * @param breaks  the lowest level that does not hold; NaN if all hold
 */
public record Search(List<Try> tries, double holds, double breaks) {

    /** A try. @param level that was tried @param broken conditions that the run did not keep */
    public record Try(Trial trial, double level, List<String> broken) {
        public boolean holds() {
            return broken.isEmpty();
        }
    }

    /** @param trials of a {@code find}, whose first factor is searched over */
    public static Search of(Trials trials) {
        Factor factor = trials.design().factors().get(0);
        List<Condition> until = trials.design().until();
        if (until.isEmpty()) {
            throw new DataException("The design find has no conditions: until: [\"p99 < 50 ms\", \"queue steady\"].");
        }
        List<Try> tries = new ArrayList<>();
        for (Trial trial : trials.all()) {
            List<String> broken = until.stream().filter(condition -> !trial.keeps(condition)).map(Condition::text)
                    .toList();
            boolean measured = !trial.figures().isEmpty();
            if (measured && (trial.isAccepted() || trial.state() == Trial.State.REJECTED && !broken.isEmpty())) {
                String level = trial.levels().get(0);
                tries.add(new Try(trial, factor.number(level).orElseThrow(() -> new DataException(
                        "Run %s: the level %s of %s is no number.".formatted(trial.run(), level, factor.name()))),
                                broken));
            }
        }
        Map<Double, List<Try>> byLevel = tries.stream()
                .collect(Collectors.groupingBy(Try::level, TreeMap::new, Collectors.toList()));
        double holds = Double.NaN;
        for (Map.Entry<Double, List<Try>> level : byLevel.entrySet()) {
            if (level.getValue().stream().filter(Try::holds).count() * 2 <= level.getValue().size()) {
                return new Search(List.copyOf(tries), holds, level.getKey());
            }
            holds = level.getKey();
        }
        return new Search(List.copyOf(tries), holds, Double.NaN);
    }
}

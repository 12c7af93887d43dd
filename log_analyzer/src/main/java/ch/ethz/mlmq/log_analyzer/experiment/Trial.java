package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.vocabulary.Condition;
import ch.ethz.mlmq.log_analyzer.vocabulary.Dimension;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One run of an experiment.
 *
 * @param run        its name or number
 * @param point      number of its combination of levels
 * @param repetition of the point
 * @param reason     why it is not accepted; empty if it is
 * @param levels     of each factor, in the design's order
 * @param figures    by the names of their columns; missing if not measured
 */
public record Trial(String run, int point, int repetition, State state, String reason, List<String> levels,
        Map<String, Double> figures) {
    /** The outcome of a run; only accepted runs count. */
    public enum State {
        ACCEPTED, REJECTED, FAILED, SKIPPED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static State named(String word) {
            return Arrays.stream(values()).filter(state -> state.word().equals(word)).findFirst()
                    .orElseThrow(() -> new DataException("'" + word
                            + "' is not a state: write accepted, rejected, failed or skipped."));
        }
    }

    public boolean isAccepted() {
        return state == State.ACCEPTED;
    }

    /** @return the figure of this name; null if the run does not have it */
    FigureName named(String asked) {
        return figures.keySet().stream().map(FigureName::of).filter(name -> name.isCalled(asked)).findFirst()
                .orElse(null);
    }

    /** @return true if the run keeps the condition; a missing figure does not keep it */
    boolean keeps(Condition condition) {
        FigureName name = named(condition.figure().name());
        Dimension dimension = condition.figure().dimension();
        return name != null && condition.holds(figure(name.column())
                * dimension.units().getOrDefault(name.unit(), dimension.plainSize()));
    }

    /** @return NaN if it was not measured */
    public double figure(String column) {
        return figures.getOrDefault(column, Double.NaN);
    }
}

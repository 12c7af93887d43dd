package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.run.MachineLoad;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether the runs of an experiment had machines of the same speed; a host may give a virtual machine less by
 * the hour.
 */
final class MachineSpeed {
    /** Column of the processor time of the fixed piece of work in a run, mean of its machines. */
    static final String FIXED_WORK = "fixed_work [us]";
    private static final double US_PER_MS = 1000;

    private MachineSpeed() {
    }

    /** @return a sentence if the slowest run had machines more than 1.1 times as slow as the fastest one */
    static Optional<String> remark(Trials trials) {
        Comparator<Trial> bySpeed = Comparator.comparingDouble(trial -> trial.figure(FIXED_WORK));
        List<Trial> ordered = trials.with(FIXED_WORK).stream().sorted(bySpeed).toList();
        if (ordered.isEmpty()) {
            return Optional.empty();
        }
        Trial fastest = ordered.get(0);
        Trial slowest = ordered.get(ordered.size() - 1);
        double ratio = slowest.figure(FIXED_WORK) / fastest.figure(FIXED_WORK);
        return !(ratio > MachineLoad.SAME_SPEED) ? Optional.empty() : Optional.of((
                "The machines changed their speed: the fixed piece of work took %s ms of processor time in run %s and "
                        + "%s ms in run %s. That alone makes runs differ.")
                .formatted(ms(fastest), fastest.run(), ms(slowest), slowest.run()));
    }

    private static String ms(Trial trial) {
        return Figures.rounded(trial.figure(FIXED_WORK) / US_PER_MS, 2);
    }
}

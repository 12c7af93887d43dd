package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.vocabulary.CheckBounds;
import java.util.List;

/** Utilisation and speed of a machine, from samples of every second. */
public final class MachineLoad {
    /** Ratio of times for the fixed piece of work up to which the speed counts as the same. */
    public static final double SAME_SPEED = 1 + CheckBounds.warning("Machine speed");

    private static final String SHARE = "cpu";
    private static final String FIXED_WORK = "fixed_work";
    private static final String ALL_TICKS = "cpu_all_ticks";
    private static final List<String> BUSY_TICKS = List.of("cpu_user_ticks", "cpu_system_ticks", "cpu_steal_ticks");

    private MachineLoad() {
    }

    /**
     * @return share of time in which its processors were busy between two times [ms since 1970], 0..1; NaN if unknown
     */
    public static double busy(Samples machine, long fromMs, long toMs) {
        List<double[]> rows = machine.rows().stream().filter(row -> row[0] >= fromMs && row[0] < toMs).toList();
        int share = machine.column(SHARE);
        if (share >= 0) {
            return rows.stream().mapToDouble(row -> row[share]).average().orElse(Double.NaN);
        }
        int all = machine.column(ALL_TICKS);
        if (all < 0 || rows.size() < 2) {
            return Double.NaN;
        }
        double[] first = rows.get(0);
        double[] last = rows.get(rows.size() - 1);
        double busy = BUSY_TICKS.stream().mapToInt(machine::column).filter(column -> column >= 0)
                .mapToDouble(column -> last[column] - first[column]).sum();
        return busy / (last[all] - first[all]);
    }

    /**
     * @return processor time that the fixed piece of work took between two times [ms since 1970], mean [us]; NaN if
     * unknown
     */
    public static double fixedWork(Samples machine, long fromMs, long toMs) {
        int column = machine.column(FIXED_WORK);
        return column < 0 ? Double.NaN : machine.rows().stream().filter(row -> row[0] >= fromMs && row[0] < toMs)
                .mapToDouble(row -> row[column]).filter(us -> !Double.isNaN(us)).average().orElse(Double.NaN);
    }
}

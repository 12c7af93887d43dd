package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.vocabulary.CheckBounds;
import java.util.List;

/** Utilisation and speed of a machine, from samples of every second. */
public final class MachineLoad {
    /** Ratio of times for the fixed piece of work up to which the speed counts as the same. */
    public static final double SAME_SPEED = 1 + CheckBounds.warning("Machine speed");

    private static final double MS_PER_SECOND = 1_000;
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

    /** @return highest share of its memory in use between two times [ms since 1970], 0..1; NaN if unknown */
    public static double memory(Samples machine, long fromMs, long toMs) {
        int used = machine.column("memory_used");
        int total = machine.column("memory_total");
        return used < 0 || total < 0 ? Double.NaN : machine.rows().stream()
                .filter(row -> row[0] >= fromMs && row[0] < toMs && row[total] > 0)
                .mapToDouble(row -> row[used] / row[total]).max().orElse(Double.NaN);
    }

    /**
     * @return mean of what it sent or received through its network between two times [ms since 1970], whichever is more
     * [bytes/s]; NaN if unknown
     */
    public static double network(Samples machine, long fromMs, long toMs) {
        return Math.max(flow(machine, "net_rx", fromMs, toMs), flow(machine, "net_tx", fromMs, toMs));
    }

    /** A line counts since the line before; one that began earlier, or ends later, counts by its part in this time. */
    private static double flow(Samples machine, String name, long fromMs, long toMs) {
        int column = machine.column(name);
        if (column < 0) {
            return Double.NaN;
        }
        double bytes = 0;
        double covered = 0;
        List<double[]> rows = machine.rows();
        for (int i = 1; i < rows.size(); i++) {
            double began = rows.get(i - 1)[0];
            double ended = rows.get(i)[0];
            double within = Math.min(ended, toMs) - Math.max(began, fromMs);
            if (within > 0 && !Double.isNaN(rows.get(i)[column])) {
                bytes += rows.get(i)[column] * within / (ended - began);
                covered += within;
            }
        }
        return covered > 0 ? bytes * MS_PER_SECOND / covered : Double.NaN;
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

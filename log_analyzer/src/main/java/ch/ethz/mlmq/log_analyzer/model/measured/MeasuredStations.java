package ch.ethz.mlmq.log_analyzer.model.measured;

import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.run.MachineLoad;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * The stations of a run with their variation over time, by a bootstrap of windows (H. R. Künsch, <i>The Jackknife and
 * the Bootstrap for General Stationary Observations</i>, Annals of Statistics 17, 1989: blocks, because neighbours are
 * alike).
 *
 * @param measured   of the whole measurement interval, from its logs
 * @param stations   the same, fitted so that the model reproduces the run's measurements
 * @param batches    by window
 * @param windows    sums and counts of each window: response, BProcReq, BDb, BPool, BQueue, each its sum [us] and its
 * count
 * @param processors utilisation of the busiest machine's processors, 0..1; NaN if it is unknown
 */
public record MeasuredStations(RunStations measured, RunStations stations, BatchTimes batches,
        List<double[]> windows, double processors) {
    private static final int WINDOWS = 20;
    private static final List<String> ACTIONS = List.of("CSndReq#OK#", "BProcReq#", "BDb#", "BPool", "BQueue");
    private static final int RESPONSE = 0;
    private static final int PROCESS = 2;
    private static final int DATABASE = 4;
    private static final int QUEUE = 8;
    private static final String SERVICE = ":service";

    public static MeasuredStations of(Run run, TimeSelection cut) throws IOException {
        Measurements measured = PerformanceLogs.of(run.store()).read(cut, OptionalLong.of(Integer.MAX_VALUE),
                Grouping.byAction("CSndReq#OK#", "B"));
        TimeRange steady = new TimeRange(measured.steadyFromMs(), measured.steadyToMs());
        BatchTimes batches = BatchTimes.of(run, steady, WINDOWS);
        RunStations stations = new StationsOfRun(run, measured, batches).read();
        return new MeasuredStations(stations, stations.fitted(), batches, windows(run, steady),
                processors(run, steady));
    }

    private static double processors(Run run, TimeRange steady) throws IOException {
        return run.machines().stream().mapToDouble(machine -> MachineLoad.busy(machine, steady.fromMs(), steady.toMs()))
                .filter(share -> !Double.isNaN(share)).max().orElse(Double.NaN);
    }

    /**
     * @param rate    of all brokers together [1/s]
     * @param brokers that share the rate
     * @return a remark if processors, which no station represents, would be short by the utilisation law; empty
     * otherwise
     */
    public Optional<String> processorsShort(double rate, int brokers) {
        double busy = processors * rate / stations.load().throughput();
        if (!(busy > 1) || brokers != stations.servers().brokers()) {
            return Optional.empty();
        }
        return Optional.of(("Processors are no station of the model, but may be the bottleneck: they were %s %% busy "
                + "in the run, and would be %s %% at %s /s at the same cost of a request. Larger batches reduce this "
                + "cost.")
                .formatted(Figures.rounded(100 * processors, 0), Figures.rounded(100 * busy, 0),
                Figures.forPeople(rate)));
    }

    private static List<double[]> windows(Run run, TimeRange steady) throws IOException {
        long length = Math.max(1, (steady.toMs() - steady.fromMs()) / WINDOWS);
        TimeSelection whole = new TimeSelection(OptionalLong.of(steady.fromMs()), 0, length * WINDOWS, 0, 0,
                Optional.empty());
        Measurements measured = PerformanceLogs.of(run.store()).read(whole, OptionalLong.of(length),
                Grouping.byAction(ACTIONS.toArray(String[]::new)));
        List<double[]> windows = new ArrayList<>();
        for (int i = 0; i < WINDOWS; i++) {
            windows.add(new double[2 * ACTIONS.size()]);
        }
        for (Measurements.Group group : measured.groups()) {
            for (int action = 0; action < ACTIONS.size(); action++) {
                if (group.name().startsWith(ACTIONS.get(action)) && !group.name().endsWith(SERVICE)) {
                    for (Measurements.Window window : group.windows()) {
                        if (window.number() < WINDOWS) {
                            double[] sums = windows.get((int) window.number());
                            sums[2 * action] += window.summary().mean() * window.summary().count();
                            sums[2 * action + 1] += window.summary().count();
                        }
                    }
                }
            }
        }
        return windows;
    }

    /** @return the stations of another hypothetical run of the same length, with a fit; the seed selects it */
    public RunStations resampled(long seed) {
        return varied(seed).fitted();
    }

    /** @return the same without a fit, which is enough for a batch's times */
    RunStations varied(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] all = new double[2 * ACTIONS.size()];
        double[] drawn = new double[all.length];
        for (int i = 0; i < windows.size(); i++) {
            add(all, windows.get(i));
            add(drawn, windows.get(random.nextInt(windows.size())));
        }
        RunStations.Load load = load(drawn, all);
        return new RunStations(load, demands(load.response(), drawn, all), measured.servers(),
                measured.batch().map(batch -> batches.resampled(random)
                        .map(fit -> new GroupCommit(fit.fixed(), fit.each(), batch.most())).orElse(batch)),
                measured.remarks());
    }

    private RunStations.Load load(double[] drawn, double[] all) {
        RunStations.Load load = measured.load();
        double response = load.response() * change(drawn, all, RESPONSE);
        double throughput = load.throughput() * (all[RESPONSE + 1] > 0 && drawn[RESPONSE + 1] > 0
                ? drawn[RESPONSE + 1] / all[RESPONSE + 1] : 1);
        return new RunStations.Load(load.clients(), throughput, response, load.think(),
                load.clients() / throughput - response - load.think());
    }

    /** @param response with the windows that were drawn [s] */
    private RunStations.Demands demands(double response, double[] drawn, double[] all) {
        RunStations.Demands demands = measured.demands();
        double process = change(drawn, all, PROCESS);
        double database = demands.database() * change(drawn, all, DATABASE);
        double worker = Math.max(0, demands.held() * process - database);
        // The network is the rest of the response time, so it takes the error of all others.
        double inside = all[PROCESS + 1] > 0 ? all[PROCESS] / all[PROCESS + 1] / 1e6 : 0;
        double queue = all[QUEUE + 1] > 0 ? all[QUEUE] / all[QUEUE + 1] / 1e6 : 0;
        double network = Math.max(0, demands.network() + response - measured.load().response() - inside * (process - 1)
                - queue * (change(drawn, all, QUEUE) - 1));
        return new RunStations.Demands(network, worker, database);
    }

    private static void add(double[] sums, double[] window) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += window[i];
        }
    }

    /** @return mean of the drawn windows over the mean of all; 1 if there is nothing */
    private static double change(double[] drawn, double[] all, int action) {
        return all[action] > 0 && drawn[action] > 0
                ? drawn[action] / drawn[action + 1] / (all[action] / all[action + 1]) : 1;
    }
}

package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.PerformanceFile;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFiles;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The utilisation of a broker, from its statistics file.
 *
 * @param jvm         its name
 * @param requests    that got a response [1/s]
 * @param busyIo      mean number of busy I/O threads
 * @param busyWorkers mean number of busy workers
 * @param workers     number of workers, NaN if it is unknown
 */
public record BrokerLoad(String jvm, double requests, double busyIo, double busyWorkers, double workers) {
    private static final double SATURATED = 0.95;
    private static final double NS_PER_MS = 1e6;
    private static final Pattern STARTED = Pattern.compile("Started\\[(\\d{1,15})\\]");

    public boolean isSaturated() {
        return busyWorkers >= SATURATED * workers;
    }

    /** @return a description of one broker */
    public String words() {
        return jvm + " " + Figures.rounded(requests, 0) + " /s, " + Figures.rounded(busyWorkers, 2)
                + (Double.isNaN(workers) ? "" : " of " + Figures.rounded(workers, 0)) + " workers busy";
    }

    /** @return start of each JVM [ms since 1970], by its name, as far as the logs tell */
    public static Map<String, Long> starts(Run run) throws IOException {
        Map<String, Long> starts = new HashMap<>();
        for (PerformanceFile file : PerformanceFiles.in(run.store())) {
            Matcher told = STARTED.matcher(file.header());
            if (told.find()) {
                starts.put(file.place().jvm(), Long.parseLong(told.group(1)));
            } else if (file.firstStartMs().isPresent()) {
                starts.put(file.place().jvm(), file.firstStartMs().getAsLong());
            }
        }
        return starts;
    }

    /** @return the load of each broker between two times [ms since 1970] */
    public static List<BrokerLoad> of(Run run, long fromMs, long toMs) throws IOException {
        Map<String, Long> starts = starts(run);
        Map<String, Map<String, String>> settings = run.settings();
        List<BrokerLoad> loads = new ArrayList<>();
        for (Samples samples : run.statistics()) {
            String jvm = samples.place().jvm();
            long start = starts.getOrDefault(jvm, 0L);
            List<double[]> rows = samples.rows().stream()
                    .filter(row -> row[0] + start >= fromMs && row[0] + start < toMs).toList();
            if (samples.place().role().equals("broker") && rows.size() > 1) {
                double[] first = rows.get(0);
                double[] last = rows.get(rows.size() - 1);
                double ms = last[0] - first[0];
                int requests = samples.column("requests");
                int io = samples.column("socket_ns");
                int worker = samples.column("worker_ns");
                loads.add(new BrokerLoad(jvm, (last[requests] - first[requests]) / ms * 1000,
                        (last[io] - first[io]) / ms / NS_PER_MS,
                        (last[worker] - first[worker]) / ms / NS_PER_MS, workers(settings.get(jvm))));
            }
        }
        return loads;
    }

    private static double workers(Map<String, String> settings) {
        String workers = settings == null ? null : settings.get("broker.workers");
        return workers == null || !workers.matches("[1-9]\\d*") ? Double.NaN : Double.parseDouble(workers);
    }
}

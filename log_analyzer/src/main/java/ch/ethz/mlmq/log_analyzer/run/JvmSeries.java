package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * One number of one JVM over time.
 *
 * @param place  who measured it
 * @param name   of the number
 * @param points ms since 1970, and the number
 */
public record JvmSeries(Place place, String name, List<double[]> points) {

    /** @return the gauges whose names are wanted, of each JVM */
    public static List<JvmSeries> gauges(Run run, Predicate<String> wanted) throws IOException {
        Map<String, Long> starts = BrokerLoad.starts(run);
        List<JvmSeries> series = new ArrayList<>();
        for (Samples samples : run.gauges()) {
            long start = starts.getOrDefault(samples.place().jvm(), 0L);
            for (int i = 1; i < samples.columns().size(); i++) {
                if (wanted.test(samples.columns().get(i))) {
                    int column = i;
                    series.add(new JvmSeries(samples.place(), samples.columns().get(i),
                            samples.rows().stream().map(row -> new double[] {row[0] + start, row[column]}).toList()));
                }
            }
        }
        return series;
    }

    /** @return how fast each counter of the statistics files grew [1/s], of each JVM of a role */
    public static List<JvmSeries> rates(Run run, String role, List<String> counters) throws IOException {
        Map<String, Long> starts = BrokerLoad.starts(run);
        List<JvmSeries> series = new ArrayList<>();
        for (Samples samples : run.statistics()) {
            if (samples.place().role().equals(role)) {
                long start = starts.getOrDefault(samples.place().jvm(), 0L);
                counters.forEach(counter -> series.add(new JvmSeries(samples.place(), counter,
                        rates(samples, samples.column(counter), start))));
            }
        }
        return series;
    }

    private static List<double[]> rates(Samples samples, int column, long start) {
        List<double[]> points = new ArrayList<>();
        for (int i = 1; i < samples.rows().size(); i++) {
            double[] before = samples.rows().get(i - 1);
            double[] now = samples.rows().get(i);
            if (now[0] > before[0]) {
                points.add(new double[] {now[0] + start, (now[column] - before[column]) * 1000 / (now[0] - before[0])});
            }
        }
        return points;
    }
}

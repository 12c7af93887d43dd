package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * One number of one JVM over time.
 *
 * @param place  who measured it
 * @param name   of the number
 * @param points ms since 1970, and the number, in time's order
 */
public record JvmSeries(Place place, String name, List<double[]> points) {

    /** @return the gauges whose names are wanted, of each JVM */
    public static List<JvmSeries> gauges(Run run, Predicate<String> wanted) throws IOException {
        Map<String, Long> starts = BrokerLoad.starts(run);
        List<JvmSeries> series = new ArrayList<>();
        for (Samples samples : run.gauges()) {
            samples.columns().stream().skip(1).filter(wanted).forEach(name -> series.add(of(samples, name, starts)));
        }
        return series;
    }

    /** @return counters of the statistics files, of each JVM of a role */
    public static List<JvmSeries> counters(Run run, String role, List<String> names) throws IOException {
        Map<String, Long> starts = BrokerLoad.starts(run);
        List<JvmSeries> series = new ArrayList<>();
        for (Samples samples : run.statistics()) {
            if (samples.place().role().equals(role)) {
                names.forEach(name -> series.add(of(samples, name, starts)));
            }
        }
        return series;
    }

    private static JvmSeries of(Samples samples, String name, Map<String, Long> starts) {
        long start = starts.getOrDefault(samples.place().jvm(), 0L);
        int column = samples.column(name);
        return new JvmSeries(samples.place(), name, samples.rows().stream()
                .filter(row -> Double.isFinite(row[column]))
                .map(row -> new double[] {row[0] + start, row[column]}).toList());
    }

    /** @return the time of the last point [ms since 1970], of which there is at least one */
    public double lastMs() {
        return points.get(points.size() - 1)[0];
    }

    /** @return false if a value is less than one before it */
    public boolean isRising() {
        return IntStream.range(1, points.size()).allMatch(i -> points.get(i)[1] >= points.get(i - 1)[1]);
    }

    /**
     * @return the value of a counter at the end of a phase, by what it grew between the last two points in it, and at
     *     most that of the next point, which tells of the next phase, too; where there are no two, by what it grew
     *     between the next two points
     */
    double atEndOf(TimeRange phase) {
        List<double[]> inside = points.stream().filter(point -> point[0] >= phase.fromMs() && point[0] <= phase.toMs())
                .toList();
        if (inside.size() < 2) {
            return atBeginOfWhatFollows(phase.toMs());
        }
        double[] before = inside.get(inside.size() - 2);
        double[] last = inside.get(inside.size() - 1);
        double next = points.stream().filter(point -> point[0] > phase.toMs()).findFirst().orElse(last)[1];
        return Math.min(Math.max(last[1], next), line(before, last, phase.toMs()));
    }

    /** At least the value of the last point before. */
    private double atBeginOfWhatFollows(long ms) {
        List<double[]> behind = points.stream().filter(point -> point[0] > ms).limit(2).toList();
        double least = points.stream().filter(point -> point[0] <= ms).mapToDouble(point -> point[1]).max().orElse(0);
        return behind.size() < 2 ? at(ms) : Math.max(least, line(behind.get(0), behind.get(1), ms));
    }

    /** @return the value at a time on the line through two points */
    private static double line(double[] first, double[] second, double ms) {
        return first[1] + (second[1] - first[1]) * (ms - first[0]) / (second[0] - first[0]);
    }

    /** @return the value at a time, by linear interpolation; constant before the first and after the last point */
    public double at(double ms) {
        int found = Collections.binarySearch(points, new double[] {ms}, Comparator.comparingDouble(point -> point[0]));
        int after = found < 0 ? -found - 1 : found;
        if (points.isEmpty()) {
            return 0;
        }
        if (after == 0 || after == points.size()) {
            return points.get(Math.min(after, points.size() - 1))[1];
        }
        return line(points.get(after - 1), points.get(after), ms);
    }
}

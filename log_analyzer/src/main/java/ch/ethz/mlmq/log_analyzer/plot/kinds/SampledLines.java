package ch.ethz.mlmq.log_analyzer.plot.kinds;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Lines of samples over time.
 *
 * @param bySecond a number for each second, by the name of the line
 * @param remark   for the title, if some lines are left out because more lines than colours are unreadable
 */
record SampledLines(Map<String, Map<Long, Double>> bySecond, String remark) {
    /** Ratio of a gap to the usual distance of samples, above which there was no sampling in between. */
    private static final int HOLE = 3;

    /** @return the lines with the highest means, and at most one of those that are always 0 */
    static SampledLines longest(Map<String, Map<Long, Double>> lines, int most) {
        Comparator<String> bySum = Comparator.comparingDouble(name -> sum(lines.get(name)));
        List<String> sorted = lines.keySet().stream().sorted(bySum.reversed()).toList();
        long used = Math.max(1, sorted.stream().filter(name -> sum(lines.get(name)) > 0).count());
        Map<String, Map<Long, Double>> longest = new LinkedHashMap<>();
        sorted.stream().limit(Math.min(used, most)).forEach(name -> longest.put(name, lines.get(name)));
        return new SampledLines(longest, longest.size() == used ? "" : " (longest " + most + " of " + used + ")");
    }

    /** @return the same with one more line */
    SampledLines with(String name, Map<Long, Double> line) {
        Map<String, Map<Long, Double>> lines = new LinkedHashMap<>(bySecond);
        lines.put(name, line);
        return new SampledLines(lines, remark);
    }

    List<String> names() {
        return List.copyOf(bySecond.keySet());
    }

    /** @return for each line seconds without a sample, one in each of its holes */
    List<Set<Long>> holes() {
        return bySecond.values().stream().map(SampledLines::holes).toList();
    }

    /** @return the largest number of all lines; 0 if there is none */
    double highest() {
        return bySecond.values().stream().flatMap(line -> line.values().stream())
                .mapToDouble(Double::doubleValue).max().orElse(0);
    }

    boolean goOnBeyond(double second) {
        return bySecond.values().stream().anyMatch(line -> line.keySet().stream().anyMatch(each -> each > second));
    }

    private static Set<Long> holes(Map<Long, Double> line) {
        long[] seconds = line.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
        long[] steps = IntStream.range(1, seconds.length).mapToLong(i -> seconds[i] - seconds[i - 1]).sorted()
                .toArray();
        Set<Long> holes = new TreeSet<>();
        for (int i = 1; i < seconds.length; i++) {
            if (seconds[i] - seconds[i - 1] > HOLE * steps[steps.length / 2]) {
                holes.add(seconds[i - 1] + 1);
            }
        }
        return holes;
    }

    private static double sum(Map<Long, Double> line) {
        return line.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}

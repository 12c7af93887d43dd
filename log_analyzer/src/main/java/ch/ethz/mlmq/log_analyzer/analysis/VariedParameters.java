package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The parameters in which the definitions of several runs differ. Parameters that change together, such as the numbers
 * of clients of several kinds that are all doubled, count as one.
 *
 * @param names  of the parameters
 * @param levels of each of them, by run
 */
public record VariedParameters(List<String> names, List<List<String>> levels) {
    /** Parameters that affect no figure. */
    private static final List<String> WORDS = List.of("name", "description", "tags", "notes", "timeout", "thresholds",
            "abort_when", "keep_database");

    /** @param runs parameters of each run */
    public static VariedParameters in(List<Map<String, String>> runs) {
        TreeSet<String> paths = new TreeSet<>();
        runs.forEach(run -> paths.addAll(run.keySet()));
        Map<List<Integer>, String> distinct = new LinkedHashMap<>();
        for (String path : paths) {
            List<String> values = valuesOf(path, runs);
            if (values.stream().distinct().count() > 1 && !WORDS.contains(path.split("\\.")[0])) {
                distinct.putIfAbsent(pattern(values), path);
            }
        }
        if (distinct.isEmpty()) {
            throw new DataException("The runs do not differ in anything that they were set to.");
        }
        Map<String, String> named = new LinkedHashMap<>();
        distinct.values().forEach(path -> named.put(shortName(path, named), path));
        return named(named, runs);
    }

    /** @param paths by the names of the parameters */
    public static VariedParameters named(Map<String, String> paths, List<Map<String, String>> runs) {
        List<List<String>> levels = new ArrayList<>();
        paths.values().forEach(path -> levels.add(valuesOf(path, runs)));
        return new VariedParameters(List.copyOf(paths.keySet()), levels);
    }

    /** @return the levels of one run, in the order of the names */
    public List<String> levels(int run) {
        return levels.stream().map(values -> values.get(run)).toList();
    }

    private static List<String> valuesOf(String path, List<Map<String, String>> runs) {
        List<String> values = runs.stream().map(run -> run.getOrDefault(path, "none")).toList();
        if (values.stream().allMatch("none"::equals)) {
            throw new DataException("No run is set to anything at " + path + ".");
        }
        return values;
    }

    /** @return which runs have the same value */
    private static List<Integer> pattern(List<String> values) {
        return values.stream().map(values::indexOf).toList();
    }

    private static String shortName(String path, Map<String, String> taken) {
        String last = path.replaceAll("^.*?settings\\.", "").replaceAll("^(brokers|clients)\\.\\d+\\.", "");
        return taken.containsKey(last) ? path : last;
    }
}

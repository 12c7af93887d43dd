package ch.ethz.mlmq.log_analyzer.scan;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The sampling of requests in the logs.
 *
 * @param logs    number of logs
 * @param logsByN for each n above one the number of logs that contain one request in n
 */
public record Sampling(int logs, TreeMap<Integer, Integer> logsByN) {

    static Sampling of(List<FileCount> files) {
        TreeMap<Integer, Integer> logsByN = new TreeMap<>();
        files.stream().map(file -> file.log().weight()).filter(n -> n > 1)
                .forEach(n -> logsByN.merge(n, 1, Integer::sum));
        return new Sampling(files.size(), logsByN);
    }

    /** @return whether every request was recorded */
    public boolean isWhole() {
        return logsByN.isEmpty();
    }

    /** @return one sentence about the precision of counts; empty if every request was recorded */
    public Optional<String> remark() {
        return isWhole() ? Optional.empty() : Optional.of("Counts and throughput are estimates: " + words() + ".");
    }

    /** @return a description, such as {@code one request in 10 was recorded in 1 of 2 logs, one in 100 in 1} */
    public String words() {
        int n = logsByN.firstKey();
        String first = "one request in " + n + " was recorded";
        if (logsByN.get(n) == logs) {
            return first;
        }
        return first + " in " + logsByN.get(n) + " of " + logs + " logs" + logsByN.tailMap(n, false).entrySet().stream()
                .map(more -> ", one in " + more.getKey() + " in " + more.getValue()).collect(Collectors.joining());
    }

    /** @return a short description for the title of a chart; empty if every request was recorded */
    public String shortly() {
        return isWhole() ? "" : "estimated: 1 in " + logsByN.keySet().stream().map(Object::toString)
                .collect(Collectors.joining(" or ")) + " recorded";
    }
}

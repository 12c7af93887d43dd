package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.DataException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The number in which groups of runs differ, to be the x axis of a picture.
 *
 * @param values of each group
 */
public record VariedNumber(String name, List<Double> values) {
    private static final Pattern NUMBER = Pattern.compile("(\\d+(?:\\.\\d+)?)(?:\\s*(?:/s|ms|s|min|h|%))?");

    /**
     * @param path where it stands in the definition; null for the first that differs and is a number
     * @return empty where the groups differ in no number
     */
    public static Optional<VariedNumber> in(List<RunGroup> groups, String path) {
        List<Map<String, String>> parameters = groups.stream().map(group -> group.runs().get(0).parameters()).toList();
        VariedParameters varied;
        try {
            varied = path == null ? VariedParameters.in(parameters)
                    : VariedParameters.named(Map.of(path, path), parameters);
        } catch (DataException nothingVaries) {
            return Optional.empty();
        }
        for (int i = 0; i < varied.names().size(); i++) {
            List<String> levels = varied.levels().get(i);
            if (levels.stream().allMatch(level -> NUMBER.matcher(level).matches())) {
                return Optional.of(new VariedNumber(varied.names().get(i), levels.stream().map(VariedNumber::number).toList()));
            }
        }
        return Optional.empty();
    }

    private static double number(String level) {
        Matcher number = NUMBER.matcher(level);
        return number.matches() ? Double.parseDouble(number.group(1)) : Double.NaN;
    }
}

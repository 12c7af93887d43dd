package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The number in which groups of runs differ, for the x axis of a chart.
 *
 * @param name   of the parameter, with its unit
 * @param values of each group
 */
public record VariedNumber(String name, List<Double> values) {
    /**
     * @param path place in the definition; null for the first parameter that differs and has a different number in each
     * group, because groups with the same number differ in something that no line can show
     * @return empty if the groups differ in no number
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
            List<Optional<Quantity>> levels = varied.levels().get(i).stream().map(Quantity::of).toList();
            if (levels.stream().allMatch(Optional::isPresent)) {
                Optional<VariedNumber> number = of(varied.names().get(i), levels.stream().map(Optional::get).toList());
                if (number.isPresent() && (path != null || number.get().tellsApart())) {
                    return number;
                }
            }
        }
        return Optional.empty();
    }

    private boolean tellsApart() {
        return new HashSet<>(values).size() == values.size();
    }

    /**
     * @return values in their common unit, or in seconds for times in several units; empty if the units do not match
     */
    private static Optional<VariedNumber> of(String name, List<Quantity> levels) {
        List<Quantity> withUnit = levels.stream().filter(level -> level.number() != 0).toList();
        List<String> units = withUnit.stream().map(Quantity::unit).distinct().toList();
        if (units.size() == 1) {
            return Optional.of(new VariedNumber(named(name, units.get(0)), levels.stream().map(Quantity::number)
                    .toList()));
        }
        return withUnit.stream().allMatch(Quantity::isTime)
                ? Optional.of(new VariedNumber(named(name, "s"), levels.stream().map(Quantity::inSeconds).toList()))
                : Optional.empty();
    }

    private static String named(String name, String unit) {
        return unit.isEmpty() ? name : name + " [" + (unit.equals("/s") ? "1/s" : unit) + "]";
    }
}

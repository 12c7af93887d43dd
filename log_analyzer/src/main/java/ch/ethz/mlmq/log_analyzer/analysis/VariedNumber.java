package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The number in which groups of runs differ, to be the x axis of a picture.
 *
 * @param name   of what differs, with its unit
 * @param values of each group
 */
public record VariedNumber(String name, List<Double> values) {
    /**
     * @param path where it stands in the definition; null for the first that differs and is a number of its own in each
     *             group: groups that share a number differ in something else, which no line over it can show
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

    /** @return in the unit of all; seconds where times are given in several units; empty where the units do not fit */
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

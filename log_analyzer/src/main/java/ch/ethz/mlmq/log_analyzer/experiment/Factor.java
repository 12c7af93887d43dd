package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.analysis.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * A parameter that an experiment sets to several levels.
 *
 * @param name   for people, and of its column
 * @param path   place in the definition; empty if it is unknown
 * @param levels in the order of the design, in their original form
 * @param unit   of the levels; empty for none
 */
public record Factor(String name, String path, List<String> levels, String unit) {

    /**
     * @return true if its name, or the last part of its path, has one of these words; the owner of the setting does not
     * count
     */
    boolean isCalled(Pattern words) {
        return words.matcher(name + " " + path.replaceAll("(?:clients|brokers)\\.\\d+\\.", "")).find();
    }

    /** @return name and unit, for an axis */
    public String label() {
        String shown = unit.isEmpty() ? unitOfLevels().orElse("") : unit;
        return shown.isEmpty() ? name : name + " [" + (shown.equals("/s") ? "1/s" : shown) + "]";
    }

    /** @return true if all levels are numbers in one unit, or times */
    public boolean isNumeric() {
        return !levels.isEmpty() && levels.stream().allMatch(level -> number(level).isPresent())
                && (unitOfLevels().isPresent() || levels.stream().map(Quantity::of).allMatch(level ->
                level.get().isTime() || level.get().number() == 0));
    }

    /** @return the level as a number: in the levels' own unit, or in seconds for times in several units */
    public OptionalDouble number(String level) {
        Optional<Quantity> quantity = Quantity.of(level);
        if (quantity.isEmpty()) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(unitOfLevels().isPresent() ? quantity.get().number() : quantity.get().inSeconds());
    }

    /** @return the unit in which all levels except zeros are written, if there is only one */
    private Optional<String> unitOfLevels() {
        List<String> units = levels.stream().flatMap(level -> Quantity.of(level).stream())
                .filter(level -> level.number() != 0).map(Quantity::unit).distinct().toList();
        return units.size() > 1 ? Optional.empty() : Optional.of(units.isEmpty() ? "" : units.get(0));
    }
}

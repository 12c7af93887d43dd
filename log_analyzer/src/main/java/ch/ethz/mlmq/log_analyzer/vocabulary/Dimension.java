package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.Map;

/**
 * The units of a figure.
 *
 * @param units those that are read, by their size
 * @param base  unit of size 1, in which values are computed and written
 * @param plain unit of a number that has none, and of the columns of experiments
 * @param words the units as a message names them
 */
public record Dimension(Map<String, Double> units, String base, String plain, String words) {
    static final Dimension NONE = new Dimension(Map.of("", 1.0), "", "", "");

    /** @return size of the plain unit, in base units */
    public double plainSize() {
        return units.get(plain);
    }
}

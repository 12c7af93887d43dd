package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Observations of a 2^k design in a table: levels of factors, then one response or several replicates.
 *
 * @param factors names of the factors
 * @param rows    levels and responses of each row
 */
public record FactorialTable(List<String> factors, List<Row> rows) {

    /** One row. @param levels one for each factor, in their original form */
    public record Row(List<String> levels, List<Double> responses) {
        /**
         * Orders rows by their levels, so that the low level of a factor is the smaller number, whatever the order of
         * the runs.
         */
        public static final Comparator<Row> LOW_LEVELS_FIRST = (one, other) -> {
            int difference = 0;
            for (int i = 0; i < one.levels.size() && difference == 0; i++) {
                difference = Double.compare(size(one.levels.get(i)), size(other.levels.get(i)));
            }
            return difference;
        };

        private static double size(String level) {
            return Quantity.of(level).map(Quantity::inSeconds).orElse(Double.NEGATIVE_INFINITY);
        }
    }

    /** @return the design; every combination of levels must be there */
    public Factorial design() {
        if (factors.isEmpty() || rows.isEmpty()) {
            throw new DataException("A 2^k design needs at least one factor and its rows.");
        }
        List<List<String>> levels = new ArrayList<>();
        for (int i = 0; i < factors.size(); i++) {
            levels.add(levelsOf(i));
        }
        Map<Integer, List<Double>> cells = new LinkedHashMap<>();
        for (Row row : rows) {
            int cell = 0;
            for (int i = 0; i < factors.size(); i++) {
                cell |= levels.get(i).indexOf(row.levels().get(i)) << i;
            }
            cells.computeIfAbsent(cell, unseen -> new ArrayList<>()).addAll(row.responses());
        }
        return new Factorial(namedFactors(levels), complete(cells, levels));
    }

    /** @return true if all levels are numbers, so that a relation in the factors' own units makes sense */
    public boolean hasUnits() {
        return rows.stream().flatMap(row -> row.levels().stream()).allMatch(FactorialTable::isNumber);
    }

    private double[][] complete(Map<Integer, List<Double>> cells, List<List<String>> levels) {
        double[][] complete = new double[1 << factors.size()][];
        for (int cell = 0; cell < complete.length; cell++) {
            List<Double> responses = cells.getOrDefault(cell, List.of());
            if (responses.isEmpty()) {
                throw new DataException("The combination " + describe(cell, levels)
                        + " has no observation; a 2^k design needs all combinations.");
            }
            complete[cell] = responses.stream().mapToDouble(Double::doubleValue).toArray();
        }
        return complete;
    }

    private String describe(int cell, List<List<String>> levels) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < factors.size(); i++) {
            parts.add(factors.get(i) + "=" + levels.get(i).get(cell >> i & 1));
        }
        return String.join(" ", parts);
    }

    /** @return the two levels of a factor, the low one first: -1 before 1, else in the order of the rows */
    private List<String> levelsOf(int factor) {
        Set<String> met = new LinkedHashSet<>();
        rows.forEach(row -> met.add(row.levels().get(factor)));
        if (met.size() != 2) {
            throw new DataException("Factor " + factors.get(factor) + " has " + met.size() + " level"
                    + (met.size() == 1 ? "" : "s") + " (" + String.join(", ", met) + "); a 2^k design needs two.");
        }
        List<String> levels = new ArrayList<>(met);
        if (levels.equals(Arrays.asList("1", "-1"))) {
            return List.of("-1", "1");
        }
        return levels;
    }

    private List<Factorial.Factor> namedFactors(List<List<String>> levels) {
        List<Factorial.Factor> named = new ArrayList<>();
        for (int i = 0; i < factors.size(); i++) {
            boolean numbers = levels.get(i).stream().allMatch(FactorialTable::isNumber);
            double low = numbers ? Double.parseDouble(levels.get(i).get(0)) : -1;
            double high = numbers ? Double.parseDouble(levels.get(i).get(1)) : 1;
            named.add(new Factorial.Factor(factors.get(i), low, high));
        }
        return named;
    }

    private static boolean isNumber(String text) {
        return text.matches("-?\\d+(\\.\\d+)?");
    }
}

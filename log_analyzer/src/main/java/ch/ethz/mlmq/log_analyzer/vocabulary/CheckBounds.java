package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.List;
import java.util.Map;

/** The bounds of the checks of a run: {@code vocabulary/checks.yml}. */
public final class CheckBounds {
    private static final Map<?, ?> CHECKS = (Map<?, ?>) Vocabulary.read("checks.yml").get("checks");
    private static final Map<String, Double> UNITS = Map.of("%", 0.01, "ms", 1.0, "s", 1_000.0);

    private CheckBounds() {
    }

    /** @return the titles of all checks, in the order of the vocabulary */
    public static List<String> titles() {
        return CHECKS.keySet().stream().map(String.class::cast).toList();
    }

    /**
     * @param  title                    of a check
     * @return                          the bound beyond which it rejects a run: a share 0..1, or ms
     * @throws IllegalArgumentException if it has none
     */
    public static double rejected(String title) {
        return bound(title, "rejected");
    }

    /**
     * @param  title                    of a check
     * @return                          the bound beyond which it warns: a share 0..1, or ms
     * @throws IllegalArgumentException if it has none
     */
    public static double warning(String title) {
        return bound(title, "warning");
    }

    /**
     * @param  title                    of a check
     * @param  name                     of a bound without a unit
     * @throws IllegalArgumentException if it has none
     */
    public static double number(String title, String name) {
        return ((Number) of(title, name)).doubleValue();
    }

    private static double bound(String title, String level) {
        String[] parts = of(title, level).toString().split(" ");
        return Double.parseDouble(parts[0]) * UNITS.get(parts[1]);
    }

    private static Object of(String title, String name) {
        Object bound = CHECKS.get(title) instanceof Map<?, ?> check ? check.get(name) : null;
        if (bound == null) {
            throw new IllegalArgumentException("vocabulary/checks.yml has no bound \"" + name + "\" of " + title);
        }
        return bound;
    }
}

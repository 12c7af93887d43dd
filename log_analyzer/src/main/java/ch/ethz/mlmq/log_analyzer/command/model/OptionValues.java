package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.analysis.Quantity;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** Parses numbers with units, and ranges of them, on the command line of models: {@code 80us}, {@code 9000/s}. */
final class OptionValues {
    private static final int MOST_NUMBERS = 1_000;
    static final int STEPS = 100;
    private static final double ROUNDING = 1e-9;

    private OptionValues() {
    }

    /** @return a time [s], 0 or more; scientific notation without a unit is in seconds */
    static double seconds(String option, String text) {
        return number(option, text, "a time such as 80us, 1.5ms, 2s",
                quantity -> quantity.isTime() || quantity.unit().isEmpty());
    }

    /** @return a rate [1/s] */
    static double rate(String option, String text) {
        return positive(option, number(option, text, "a rate such as 9000/s",
                quantity -> quantity.unit().equals("/s") || quantity.unit().isEmpty()));
    }

    /** @return a share between 0 and 1, both excluded */
    static double share(String option, double share) {
        if (!(share > 0 && share < 1)) {
            throw new UsageException(option + " must lie between 0 and 1.");
        }
        return share;
    }

    static double positive(String option, double number) {
        if (!(number > 0) || Double.isInfinite(number)) {
            throw new UsageException(option + " must be more than 0.");
        }
        return number;
    }

    static double notNegative(String option, double number) {
        if (!(number >= 0) || Double.isInfinite(number)) {
            throw new UsageException(option + " must be 0 or more.");
        }
        return number;
    }

    /** Parses numbers without units, 0 or more, and ranges of them; of whole numbers at most a thousand steps. */
    static List<Double> numbers(String option, List<String> texts) {
        return numbers(option, texts, MOST_NUMBERS, text -> plain(option, text));
    }

    /**
     * Parses numbers and ranges, such as {@code 1..500} or {@code 0.1..0.9}. A range of whole numbers has each of them,
     * or every second, third and so on; other ranges have a hundred equal steps.
     *
     * @param most   steps of a range of whole numbers
     * @param number parses one number
     * @return the numbers, ascending and different
     */
    static List<Double> numbers(String option, List<String> texts, int most, ToDoubleFunction<String> number) {
        List<Double> numbers = new ArrayList<>();
        for (String text : texts) {
            String[] ends = text.strip().split("\\.\\.", -1);
            double from = number.applyAsDouble(ends[0].strip());
            double to = number.applyAsDouble(ends[ends.length - 1].strip());
            if (ends.length > 2 || from > to) {
                throw new UsageException(option + ": '" + text + "' is no ascending range such as 1..500.");
            }
            boolean whole = from == Math.rint(from) && to == Math.rint(to);
            double step = whole ? Math.max(1, Math.ceil((to - from) / most)) : (to - from) / STEPS;
            int steps = step > 0 ? (int) Math.floor((to - from) / step + ROUNDING) : 0;
            for (int i = 0; i <= steps; i++) {
                numbers.add(from + i * step);
            }
        }
        return numbers.stream().distinct().sorted().toList();
    }

    /** @return a number without a unit, 0 or more */
    static double plain(String option, String text) {
        return number(option, text, "a number such as 5 or 0.25", quantity -> quantity.unit().isEmpty());
    }

    private static double number(String option, String text, String form, Predicate<Quantity> fits) {
        if (text.matches("\\d+(\\.\\d+)?[eE]-?\\d+")) {
            return Double.parseDouble(text);
        }
        return Quantity.of(text).filter(quantity -> quantity.number() >= 0 && fits.test(quantity))
                .map(Quantity::inSeconds)
                .orElseThrow(() -> new UsageException(option + ": '" + text + "' is not " + form + "."));
    }
}

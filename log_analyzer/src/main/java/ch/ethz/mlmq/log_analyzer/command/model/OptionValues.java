package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.analysis.Quantity;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import java.util.function.Predicate;

/** Parses numbers with units on the command line of models: {@code 80us}, {@code 9000/s}, {@code 90%}. */
final class OptionValues {
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

    private static double number(String option, String text, String form, Predicate<Quantity> fits) {
        if (text.matches("\\d+(\\.\\d+)?[eE]-?\\d+")) {
            return Double.parseDouble(text);
        }
        return Quantity.of(text).filter(quantity -> quantity.number() >= 0 && fits.test(quantity))
                .map(Quantity::inSeconds)
                .orElseThrow(() -> new UsageException(option + ": '" + text + "' is not " + form + "."));
    }
}

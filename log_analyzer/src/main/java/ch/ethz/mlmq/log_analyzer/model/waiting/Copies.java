package ch.ethz.mlmq.log_analyzer.model.waiting;

/**
 * The first three raw moments of the number of copies R of a message. Henjes (5.37)–(5.44).
 *
 * @param first  E[R]
 * @param second E[R²]
 * @param third  E[R³]
 */
public record Copies(double first, double second, double third) {

    /** @return a constant number of copies (5.37), (5.38) */
    public static Copies constant(double copies) {
        return new Copies(copies, copies * copies, copies * copies * copies);
    }

    /** @return copies to all filters with probability p, else to none (5.39)–(5.41) */
    public static Copies allOrNone(double filters, double p) {
        return new Copies(p * filters, p * filters * filters, p * filters * filters * filters);
    }

    /** @return copies to each filter independently with probability p (5.42); the printed (5.43) is the variance */
    public static Copies binomial(double filters, double p) {
        double mean = filters * p;
        double third = filters * (filters - 1) * (filters - 2) * p * p * p + 3 * filters * (filters - 1) * p * p + mean;
        return new Copies(mean, mean * (1 - p) + mean * mean, third);
    }
}

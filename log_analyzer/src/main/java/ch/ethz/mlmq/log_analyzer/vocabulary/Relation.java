package ch.ethz.mlmq.log_analyzer.vocabulary;

import java.util.Arrays;

/** Relations of a figure to a limit. */
public enum Relation {
    BELOW("<"), AT_MOST("<="), ABOVE(">"), AT_LEAST(">="), EQUAL("=");

    private final String sign;

    Relation(String sign) {
        this.sign = sign;
    }

    public String sign() {
        return sign;
    }

    /** @return true if the figure must be above the limit */
    public boolean isAbove() {
        return this == ABOVE || this == AT_LEAST;
    }

    static Relation of(String sign) {
        return Arrays.stream(values()).filter(each -> each.sign.equals(sign)).findFirst().orElseThrow();
    }

    /** @return true if a value has this relation to a limit in the same unit; always false for NaN */
    public boolean holds(double value, double limit) {
        return switch (this) {
            case BELOW -> value < limit;
            case AT_MOST -> value <= limit;
            case ABOVE -> value > limit;
            case AT_LEAST -> value >= limit;
            case EQUAL -> value == limit;
        };
    }
}

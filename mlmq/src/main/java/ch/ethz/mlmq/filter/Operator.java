package ch.ethz.mlmq.filter;

/** An operator between two values. Both values are there. */
enum Operator {
    EQUAL("="),
    UNEQUAL("<>"),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">="),
    PLUS("+"),
    MINUS("-"),
    TIMES("*"),
    BY("/");

    private final String sign;

    Operator(String sign) {
        this.sign = sign;
    }

    /** @return the comparison with that sign, or null */
    static Operator comparison(Token token) {
        for (Operator operator : values()) {
            if (operator.compareTo(PLUS) < 0 && token.is(operator.sign)) {
                return operator;
            }
        }
        return null;
    }

    /** @return the operator with that sign */
    static Operator of(String sign) {
        for (Operator operator : values()) {
            if (operator.sign.equals(sign)) {
                return operator;
            }
        }
        throw new IllegalArgumentException(sign);
    }

    /** @return true if it needs numbers */
    boolean isOfNumbers() {
        return this != EQUAL && this != UNEQUAL;
    }

    /** @return the operator that says the same with the values exchanged */
    Operator mirrored() {
        return switch (this) {
            case LESS -> GREATER;
            case AT_MOST -> AT_LEAST;
            case GREATER -> LESS;
            case AT_LEAST -> AT_MOST;
            default -> this;
        };
    }

    /** @return whether the comparison is true; values of unlike types never compare */
    boolean holds(Object one, Object other) {
        if (one instanceof Long first && other instanceof Long second) {
            return holds(Long.compare(first, second));
        }
        if (one instanceof Number first && other instanceof Number second) {
            return holds(first.doubleValue(), second.doubleValue());
        }
        if (one.getClass() != other.getClass() || isOfNumbers()) {
            return false;
        }
        return one.equals(other) == (this == EQUAL);
    }

    private boolean holds(int order) {
        return switch (this) {
            case EQUAL -> order == 0;
            case UNEQUAL -> order != 0;
            case LESS -> order < 0;
            case AT_MOST -> order <= 0;
            case GREATER -> order > 0;
            default -> order >= 0;
        };
    }

    /** Compares as Java does, where no comparison with what is not a number holds. */
    private boolean holds(double one, double other) {
        return switch (this) {
            case EQUAL -> one == other;
            case UNEQUAL -> one != other;
            case LESS -> one < other;
            case AT_MOST -> one <= other;
            case GREATER -> one > other;
            default -> one >= other;
        };
    }

    /** @return a Long of two Longs, else a Double; null if a value is no number, or an integer is divided by zero */
    Object compute(Object one, Object other) {
        if (one instanceof Long first && other instanceof Long second) {
            return this == BY && second == 0 ? null : compute((long) first, (long) second);
        }
        return one instanceof Number first && other instanceof Number second
                ? (Object) compute(first.doubleValue(), second.doubleValue()) : null;
    }

    private long compute(long one, long other) {
        return switch (this) {
            case PLUS -> one + other;
            case MINUS -> one - other;
            case TIMES -> one * other;
            default -> one / other;
        };
    }

    private double compute(double one, double other) {
        return switch (this) {
            case PLUS -> one + other;
            case MINUS -> one - other;
            case TIMES -> one * other;
            default -> one / other;
        };
    }
}

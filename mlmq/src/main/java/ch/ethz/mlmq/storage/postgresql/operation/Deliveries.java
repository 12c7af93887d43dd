package ch.ethz.mlmq.storage.postgresql.operation;

/** Counts the deliveries of a message; the count stops at its largest value. */
public final class Deliveries {
    /** The next count of a row with {@code deliveries}. */
    public static final String NEXT = "LEAST(deliveries, " + (Integer.MAX_VALUE - 1) + ") + 1";

    private Deliveries() {
    }

    /** @return the count after one more delivery */
    public static int next(int deliveries) {
        return Math.min(deliveries, Integer.MAX_VALUE - 1) + 1;
    }
}
